/** The pages of the chain and of blocks, and the search, in a real browser. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, until, withPage } from './support/browser.ts'
import { withServer } from '../support/server.ts'
import { failed, plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the explorer', () => {
  test('draws the newest blocks, with what reverted', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      await failed(shop, 'buy', 30)
      await withPage(url, async ({ page }) => {
        const bar = page.getByRole('link', { name: 'Block 4: 1 transactions, 1 reverted' })
        await bar.waitFor()
        expect(await bar.locator('.reverted').getAttribute('height')).not.toBe('0')
        expect(await page.locator('.strip li').count()).toBe(5)
        await page
          .getByRole('row', {
            name: /^account 0 → Shop.buy\(30\).*reverted.*TooPoor\(account 0, 1000, 3000\) 4 /,
          })
          .waitFor()
        await bar.click()
        await page.getByRole('heading', { name: 'Block 4' }).waitFor()
        await page.getByText('reverted', { exact: true }).waitFor()
        await page.getByText('RLP').click()
        await page.getByText(/^0xf9/).waitFor()
      })
    })
  })

  test('finds functions, events, accounts, transactions and blocks while a text is typed', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      await withPage(url, async ({ page }) => {
        const search = page.getByRole('combobox', { name: 'Search' })
        const options = page.getByRole('option')
        await page.getByRole('heading', { name: 'Transactions' }).waitFor()
        await page.keyboard.press('/')
        await page.keyboard.type('buy')
        await options.filter({ hasText: 'Shop.tryBuy' }).waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(`${url}/#/address/${(await shop.getAddress()).toLowerCase()}/functions`)
        for (const [text, found] of [
          ['transf', 'event Token.Transfer'],
          ['0xa9059c', 'function Token.transfer '],
          ['account 3', 'account account 3'],
          ['2', 'block Block 2'],
        ] as const) {
          await page.keyboard.press('Control+k')
          await search.fill(text)
          await options.filter({ hasText: found }).waitFor()
        }
        await search.press('Enter')
        await page.getByRole('heading', { name: 'Block 2' }).waitFor()
        expect(await page.title()).toBe('Block 2 · dev-node')
        const { hash } = await shop
          .runner!.provider!.getBlock(3)
          .then((block) => ({ hash: block!.transactions[0]! }))
        await search.fill(hash.slice(0, 12))
        await options.filter({ hasText: 'Token.approve(Shop, 5000)' }).waitFor()
        await search.press('Enter')
        await page.waitForURL(`${url}/#/tx/${hash}`)
        await search.fill('buy')
        await search.press('Enter')
        await page.getByRole('link', { name: 'function Shop.tryBuy' }).waitFor()
        // As the page and other programs write it.
        const address = (await shop.getAddress()).toLowerCase()
        for (const [text, found] of [
          ['Shop.trybuy(uint256', 'function Shop.tryBuy'],
          ['Token.transfer(', 'function Token.transferFrom'],
          [address.slice(2), 'account 0x'],
          [address.toUpperCase(), 'account 0x'],
          [hash.slice(2), 'transaction 0x'],
        ] as const) {
          await search.fill(text)
          await options.filter({ hasText: found }).waitFor()
        }
        await search.press('Enter')
        await page.waitForURL(`${url}/#/tx/${hash}`)
        await search.fill('Token.buy')
        await search.press('Enter')
        await page.getByText('Nothing has this name').waitFor()
        await search.fill('   ')
        await search.press('Enter')
        await search.fill('50% <b>')
        await search.press('Enter')
        await page.getByText('Nothing has this name').waitFor()
        await page.getByRole('heading', { name: '50% <b>' }).waitFor()
      })
    })
  })

  test('lists what it found above everything else on a page, and then gives the keys back', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = await failed(shop, 'buy', 30)
      await withPage(`${url}/#/tx/${hash}/debug`, async ({ page }) => {
        await page.getByText('Fails here').waitFor()
        await page.getByRole('combobox', { name: 'Search' }).fill('a')
        const options = page.getByRole('option')
        await options.nth(7).waitFor()
        // A trial fails as long as something covers the option.
        for (const option of await options.all()) await option.click({ trial: true })
        await page.getByRole('combobox', { name: 'Search' }).fill(hash)
        await options.filter({ hasText: 'transaction' }).waitFor()
        await page.keyboard.press('Enter')
        await page.waitForURL(`${url}/#/tx/${hash}`)
        await page.keyboard.press('/')
        await page.locator('input[type=search]:focus').waitFor()
        expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('')
      })
    })
  })

  test('sets the contracts apart that the chain began with, and asks for no artifacts for them', () =>
    withServer({ network: 'ethereum' }, ({ url }) =>
      withPage(`${url}/#/contracts`, async ({ page }) => {
        await page.getByText('Nothing has been deployed yet.').waitFor()
        expect(await page.getByRole('link', { name: 'Multicall3' }).count()).toBe(0)
        await page.getByText(/^Contracts that the chain began with \(\d+\)$/).click()
        await page.getByRole('link', { name: 'Multicall3' }).waitFor()
        expect(await page.getByText('The node knows the source of none of them').count()).toBe(0)
      }),
    ))

  test('shows the keys on a question mark, outside of fields', () =>
    withServer({}, ({ url }) =>
      withPage(url, async ({ page }) => {
        const keys = page.getByRole('dialog', { name: 'Keys' })
        await page.keyboard.press('/')
        await page.keyboard.press('?')
        await until(async () => (await page.getByRole('combobox', { name: 'Search' }).inputValue()) === '?')
        expect(await keys.count()).toBe(0)
        await page.keyboard.press('Escape')
        await page.locator('h1').click()
        await page.keyboard.press('?')
        await keys.getByText('run to the next revert, write, call, event').waitFor()
        await page.keyboard.press('Escape')
        await keys.waitFor({ state: 'hidden' })
        await page.getByRole('button', { name: 'Keys' }).click()
        await keys.getByRole('button', { name: 'Close' }).click()
        await keys.waitFor({ state: 'hidden' })
      }),
    ))

  test('forgets blocks that were reverted', async () => {
    await withServer({ network: 'ethereum' }, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
      const snapshot = (await provider.send('evm_snapshot', [])) as string
      await provider.send('hardhat_mine', ['0x3'])
      await withPage(url, async ({ page }) => {
        const bars = page.locator('.strip li')
        await page.getByRole('link', { name: 'Block 3: 0 transactions' }).waitFor()
        await provider.send('evm_revert', [snapshot])
        await page.getByRole('link', { name: 'Block 3: 0 transactions' }).waitFor({ state: 'detached' })
        expect(await bars.count()).toBe(1)
      })
      provider.destroy()
    })
  })

  test('explains merged mining on network 33', async () => {
    await withServer({}, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
      await provider.send('evm_mine', [])
      await withPage(`${url}/#/block/1`, async ({ page }) => {
        await page.getByRole('heading', { name: 'Merged mining' }).waitFor()
        await page.getByText('Minimum gas price').waitFor()
        await page.goto(`${url}/#/block/77`)
        await page.getByText('The chain has no block 77.').waitFor()
      })
      provider.destroy()
    })
  })
})
