/** The explorer follows a chain that changes fast. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import type { Route } from 'playwright-core'
import { browserPath, newestBlock, withPage } from '../support/browser.ts'
import { withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the explorer', () => {
  test('loads the script of the other pages after the rows of the first', async () => {
    await withServer({ network: 'ethereum' }, async ({ url }) => {
      await withPage('about:blank', async ({ page }) => {
        const order: string[] = []
        const answer = async (route: Route): Promise<void> => {
          await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
          order.push('rows')
          await route.continue()
        }
        await page.route('**/?dialect=*', answer, { times: 1 })
        const asked = page.waitForRequest('**/explorer/pages-*').then(() => order.push('script'))
        await page.goto(url)
        await asked
        expect(order).toEqual(['rows', 'script'])
      })
    })
  })

  test('follows two hundred transactions, and a revert of all of them', async () => {
    await withServer({ network: 'ethereum' }, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 50 })
      const [from, to] = (await provider.send('eth_accounts', [])) as readonly string[]
      const snapshot = (await provider.send('evm_snapshot', [])) as string
      const send = async (): Promise<unknown> =>
        provider.send('eth_sendTransaction', [{ from, to, value: '0x1' }])
      await withPage(url, async ({ page }) => {
        await newestBlock(page, 0)
        for (let sent = 0; sent < 200; sent += 50)
          await Promise.all(Array.from({ length: 50 }, async () => send()))
        // While it is busy, the page must answer its user.
        await page.getByRole('link', { name: 'Accounts' }).click()
        await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
        await page.getByRole('link', { name: 'Chain', exact: true }).click()
        await newestBlock(page, 200)
        await page.getByRole('link', { name: 'Block 200: 1 transactions' }).waitFor()
        expect(await page.locator('.strip li').count()).toBe(60)
        await provider.send('evm_revert', [snapshot])
        await newestBlock(page, 0)
        await page.getByText('No transactions in the newest blocks.').waitFor()
      })
      provider.destroy()
    })
  })
})
