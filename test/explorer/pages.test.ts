/** The pages of the explorer in a real browser. */

import { describe, test } from '@jest/globals'
import { browserPath, newestBlock, withPage } from '../support/browser.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe
if (browserPath === undefined) process.stderr.write('no Chromium is installed: the explorer is not tested\n')

describeInBrowser('the explorer', () => {
  test('reads and writes a contract', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const address = await shop.getAddress()
      await withPage(`${url}/#/address/${address}/functions`, async ({ page }) => {
        const sold = page.locator('.function', { hasText: 'sold' })
        await sold.getByText('0', { exact: true }).waitFor()
        const buy = page.locator('form.function', { hasText: 'buy' }).first()
        await buy.getByLabel('count uint256').fill('two')
        await buy.getByRole('button', { name: 'Send' }).click()
        await buy.getByText('count: expected uint256').waitFor()
        await buy.getByLabel('count uint256').fill('30')
        await buy.getByRole('button', { name: 'Send' }).click()
        await buy.getByText('revert TooPoor(from, balances[from], value);').first().waitFor()
        await buy.getByRole('link', { name: 'The whole explanation' }).waitFor()
        await buy.getByLabel('count uint256').fill('2')
        await buy.getByRole('button', { name: 'Send' }).click()
        await sold.getByText('2', { exact: true }).waitFor()
      })
    })
  })

  test('mines, takes a snapshot and reverts to it', async () => {
    await withShop(hardhat2(plain), async ({ url }) => {
      await withPage(`${url}/#/controls`, async ({ page }) => {
        await newestBlock(page, 3)
        await page.getByRole('button', { name: 'Take a snapshot' }).click()
        await page.getByRole('button', { name: 'Revert' }).waitFor()
        await page.getByLabel('Blocks').fill('40')
        await page.getByRole('button', { name: 'Mine', exact: true }).click()
        await newestBlock(page, 43)
        await page.getByRole('button', { name: 'Revert' }).click()
        await page.getByText('Drops 40 blocks, and what else has changed since.').waitFor()
        await page.getByRole('button', { name: 'Take a snapshot, then revert' }).click()
        await newestBlock(page, 3)
        await page.getByRole('button', { name: 'Revert to before the revert' }).waitFor()
        await page.getByLabel('Blocks').fill('-1')
        await page.getByRole('button', { name: 'Mine', exact: true }).click()
        await page.locator('.action .error').waitFor()
        await page.getByLabel('Name of the world').fill('other')
        await page.getByRole('button', { name: 'Open a world' }).click()
        await page.getByRole('link', { name: 'other' }).waitFor()
        await page.getByRole('link', { name: 'other' }).click()
        await page.getByText('world other').waitFor()
      })
    })
  })
})
