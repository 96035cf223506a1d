/** The page of failures in a real browser. */

import { describe, expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, exactly, withPage } from './support/browser.ts'
import { answerOf } from '../support/server.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the page of failures', () => {
  test('lists them as they come, newest first, and opens the explanation of one that a revert removed', () =>
    withShop(hardhat2(plain), async ({ url, shop }) => {
      await withPage(`${url}#/failures`, async ({ page }) => {
        await page.getByText('No execution has failed.').waitFor()
        const { result: id } = await answerOf(url, 'evm_snapshot', [])
        const { hash } = await failed(shop, 'buy', 30)
        await shop['buy']!.staticCall(40).catch(() => undefined)
        await answerOf(url, 'evm_revert', [id])
        const lines = page.locator('.requests > li')
        await page.getByText('removed by a revert at').waitFor()
        // Names come after the page.
        await lines.nth(1).filter({ hasText: 'TooPoor(account 0, ' }).waitFor()
        const [call, transaction] = await lines.allTextContents()
        expect(call).toContain('Shop.buy(count: 40)')
        expect(call).toContain('revert TooPoor(from, balances[from], value);')
        expect(call).toContain(`contracts/Shop.sol:${lineOf('revert TooPoor')}, call`)
        expect(transaction).toMatch(
          new RegExp(`TooPoor\\(account 0, .*removed by a revert at.*transaction ${hash.slice(0, 10)}`, 's'),
        )
        await lines.nth(1).locator('a').first().click()
        await page.getByText('A revert removed the transaction').waitFor()
        await exactly(3, page.locator('.stack > li'))
        await page.getByText('Token').first().waitFor()
        await page.getByRole('combobox', { name: 'Search' }).fill(hash.slice(0, 8))
        await page.getByRole('combobox', { name: 'Search' }).press('Enter')
        await page.waitForURL(`${url}#/tx/${hash}`)
        await page.getByText('A revert removed the transaction').waitFor()
      })
    }))
})
