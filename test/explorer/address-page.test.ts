/** The page of an address in a real browser: balance, transactions, functions, code, storage, events. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, until, withPage } from './support/browser.ts'
import type { OpenPage } from './support/browser.ts'
import { withLedger } from '../support/ledger.ts'
import { withServer } from '../support/server.ts'
import { plain, withShop } from '../support/shop.ts'
import type { Scene } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

/** Where `PICTURES=<folder>` puts pictures of the pages. */
const picture = async ({ page }: OpenPage, name: string) => {
  const folder = process.env['PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/x-addr-${name}.png`, fullPage: true })
}

interface Shown {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** Opens a part of the page of the shop, or of its token, after two purchases. */
const opened = (
  of: 'shop' | 'token' | 'buyer',
  part: string,
  run: (
    open: OpenPage & Scene & { readonly address: string; readonly provider: JsonRpcProvider },
  ) => Promise<void>,
  shown: Shown = {},
) =>
  withShop(hardhat2(plain), async (scene) => {
    await scene.shop['buy']!(1)
    await scene.shop['buy']!(1)
    const address = of === 'buyer' ? scene.buyer : await scene[of].getAddress()
    const provider = scene.shop.runner!.provider as JsonRpcProvider
    await withPage(
      `${scene.url}/#/address/${address}${part}`,
      async (open) => {
        await run({ ...open, ...scene, address, provider })
        const size = `${shown.colorScheme ?? 'light'}-${shown.width ?? 1280}`
        await picture(open, `${of}${part.replace(/\?.*/, '').replace('/', '-')}-${size}`)
      },
      shown,
    )
  })

describeInBrowser('the page of an account without code', () => {
  test('draws the balance as a line, with the same as a list, and follows the chain', () =>
    opened('buyer', '', async ({ page, provider, buyer }) => {
      // As the machine calls its locale C.
      await page.addInitScript(
        "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })",
      )
      await page.reload()
      await page.locator('.chart canvas').waitFor()
      await page.getByText(/Changes as a list \(6\)/).click()
      expect(await page.locator('details li').count()).toBe(6)
      expect(await page.locator('.tabs a').allTextContents()).toEqual(['Overview', 'Transactions'])
      // Long labels have the room that they need.
      const room = async () => (await page.locator('.chart .u-over').boundingBox())?.x ?? Infinity
      const long = await room()
      await provider.send('hardhat_setBalance', [buyer, '0x10'])
      await provider.send('hardhat_mine', [])
      // An edit belongs to the state after the newest block.
      await page.locator('details li', { hasText: 'Block 5: 16 wei' }).waitFor()
      await page.locator('.fields', { hasText: '16 wei' }).waitFor()
      await until(async () => (await room()) < long)
    }))

  test('has pages of transactions, and empty ones in words', () =>
    withServer({ network: 'ethereum' }, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
      const [from] = (await provider.send('eth_accounts', [])) as readonly string[]
      const to = `0x${'77'.repeat(20)}`
      const sent: string[] = []
      for (let value = 1; value <= 60; value++)
        sent.push(
          await provider.send('eth_sendTransaction', [{ from, to, value: `0x${value.toString(16)}` }]),
        )
      await withPage(`${url}/#/address/${to}/transactions`, async ({ page }) => {
        const shown = (value: number) => page.locator(`a[href="#/tx/${sent[value - 1]}"]`).waitFor()
        await shown(60)
        expect(await page.locator('tbody tr').count()).toBe(25)
        await page.getByText('60 transactions, newest first.').waitFor()
        await page.getByRole('link', { name: 'Older' }).click()
        await shown(35)
        expect(page.url()).toContain('before=36.0')
        await page.getByRole('link', { name: 'Older' }).click()
        await shown(10)
        expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0)
        await page.getByRole('link', { name: 'Newer' }).click()
        await shown(35)
        await page.goto(`${url}/#/address/0x${'78'.repeat(20)}`)
        await page.getByText('No transaction of this account.').waitFor()
        await page.getByRole('link', { name: 'Search calls of contracts too' }).click()
        await page.getByText('No transaction has touched this account.').waitFor()
        await page.goto(`${url}/#/address/0x${'78'.repeat(20)}`)
        await page.getByText(/The balance is the same in all blocks/).waitFor()
      })
      provider.destroy()
    }))
})

describeInBrowser('the page of a known contract', () => {
  test('shows its source, and its instructions on demand', () =>
    opened('shop', '/code', async ({ page, provider, address }) => {
      await page.locator('.source .token-keyword', { hasText: 'contract' }).first().waitFor()
      await page.getByRole('link', { name: 'Instructions' }).click()
      await page.getByRole('cell', { name: 'PUSH1', exact: true }).first().waitFor()
      const code = (await provider.send('eth_getCode', [address, 'latest'])) as string
      const row = page.locator('tbody tr[aria-rowindex]').first()
      expect(await row.locator('td').allTextContents()).toEqual(['0', 'PUSH1', `0x${code.slice(4, 6)}`])
      await page.getByText('53 bytes after them').waitFor()
      expect(page.url()).toContain('show=instructions')
    }))

  test('shows its variables, and mappings at keys', () =>
    opened(
      'token',
      '/storage',
      async ({ page, shop }) => {
        await page.getByRole('cell', { name: '"Coin"' }).waitFor()
        await page.getByText('its keys are not stored').first().waitFor()
        const values = page.locator('tbody tr')
        // The accounts of the node are tried as keys.
        await values.filter({ hasText: 'balances[account 0]' }).getByText('800').waitFor()
        const key = (await shop.getAddress()).toLowerCase()
        expect(await values.filter({ hasText: 'balances[Shop]' }).count()).toBe(0)
        await page.getByLabel('Keys of mappings').fill(key)
        await page.getByRole('button', { name: 'Look up' }).click()
        await values.filter({ hasText: 'balances[Shop]' }).getByText('200').waitFor()
        expect(page.url()).toContain(`keys=${key}`)
        await page.getByLabel('Keys of mappings').fill('nothing')
        await page.getByRole('button', { name: 'Look up' }).click()
        await page.getByText('nothing: expected an address').waitFor()
        await page.goBack()
        await page.getByRole('link', { name: 'By slot' }).click()
        await page.getByRole('columnheader', { name: 'Word' }).waitFor()
        expect(await page.locator('tbody tr').count()).toBe(5)
        await page.goBack()
      },
      { width: 420, colorScheme: 'dark' },
    ))

  test('sends for an account of the node, or for one that is impersonated, with an amount', () =>
    opened('token', '/functions', async ({ page, provider, shop }) => {
      const shopAt = await shop.getAddress()
      const transfer = page
        .locator('form.function', { hasText: 'transfer' })
        .filter({ hasNotText: 'From' })
        .first()
      await page.getByRole('combobox', { name: 'From' }).selectOption('another address, without its key')
      await transfer.getByLabel('to address').fill(`0x${'99'.repeat(20)}`)
      await transfer.getByLabel('value uint256').fill('150')
      await transfer.getByRole('button', { name: 'Send' }).click()
      await transfer.getByText('expected the address that sends').waitFor()
      await provider.send('hardhat_setBalance', [shopAt, '0xde0b6b3a7640000'])
      await page.getByLabel('Address to impersonate').fill(shopAt)
      await transfer.getByRole('button', { name: 'Send' }).click()
      await transfer.locator('.hex').waitFor()
      const read = page.locator('form.function', { hasText: 'balances' })
      await read.getByLabel('address').fill(shopAt)
      await read.getByRole('button', { name: 'Read' }).click()
      await read.getByText('50', { exact: true }).waitFor()
      const newest = (await provider.getBlock('latest', true))!
      expect(newest.prefetchedTransactions[0]!.from).toBe(shopAt)
      // The shop may send no more than this one transaction.
      expect(await provider.send('hardhat_stopImpersonatingAccount', [shopAt])).toBe(false)
    }))

  test('filters events by name, values and blocks, in the URL', () =>
    opened(
      'token',
      '/events',
      async ({ page, shop, buyer, token }) => {
        const events = page.locator('.events li')
        await events.first().waitFor()
        expect(await events.count()).toBe(2)
        expect(await events.first().textContent()).toContain('Transfer')
        await token['transfer']!(`0x${'99'.repeat(20)}`, 7)
        await events.nth(2).waitFor()
        await page.getByRole('combobox', { name: 'Event' }).selectOption({ index: 1 })
        await page.getByLabel('to', { exact: true }).fill(await shop.getAddress())
        await page.getByRole('button', { name: 'Filter' }).click()
        await page.getByText('2 events, newest first').waitFor()
        expect(await events.first().textContent()).toContain('value: 100')
        await page.getByLabel('from', { exact: true }).first().fill('nobody')
        await page.getByRole('button', { name: 'Filter' }).click()
        await page.getByRole('alert').waitFor()
        await page.getByLabel('from', { exact: true }).first().fill(buyer)
        await page.getByLabel('From block').fill('5')
        await page.getByRole('button', { name: 'Filter' }).click()
        await page.getByText('One event in').waitFor()
        await page.getByRole('link', { name: 'Earlier blocks' }).click()
        await page.getByText('in blocks 0 to 4').waitFor()
        expect(await events.count()).toBe(1)
      },
      { width: 420, colorScheme: 'dark' },
    ))
})

describeInBrowser('the page of other contracts', () => {
  test('disassembles a contract that is not known, and lists its slots and events', () =>
    withServer({ network: 'ethereum', noArtifacts: true }, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
      const at = `0x${'55'.repeat(20)}`
      const [from] = (await provider.send('eth_accounts', [])) as readonly string[]
      // Emits one event without data and topics; after it is an undefined instruction.
      await provider.send('hardhat_setCode', [at, '0x5f600ca0000c61'])
      await provider.send('hardhat_setStorageAt', [at, '0x7', `0x${'00'.repeat(31)}2a`])
      await provider.send('eth_sendTransaction', [{ from, to: at }])
      await withPage(`${url}/#/address/${at}/code`, async (open) => {
        const { page } = open
        await page.getByText('The sources are not known').waitFor()
        const instructions = page.locator('tbody tr')
        await instructions.nth(5).waitFor()
        const rows = await instructions.allTextContents()
        expect(rows).toEqual(['0PUSH0', '1PUSH10x0c', '3LOG0', '4STOP', '5undefined 0x0c', '6PUSH20x'])
        await page.getByRole('link', { name: 'Storage' }).click()
        await page.getByText('The layout of the storage is not known').waitFor()
        await page.getByRole('cell', { name: '2a' }).waitFor()
        await page.getByRole('link', { name: 'Events' }).click()
        await page.getByText('One event in').waitFor()
        await picture(open, 'unknown-events')
      })
      provider.destroy()
    }))

  test('shows the contract behind a proxy: functions, sources, variables', () =>
    withLedger(async ({ deploy, at, user, url }) => {
      const ledger = await deploy('Ledger')
      const data = at(ledger).interface.encodeFunctionData('initialize', [user])
      const proxy = await deploy('ERC1967Proxy', ledger, data)
      await withPage(`${url}/#/address/${proxy}/code`, async (open) => {
        const { page } = open
        await page.locator('.facts').getByText('runs Ledger').waitFor()
        await page.getByText('contracts/Ledger.sol').waitFor()
        await page.getByRole('link', { name: 'Storage' }).click()
        await page.getByRole('columnheader', { name: 'Variable' }).waitFor()
        await page.getByRole('link', { name: 'Functions' }).click()
        await page.locator('.function').first().waitFor()
        await picture(open, 'proxy')
      })
    }))

  test('answers the functions of a native contract of network 33', () =>
    withServer({ noArtifacts: true }, async ({ url }) => {
      const bridge = '0x0000000000000000000000000000000001000006'
      await withPage(`${url}/#/address/${bridge}/functions`, async (open) => {
        const { page } = open
        await page.getByText('Precompile').waitFor()
        const answer = (name: string) =>
          page
            .locator('.function', { has: page.locator('b', { hasText: new RegExp(`^${name}$`) }) })
            .locator('.value')
        // By the hash of its signature, and by a selector of its own.
        for (const name of ['getFederationSize', 'getAuxBlockchainBestChainHeight'])
          expect(await answer(name).textContent()).toMatch(/^\d+$/)
        await page.getByRole('link', { name: 'Events' }).click()
        await page.getByText(/No events/).waitFor()
        expect(await page.getByRole('combobox', { name: 'Event' }).locator('option').count()).toBeGreaterThan(
          3,
        )
        await page.goto(`${url}/#/address/${bridge}/functions`)
        await answer('getFederationSize').waitFor()
        await picture(open, 'native')
      })
    }))
})
