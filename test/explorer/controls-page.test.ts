/** The page of controls in a real browser. */

import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { browserPath, newestBlock, withPage } from './support/browser.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { plain, withShop } from '../support/shop.ts'
import { answerOf, withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

const GWEI_100 = '0x174876e800'

const settled = async (url: string, method: string, params: readonly unknown[] = []) =>
  (await answerOf(url, method, params)).result

describeInBrowser('the page of controls', () => {
  test('takes named snapshots, shows them as a tree, reverts and drops', () =>
    withServer({}, async ({ url }) => {
      await withPage(`${url}/#/controls`, async ({ page }) => {
        const take = async (name: string) => {
          await page.getByLabel('Snapshot name').fill(name)
          await page.getByRole('button', { name: 'Take a snapshot' }).click()
          await page.getByRole('button', { name: `Revert to ${name}` }).waitFor()
        }
        await take('root')
        await take('left')
        const root = page.locator('.tree > li')
        await root.locator('.snapshot').first().getByLabel('keep later ones').check()
        await page.getByRole('button', { name: 'Revert to root' }).click()
        await page.getByText('Drops 1 later snapshot unless kept, and what else has changed since.').waitFor()
        await page.getByRole('button', { name: 'Yes, revert' }).click()
        await page.getByText('Reverted to block 0.').waitFor()
        await take('right')
        expect(await root.locator(':scope > ul > li').count()).toBe(2)
        const all = await settled(url, 'dev_snapshots')
        expect(all.map((one: any) => [one.name, one.parent])).toEqual([
          ['root', null],
          ['left', '0x1'],
          ['right', '0x1'],
        ])
        await take('<b>')
        await page.getByRole('button', { name: 'Drop left' }).click()
        await page.getByRole('button', { name: 'Yes, drop' }).click()
        await page.getByRole('button', { name: 'Drop left' }).waitFor({ state: 'detached' })
        expect(await settled(url, 'dev_snapshots')).toHaveLength(3)
      })
    }))

  test('opens a world from a snapshot behind an API key, and deletes it', () =>
    withServer({ apiKeys: ['key'] }, async ({ url }) => {
      const chain = `${url}/key`
      await withPage(`${chain}#/controls`, async ({ page }) => {
        await page.getByLabel('Snapshot name').fill('early')
        await page.getByRole('button', { name: 'Take a snapshot' }).click()
        await page.getByLabel('New blocks').fill('3')
        await page.getByRole('button', { name: 'Mine', exact: true }).click()
        await newestBlock(page, 3)
        await page.getByLabel('World name').fill('past')
        await page.getByLabel(/^From/).selectOption({ label: 'snapshot early' })
        await page.getByRole('button', { name: 'Open a world' }).click()
        await page.getByRole('link', { name: 'past' }).click()
        await page.getByText('world past').waitFor()
        await newestBlock(page, 0)
        expect(new URL(page.url()).pathname).toBe('/key/w/past')
        await page.getByRole('link', { name: 'Controls' }).click()
        await page.getByRole('link', { name: 'Go to the default chain' }).click()
        await page.getByRole('button', { name: 'Delete world past' }).click()
        await page.getByText('Its 0 blocks and its snapshots are lost.').waitFor()
        await page.getByRole('button', { name: 'Yes, delete' }).click()
        await page.getByText('No worlds but this chain.').waitFor()
        expect(await settled(chain, 'dev_worlds')).toEqual([])
      })
      const response = await fetch(url, { headers: { accept: 'text/html' } })
      expect(response.status).toBe(401)
    }))

  test('says why transactions wait, drops one and mines the others', () =>
    withServer({ network: 'ethereum', noMining: true }, async ({ url, accounts }) => {
      const from = accounts[0]!.address
      const send = (more: object) => answerOf(url, 'eth_sendTransaction', [{ from, to: from, ...more }])
      await send({ nonce: '0x0', gasPrice: GWEI_100 })
      await send({ nonce: '0x2', gasPrice: GWEI_100 })
      await send({ from: accounts[1]!.address, gasPrice: '0x77359400' })
      await settled(url, 'hardhat_setNextBlockBaseFeePerGas', ['0x2540be400'])
      await withPage(`${url}/#/controls`, async ({ page }) => {
        const row = (text: string) => page.locator('tr', { hasText: text })
        await row('blocks are mined only when asked for').waitFor()
        await row('no transaction of its sender has nonce 1').waitFor()
        await row('it pays 2 gwei per gas, the base fee is 10 gwei').waitFor()
        await row('nonce 1').getByRole('button', { name: 'Drop transaction' }).click()
        await row('nonce 1').getByRole('button', { name: 'Yes, drop' }).click()
        await row('nonce 1').waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Mine', exact: true }).click()
        await row('blocks are mined only').waitFor({ state: 'detached' })
        expect(await settled(url, 'eth_getTransactionCount', [from, 'latest'])).toBe('0x1')
      })
    }))

  test.each([
    ['ethereum', 'Set the base fee', 'Base fee', 'baseFeePerGas', 'Set the price'],
    ['network-33', 'Set the price', 'Minimum price', 'minimumGasPrice', 'Set the base fee'],
  ])('sets the price of gas of %s', (network, action, label, member, absent) =>
    withServer({ network }, async ({ url }) => {
      await withPage(`${url}/#/controls`, async ({ page }) => {
        await page.getByLabel(label).fill('7')
        await page.getByRole('button', { name: action }).click()
        await page.getByLabel(label).and(page.locator('[value="7"]')).waitFor()
        expect(await page.getByRole('button', { name: absent }).count()).toBe(0)
      })
      const block = await settled(url, 'eth_getBlockByNumber', ['pending', false])
      expect(BigInt(block[member])).toBe(7_000_000_000n)
    }),
  )

  test('sets time, automine and interval', () =>
    withServer({}, async ({ url }) => {
      await withPage(`${url}/#/controls`, async ({ page }) => {
        await page.getByLabel('Next block at (UTC)').fill('2031-02-03T04:05:06')
        await page.getByRole('button', { name: 'Set the time' }).click()
        await page.getByText('The next block has this time (UTC).').waitFor()
        await page.getByRole('button', { name: 'Mine', exact: true }).click()
        await newestBlock(page, 1)
        const { timestamp } = await settled(url, 'eth_getBlockByNumber', ['latest', false])
        expect(Number(timestamp)).toBe(Date.UTC(2031, 1, 3, 4, 5, 6) / 1000)
        await page.getByRole('button', { name: 'Stop automine' }).click()
        await page.getByRole('button', { name: 'Start automine' }).waitFor()
        await page.getByLabel('Block every (0: never)').fill('3000')
        await page.getByRole('button', { name: 'Set the interval' }).click()
        await page.getByLabel('Block every (0: never)').and(page.locator('[value="3000"]')).waitFor()
      })
      expect(await settled(url, 'hardhat_getAutomine')).toBe(false)
      expect(await settled(url, 'anvil_getIntervalMining')).toBe(3000)
    }))

  test('saves the chain to a file and loads it', () =>
    withServer({}, async ({ url }) => {
      await withPage(`${url}/#/controls`, async ({ page }) => {
        await newestBlock(page, 0)
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Save to a file' }).click(),
        ])
        const path = join(await mkdtemp(join(tmpdir(), 'chain-')), 'chain.state')
        await download.saveAs(path)
        expect((await readFile(path)).length).toBeGreaterThan(100)
        await page.getByLabel('New blocks').fill('5')
        await page.getByRole('button', { name: 'Mine', exact: true }).click()
        await newestBlock(page, 5)
        const load = page.getByRole('button', { name: 'Load the chain from the file' })
        await load.click()
        await page.getByText('choose a file first').waitFor()
        await page.getByLabel('State file').setInputFiles(path)
        await load.click()
        await page.getByText('The file replaces the chain of this page.').waitFor()
        await page.getByRole('button', { name: 'Yes, load' }).click()
        await page.getByText('The chain is that of the file.').waitFor()
        await newestBlock(page, 0)
      })
    }))

  test('starts, shows and resets coverage', () =>
    withShop(hardhat2(plain), async ({ url, shop }) => {
      await withPage(`${url}/#/controls`, async ({ page }) => {
        await page.getByRole('button', { name: 'Start coverage' }).click()
        const row = page.locator('tr', { hasText: 'contracts/Shop.sol' })
        await row
          .getByText(/^0 of /)
          .first()
          .waitFor()
        await shop['buy']!(1)
        await row
          .getByText(/^[1-9][0-9]* of /)
          .first()
          .waitFor()
        await page.getByRole('button', { name: 'Reset coverage' }).click()
        await page.getByRole('button', { name: 'Yes, reset coverage' }).click()
        await row
          .getByText(/^0 of /)
          .nth(3)
          .waitFor()
      })
    }))
})
