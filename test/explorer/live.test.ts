/** The explorer follows a chain that changes fast. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import type { Page } from 'playwright-core'
import { browserPath, newestBlock, withPage } from './support/browser.ts'
import { withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

/** The first resource that the page has loaded from this path, in milliseconds of the page. */
async function loading(page: Page, path: string): Promise<{ startTime: number; responseEnd: number }> {
  return page.evaluate(`new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const found = list.getEntries().find(({ name }) => name.startsWith(${JSON.stringify(new URL(path, page.url()).href)}))
      if (found !== undefined) resolve({ startTime: found.startTime, responseEnd: found.responseEnd })
    })
    observer.observe({ type: 'resource', buffered: true })
  })`)
}

describeInBrowser('the explorer', () => {
  test('loads the script of the other pages after the rows of the first', async () => {
    await withServer({ network: 'ethereum' }, async ({ url }) => {
      await withPage('about:blank', async ({ page }) => {
        // Longer than the page takes to run what it plans for its next frame.
        await page.addInitScript(`
          const send = fetch
          window.fetch = async (...request) => {
            await new Promise((resolve) => setTimeout(resolve, 500))
            return send(...request)
          }`)
        await page.goto(url)
        // The browser's own record of when it asked, and when it had the whole answer.
        const rows = await loading(page, '/?dialect=')
        const script = await loading(page, '/explorer/pages-')
        expect(script.startTime).toBeGreaterThanOrEqual(rows.responseEnd)
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
