/** The page of a transaction in a real browser: parts, sources and gas. */

import { describe, expect, test } from '@jest/globals'
import type { JsonRpcProvider } from 'ethers'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, exactly, until, withPage } from './support/browser.ts'
import { withLedger } from '../support/ledger.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'
import type { Scene } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

type Opened = Parameters<Parameters<typeof withPage>[1]>[0] &
  Scene & { readonly hash: string; readonly send: (method: string, ...params: unknown[]) => Promise<unknown> }

/** Opens a part of the page of a purchase that failed, or of one that did not. */
const opened = (
  part: string,
  run: (open: Opened) => Promise<void>,
  { count = 30, colorScheme = 'light', width = 1280 }: Shown = {},
) =>
  withShop(hardhat2(plain), async (scene) => {
    const { hash } = await failed(scene.shop, 'buy', count)
    const provider = scene.shop.runner!.provider as JsonRpcProvider
    const send = (method: string, ...params: unknown[]) => provider.send(method, params) as Promise<unknown>
    await withPage(
      `${scene.url}/#/tx/${hash}${part}`,
      async ({ page, faults }) => {
        await run({ page, faults, ...scene, hash, send })
        const folder = process.env['PICTURES']
        if (folder !== undefined) {
          const name = `${part.replaceAll('/', '-') || 'overview'}-${colorScheme}-${width}`
          await page.screenshot({ path: `${folder}/x-tx${name}.png`, fullPage: true })
        }
      },
      { colorScheme, width },
    )
  })

interface Shown {
  readonly count?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

describeInBrowser('the page of a transaction', () => {
  test('shows the failing line in its source, with colours, and the lines of the callers on demand', () =>
    opened('', async ({ page }) => {
      const line = page.locator('.stack .source .line.at')
      await line.waitFor()
      expect(await line.getAttribute('data-line')).toBe(String(lineOf('revert TooPoor')))
      await page.locator('.source .token-keyword', { hasText: 'revert' }).first().waitFor()
      expect((await line.boundingBox())!.height).toBeLessThan(30)
      await page.locator('.stack summary', { hasText: '_move(from, to, value);' }).click()
      await page.locator(`.stack .line.at[data-line="${lineOf('_move(from, to, value);')}"]`).waitFor()
    }))

  test('has parts with their own URLs, reached by keys', () =>
    opened(
      '/changes',
      async ({ page, url, hash }) => {
        await page.getByRole('cell', { name: 'sold' }).waitFor()
        await page.getByRole('link', { name: 'Calls', exact: true }).focus()
        await page.keyboard.press('Enter')
        await page.locator('.call .fold').first().waitFor()
        expect(page.url()).toBe(`${url}/#/tx/${hash}/calls`)
        await page.locator('.tabs [aria-current=page]', { hasText: /^Calls$/ }).waitFor()
        await page.locator('.call-line').nth(1).waitFor()
        await page.locator('.call .fold').first().click()
        await exactly(1, page.locator('.call-line'))
        await page.getByRole('link', { name: 'Raw' }).click()
        await page.getByText('"cumulativeGasUsed"').waitFor()
      },
      { count: 2 },
    ))

  test('shows the error of an explanation that the node cannot give', () =>
    opened('/calls', async ({ page }) => {
      await page.route('**/*', async (route) => {
        const batch = route.request().postData() ?? ''
        if (!batch.includes('dev_explainTransaction')) return route.continue()
        const { id } = (JSON.parse(batch) as { readonly id: string; readonly method: string }[]).find(
          ({ method }) => method === 'dev_explainTransaction',
        )!
        const answers = (await (await route.fetch()).json()) as { readonly id: string }[]
        const error = { code: -32000, message: 'the state is not kept' }
        return route.fulfill({ json: answers.map((one) => (one.id === id ? { id, error } : one)) })
      })
      await page.reload()
      const alert = page.getByRole('alert')
      await alert.waitFor()
      expect(await alert.textContent()).toBe('The node cannot explain the transaction: the state is not kept')
      expect(await page.getByText('before it is in a block').count()).toBe(0)
    }))

  test('names a proxy as all pages do, shortens data in its sentence, and knows code that belongs to no line', () =>
    withLedger(async ({ deploy, at, user, url, send }) => {
      const ledger = await deploy('Ledger')
      const data = (name: string, value: unknown) => at(ledger).interface.encodeFunctionData(name, [value])
      const proxy = await deploy('ERC1967Proxy', ledger, data('initialize', user))
      const { hash } = await at(proxy)['upgradeToAndCall']!(ledger, data('enter', 5))
      await send('eth_call', [{ to: proxy, data: data('enter', 101) }, 'latest']).catch(() => undefined)
      await send('eth_call', [{ to: proxy, data: '0x12345678' }, 'latest']).catch(() => undefined)
      await withPage(`${url}/#/tx/${hash}`, async ({ page }) => {
        const sentence =
          /^account 0 called Ledger \(proxy\)\.upgradeToAndCall\(Ledger, 0x[0-9a-f]{6}…000005\)$/
        await page.getByRole('heading', { name: sentence }).waitFor()
        const line = page.locator('.call-line').first()
        await line.filter({ hasText: /^Ledger \(proxy\)\.upgradeToAndCall/ }).waitFor()
        await page.goto(`${url}/#/failures`)
        await page.getByText('Ledger (proxy).enter(amount: 101)').waitFor()
        await page.goto(`${url}/#/failure/2/debug`)
        await page.getByText('Code of the contract that belongs to no line').waitFor()
      })
    }))

  test('draws the gas as a flame graph that enlarges what is clicked', () =>
    opened(
      '/gas',
      async ({ page }) => {
        const frame = page.locator('.flame .frame', { hasText: 'Token.transferFrom' }).first()
        await frame.waitFor()
        const before = (await frame.boundingBox())!.width
        const rows = page.getByRole('table').getByRole('row')
        expect(await rows.nth(1).textContent()).toContain('contracts/Shop.sol:')
        const focused = page.locator('.flame .frame:focus')
        const nameOf = () => focused.getAttribute('name')
        await page.getByRole('button', { name: 'Show all' }).focus()
        await page.keyboard.press('Tab')
        expect(await nameOf()).toBe('transaction')
        await page.keyboard.press('ArrowDown')
        const widest = await nameOf()
        expect(widest).not.toBe('transaction')
        expect(await focused.getAttribute('aria-label')).toMatch(/: [\d\s]+ gas, [\d.]+ % of all$/)
        await page.keyboard.press('ArrowRight')
        expect(await nameOf()).not.toBe(widest)
        await page.keyboard.press('ArrowLeft')
        expect(await nameOf()).toBe(widest)
        await page.keyboard.press('Enter')
        await page.locator('.flame .fade').first().waitFor()
        await page.keyboard.press('ArrowUp')
        expect(await nameOf()).toBe('transaction')
        await page.keyboard.press('Enter')
        await page.locator('.flame .fade').first().waitFor({ state: 'detached' })
        await frame.click()
        await page.locator('.flame .fade').first().waitFor()
        await until(async () => (await frame.boundingBox())!.width > before * 1.1)
      },
      { count: 2 },
    ))
})
