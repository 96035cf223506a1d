/** The states of the node that the explorer tells: an empty chain, a node that ends and starts again, a deleted world. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { chromium } from 'playwright-core'
import type { Request, Route } from 'playwright-core'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { browserPath, newestBlock, until, withPage } from './support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { sharedBrowser } from '../support/packed-command.ts'
import { answerOf, withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the explorer says', () => {
  test('what to try on an empty chain, and the first command works', async () => {
    await withServer({}, async ({ url }) => {
      await withPage(url, async ({ page }) => {
        const command = page.getByRole('listitem').filter({ hasText: 'Send a coin' }).locator('pre')
        await command.filter({ hasText: '"value"' }).filter({ hasNotText: '0x…' }).waitFor()
        await promisify(execFile)('sh', ['-c', (await command.textContent())!])
        await page.getByRole('row', { name: 'account 0 → 1 coin to account 1' }).waitFor()
        expect(await command.count()).toBe(0)
        const accounts = page.locator('section', { hasText: 'Accounts' }).getByRole('row')
        await accounts.filter({ hasText: /^account 1.*[\d.]+ coins$/ }).waitFor()
        await page.getByText('No execution has failed.').waitFor()
      })
    })
  })

  test('which worlds have blocks, on an empty chain beside them', async () => {
    await withServer({}, async ({ url }) => {
      await answerOf(`${url}/w/one`, 'evm_mine', [])
      await withPage(url, async ({ page }) => {
        await page
          .getByRole('listitem')
          .filter({ hasText: 'block 1' })
          .getByRole('link', { name: 'one' })
          .click()
        await newestBlock(page, 1)
      })
    })
  })

  test('that a world was deleted, and does not make it again', async () => {
    await withServer({}, async ({ url }) => {
      await withPage('about:blank', async ({ page }) => {
        await page.clock.install()
        const sent: Request[] = []
        page.on('request', (request) => sent.push(request))
        await page.goto(`${url}/w/one`)
        await newestBlock(page, 0)
        await page.getByText('No transactions in the newest blocks.').waitFor()
        // A request that is under way would make the world again: from here on, none reaches the node.
        const held: Request[] = []
        const hold = (route: Route): unknown => held.push(route.request())
        await page.route('**/*', hold)
        await Promise.all(sent.filter((one) => !held.includes(one)).map((one) => one.response()))
        await answerOf(url, 'dev_deleteWorld', ['one'])
        await page.getByText('World one was deleted.').waitFor()
        const before = held.length
        // Several times as long as the page waits between two looks at the head.
        await page.clock.runFor(10_000)
        // Requests come in their order: after this one, all that the page has sent are known.
        void page.evaluate('fetch("/", { headers: { accept: "text/html" } })').catch(() => undefined)
        await until(async () => held.at(-1)?.url() === `${url}/`)
        expect(held.slice(before, -1).map((one) => one.postData())).toEqual([])
        expect((await answerOf(url, 'dev_worlds', [])).result).toEqual([])
        await page.unroute('**/*', hold)
        await page.getByRole('button', { name: 'Make the world again' }).click()
        await newestBlock(page, 0)
        expect((await answerOf(url, 'dev_worlds', [])).result).toHaveLength(1)
      })
    })
  })

  test('that the node is gone, and that another chain is there when it is back', async () => {
    const start = async (port: number) =>
      startWithOptions(resolveOptions({ values: { port, network: 'ethereum' } }))
    const first = await start(Number(await freePort()))
    // Requests that find no node are errors in the console of the browser.
    const browser = await chromium.connect(await sharedBrowser(browserPath!))
    const page = await browser.newPage()
    await page.goto(first.url)
    await answerOf(first.url, 'evm_mine', [])
    await newestBlock(page, 1)
    await first.close()
    await page.getByText('The node does not answer.').waitFor()
    const second = await start(first.port)
    await page.getByText('this is another chain than before').waitFor()
    await newestBlock(page, 0)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('another chain').waitFor({ state: 'detached' })
    await browser.close()
    await second.close()
  })

  test('that the node is gone, when the script of a page is missing, and shows the page when it is back', async () => {
    const start = async (port: number) =>
      startWithOptions(resolveOptions({ values: { port, network: 'ethereum' } }))
    const first = await start(Number(await freePort()))
    const browser = await chromium.connect(await sharedBrowser(browserPath!))
    const page = await browser.newPage()
    let closing: Promise<void> | undefined
    await page.route('**/explorer/pages-*', async (route) => {
      closing ??= newestBlock(page, 0).then(() => first.close())
      await closing
      await route.continue()
    })
    await page.goto(`${first.url}/#/accounts`)
    await page.getByText('The node did not send this page').waitFor()
    await page.getByText('The node does not answer.').waitFor()
    const second = await start(first.port)
    await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
    await browser.close()
    await second.close()
  })
})
