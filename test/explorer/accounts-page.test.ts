/** The page of accounts in a real browser. */

import { describe, expect, test } from '@jest/globals'
import { browserPath, withPage } from './support/browser.ts'
import { answerOf, withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

const KEY = `0x${'00'.repeat(31)}01`
const IMPORTED = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

describeInBrowser('the page of accounts', () => {
  test('imports, funds, unlocks, sends and locks an account', () =>
    withServer({ network: 'ethereum', mnemonic: undefined }, async ({ url, accounts }) => {
      await withPage(`${url}/#/accounts`, async ({ page }) => {
        await page.getByLabel('Private key', { exact: true }).fill(KEY)
        await page.getByLabel('Its passphrase from now on').fill('open')
        await page.getByRole('button', { name: 'Import a private key' }).click()
        await page.getByRole('link', { name: `Send, fund or lock account ${IMPORTED}` }).click()
        expect(page.url()).toBe(`${url}/#/accounts/${IMPORTED.toLowerCase()}`)
        await page.getByLabel('Faucet').fill('2.5')
        await page.getByRole('button', { name: 'Add to the balance' }).click()
        await page.getByText('2.5 ether', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Lock', exact: true }).click()
        await page.getByText('It is locked.').waitFor()
        await page.getByLabel('To', { exact: true }).fill(accounts[0]!.address)
        await page.getByRole('button', { name: 'Send' }).click()
        await page.locator('.action .error').waitFor()
        await page.getByLabel('Passphrase', { exact: true }).fill('open')
        await page.getByRole('button', { name: 'Unlock' }).click()
        await page.getByText('It is unlocked for 30 minutes.').waitFor()
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByText('Sent.').waitFor()
        const balance = page.locator('tr', { hasText: IMPORTED }).locator('button.amount')
        await balance.filter({ hasText: /^1\.49 ether$/ }).click()
        await balance.filter({ hasText: /^1\.49\d{4,16} ether$/ }).waitFor()
        const { result } = await answerOf(url, 'eth_getTransactionCount', [IMPORTED, 'latest'])
        expect(result).toBe('0x1')
      })
    }))

  test('shows a private key only after a press of the button', () =>
    withServer({}, async ({ url, accounts }) => {
      const { address, privateKey } = accounts[0]!
      await withPage(`${url}/#/accounts/${address}`, async ({ page }) => {
        const button = page.getByRole('button', { name: 'Show the private key' })
        await button.waitFor()
        expect(await page.content()).not.toContain(privateKey)
        await button.click()
        await page.getByText(privateKey, { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Hide the private key' }).click()
        await button.waitFor()
        expect(await page.content()).not.toContain(privateKey)
      })
    }))

  test('creates an account, or says that the node holds no keys', async () => {
    await withServer({}, async ({ url }) => {
      await withPage(`${url}/#/accounts`, async ({ page }) => {
        await page.getByLabel('Passphrase of the new account').fill('open')
        await page.getByRole('button', { name: 'Create an account' }).click()
        await page.getByText(/^Created 0x/).waitFor()
        const { result } = await answerOf(url, 'eth_accounts', [])
        const rows = page.locator('tbody tr')
        await rows.nth(result.length - 1).waitFor()
        expect(await rows.count()).toBe(result.length)
      })
    })
    await withServer({ holdsKeys: false }, ({ url }) =>
      withPage(`${url}/#/accounts`, ({ page }) => page.getByText('The node holds no keys.').waitFor()),
    )
  })

  test('has no actions in read-only mode, nor has any other page', () =>
    withServer({ explorerReadOnly: true }, async ({ url, accounts }) => {
      await withPage(`${url}/#/accounts/${accounts[0]!.address}`, async ({ page }) => {
        await page.locator('tbody tr').first().waitFor()
        expect(await page.locator('form.action').count()).toBe(0)
        expect(await page.getByRole('link', { name: 'Controls' }).count()).toBe(0)
        await page.goto(`${url}/#/controls`)
        await page.getByText('There is no such page.').waitFor()
        await page.goto(`${url}/#/address/0x0000000000000000000000000000000001000006`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
      })
      const { result } = await answerOf(url, 'evm_snapshot', [])
      expect(result).toBe('0x1')
    }))
})
