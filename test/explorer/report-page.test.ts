/** The page of a file of failures in a real browser, from the disk: without a node, a server or the network. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { readReport } from '../../lib/cli/asked-report.ts'
import { encodeForPage } from '../../lib/modules/report/report-file.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, withPage } from './support/browser.ts'
import { answerOf } from '../support/server.ts'
import { lineOf, plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

/** Runs on the page of a test that failed by a purchase. */
async function withReport(run: (url: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'report-page-'))
  const [file, page] = [join(folder, 'failures.dnr'), join(folder, 'index.html')]
  try {
    await withShop(
      hardhat2(plain),
      async ({ url, shop }) => {
        const startedAt = Date.now()
        await (await shop['buy']!(2)).wait()
        const error = await shop['buy']!.staticCall(30).catch((reason: unknown) => reason)
        const described = {
          title: '<b>sells</b>',
          file: 'test/shop.js',
          line: 7,
          error: 'reverted',
          startedAt,
        }
        await answerOf(url, 'dev_testFailed', [{ ...described, marks: [error.data] }])
      },
      { report: file },
    )
    const html = await readFile('dist/report.html', 'utf8')
    const failures = Buffer.from(encodeForPage(await readReport(file)))
    await writeFile(page, html.replace('REPORT', failures.toString('base64')))
    await run(pathToFileURL(page).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describeInBrowser('the page of a file of failures', () => {
  test('lists tests, explains their executions and debugs them backwards', () =>
    withReport((url) =>
      withPage(url, async ({ page }) => {
        const line = page.locator('.requests > li').first()
        await line.getByText('<b>sells</b>').waitFor()
        expect(await line.textContent()).toContain('test/shop.js:7')
        await line.getByText('TooPoor(account 0, ').click()
        await page.getByText('it failed by this one').waitFor()
        await page.getByRole('link', { name: 'Debug' }).click()
        await page.getByText('Fails here: ').waitFor()
        await page.getByText('mapping (1 known key)').first().waitFor()
        await page.getByRole('button', { name: '← Back' }).click()
        await page.getByText('Fails here: ').waitFor({ state: 'detached' })
        expect(await page.locator('.debugger, main').first().textContent()).toContain(
          `Shop.sol:${lineOf('if (balances[from] < value)')}`,
        )
        await page.getByRole('link', { name: 'Instructions' }).click()
        await page.getByText('PUSH1').first().waitFor()
      }),
    ))
})
