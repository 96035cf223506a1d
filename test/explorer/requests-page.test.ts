/** The page of requests in a real browser. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { browserPath, exactly, withPage } from './support/browser.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { answerOf, withServer } from '../support/server.ts'
import { plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the page of requests', () => {
  test('shows requests of clients as they come, folded, filtered by the URL, and as curl', () =>
    withServer({ apiKeys: ['key'] }, async ({ url }) => {
      const chain = `${url}/key`
      await withPage(`${chain}#/requests`, async ({ page }) => {
        await page.getByText('No requests yet.').waitFor()
        expect(await page.title()).toBe('Requests · dev-node')
        for (let sent = 0; sent < 3; sent++) await answerOf(chain, 'eth_chainId', [])
        await answerOf(chain, 'web3_sha3', ['0x27'])
        await answerOf(`${chain}/w/one`, 'eth_chainId', [])
        await answerOf(chain, "eth_it's<b>", [{ a: 1 }])
        const lines = page.locator('.requests > li')
        await lines.nth(3).waitFor()
        const titles = await page.locator('.requests summary').allTextContents()
        expect(titles).toEqual([
          expect.stringMatching(/eth_it's<b> error -32601: /),
          expect.stringMatching(/eth_chainId in world one/),
          expect.stringMatching(/^[\d:]{8}web3_sha3 \d+\.\d ms$/),
          expect.stringMatching(/eth_chainId x3/),
        ])
        await page.getByLabel('Method').selectOption('web3_sha3')
        await page.waitForURL(`${chain}#/requests/web3_sha3`)
        await exactly(1, lines)
        await page.locator('summary').click()
        await page.getByText('params ["0x27"]').waitFor()
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('button', { name: 'Copy the request as curl' }).click()
        const copied = await page.evaluate<string>('navigator.clipboard.readText()')
        const { stdout } = await promisify(execFile)('sh', ['-c', copied])
        expect(JSON.parse(stdout).result).toMatch(/^0x[0-9a-f]{64}$/)
      })
    }))

  test('says in words what was refused, and what a revert removed', () =>
    withShop(hardhat2(plain), async ({ url, shop, buyer }) => {
      await withPage(`${url}#/requests`, async ({ page }) => {
        const to = await shop.getAddress()
        const buy = (count: number) => [
          { from: buyer, to, data: shop.interface.encodeFunctionData('buy', [count]) },
        ]
        await answerOf(`${url}?dialect=ethereum`, 'eth_call', buy(30))
        const lines = page.locator('.requests > li')
        await lines.filter({ hasText: /Shop\.buy\(30\).*TooPoor\(account 0, 1000, 3000\)/ }).waitFor()
        const { result: id } = await answerOf(url, 'evm_snapshot', [])
        await answerOf(url, 'eth_sendTransaction', buy(1))
        await answerOf(url, 'evm_revert', [id])
        await page.reload()
        await lines.filter({ hasText: 'eth_sendTransaction Shop.buy(1)' }).waitFor()
      })
    }))

  test('shows no passphrase, and in a world only its requests', () =>
    withServer({}, async ({ url }) => {
      await withPage(`${url}/w/one#/requests`, async ({ page }) => {
        await page.getByText('No requests yet.').waitFor()
        await answerOf(url, 'eth_chainId', [])
        await answerOf(`${url}/w/one`, 'personal_newAccount', ['my secret'])
        await page.getByText('personal_newAccount').last().waitFor()
        await page.locator('summary').click()
        await page.getByText('params "(not shown)"').waitFor()
        expect(await page.content()).not.toContain('my secret')
        expect(await page.getByRole('button', { name: 'Copy the request as curl' }).count()).toBe(0)
        expect(await page.locator('.requests > li').count()).toBe(1)
      })
    }))
})
