/** Long lists in a real browser: only the visible rows are in the document, and all can be reached. */

import { describe, expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { seriousFaults } from './support/axe.ts'
import { browserPath, until, withPage } from './support/browser.ts'
import { answerOf, rpc, withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

const AT = `0x${'56'.repeat(20)}`

/** A loop of 10,000 rounds around LOG0. */
const LOGS = '0x6127105b5f5fa060019003806003570000'

/** Rows of which the first and the last are known. */
interface Rows {
  readonly list: Locator
  readonly first: Locator
  readonly last: Locator
  /** All rows that are in the document. */
  readonly rows: Locator
}

/** Goes to the end and back, by keyboard and by scrolling. */
async function checkRows(page: Page, { list, first, last, rows }: Rows): Promise<void> {
  await first.waitFor()
  expect(await last.count()).toBe(0)
  const height = () => list.evaluate(({ scrollHeight }: Scrolled) => scrollHeight)
  const before = await height()
  await list.focus()
  await page.keyboard.press('End')
  await last.waitFor()
  // Rows are measured as they appear, which moves them.
  await until(() => last.evaluate(isVisible))
  expect(await rows.count()).toBeLessThan(200)
  // The height of the rows that were not measured is estimated.
  expect((await height()) / before).toBeGreaterThan(0.5)
  expect(await first.count()).toBe(0)
  await page.keyboard.press('Home')
  await first.waitFor()
  await list.evaluate(toTheMiddle)
  await first.waitFor({ state: 'detached' })
  expect(await rows.count()).toBeLessThan(200)
  expect(await seriousFaults(page)).toEqual([])
}

/** The members of elements that run in the browser. */
interface Scrolled {
  scrollTop: number
  readonly scrollHeight: number
  readonly getBoundingClientRect: () => { readonly top: number; readonly bottom: number }
}

function toTheMiddle(list: Scrolled): void {
  list.scrollTop = list.scrollHeight / 2
}

/** Whether a row is inside of what scrolls it. */
function isVisible(row: Scrolled & { readonly closest: (selector: string) => Scrolled }): boolean {
  const [inner, outer] = [row.getBoundingClientRect(), row.closest('.window').getBoundingClientRect()]
  return inner.bottom <= outer.bottom + 1 && inner.top >= outer.top
}

describeInBrowser('only the visible rows are in the document', () => {
  test('of ten thousand events, whose links the Tab key reaches', () =>
    withServer({ network: 'ethereum', noArtifacts: true }, async ({ url }) => {
      const {
        result: [from],
      } = await answerOf(url, 'eth_accounts', [])
      await answerOf(url, 'hardhat_setCode', [AT, LOGS])
      await answerOf(url, 'eth_sendTransaction', [{ from, to: AT, gas: '0xa00000' }])
      await withPage(`${url}/#/address/${AT}/events`, async ({ page }) => {
        const list = page.getByRole('region', { name: 'Events, 10000' })
        const row = (number: number) => list.locator(`li[aria-posinset="${number}"][aria-setsize="10000"]`)
        await checkRows(page, { list, first: row(1), last: row(10_000), rows: page.locator('li') })
        await list.focus()
        await page.keyboard.press('Home')
        await row(1).waitFor()
        for (let at = 1; at <= 40; at++) {
          // Rows come into the document as the list scrolls. Each has four stops.
          await row(at + 5).waitFor()
          for (let stop = 0; stop < 4; stop++) await page.keyboard.press('Tab')
        }
        const focused = 'Number(document.activeElement.closest("li")?.dataset.index)'
        expect(await page.evaluate<number>(focused)).toBeGreaterThan(30)
        // A link has the focus: keys move the list.
        await page.keyboard.press('End')
        await row(10_000).waitFor()
        // Its row has left the document: keys still move the list.
        await page.locator('.window:focus').waitFor()
        await page.keyboard.press('Home')
        await row(1).waitFor()
      })
    }))

  test('of a block with a thousand transactions, which have their receipts', () =>
    withServer({ network: 'ethereum', noArtifacts: true }, async ({ url }) => {
      const {
        result: [from],
      } = await answerOf(url, 'eth_accounts', [])
      await answerOf(url, 'evm_setAutomine', [false])
      const sent = rpc('eth_sendTransaction', [{ from, to: AT, value: '0x1', gas: '0x5208' }])
      const body = `[${Array.from({ length: 1000 }, () => sent).join(',')}]`
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      await withPage(`${url}/#/controls`, async ({ page }) => {
        const pool = page.getByRole('region', { name: 'Waiting transactions, 1000' })
        await pool.getByText('blocks are mined only when asked for').first().waitFor()
        expect(await pool.locator('tbody tr').count()).toBeLessThan(200)
      })
      await answerOf(url, 'evm_mine', [])
      await withPage(`${url}/#/block/1`, async ({ page }) => {
        // The requests of this first load are not counted.
        await page.getByRole('region', { name: 'Transactions, 1000' }).waitFor()
        const asked: string[] = []
        page.on('request', (request) => asked.push(request.postData() ?? ''))
        await page.reload()
        const list = page.getByRole('region', { name: 'Transactions, 1000' })
        const row = (number: number) => list.locator(`tr[aria-rowindex="${number + 1}"]`)
        await checkRows(page, { list, first: row(1), last: row(1000), rows: page.locator('tr') })
        await list.focus()
        await page.keyboard.press('Home')
        await row(3).getByText('Receipt, 0 events').click()
        await row(3).getByText('"transactionIndex": "0x2"').waitFor()
        await answerOf(url, 'evm_mine', [])
        await page.getByRole('link', { name: '2 →' }).waitFor()
        expect(asked.filter((body) => body.includes('eth_getBlockReceipts'))).toHaveLength(1)
      })
    }))
})
