/** The site of the documents: its links, and what a browser shows of it in light and dark, on wide and narrow windows. */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path/posix'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { RULES_OF_LOOKS, violationsOf } from '../explorer/support/axe.ts'
import { browserPath, withPage } from '../explorer/support/browser.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

const SITE = 'site/dist'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Pages with a picture, wide tables, long code and pictures of both colours. */
const PAGES = ['index.html', 'docs/features.html', 'docs/hardhat.html', 'docs/explorer.html']

const server = createServer(({ url = '' }, response) => {
  const file = join(SITE, new URL(url, 'http://localhost').pathname)
  if (!existsSync(file)) return void response.writeHead(404).end()
  response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain')
  return void response.end(readFileSync(file))
})

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'docs:site'])
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await promisify(server.close.bind(server))()
})

const addressOf = (page: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${page}`

const htmlFiles = (): readonly string[] =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))

const textOf = (file: string): string => readFileSync(join(SITE, file), 'utf8')

/** What a page loads and links to, from the folder of the site. */
const linksOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/ (?:href|src|srcset)="(?!https?:|data:)([^"#]*)(#[^"]*)?"/g)].map(
    ([, path = '', anchor = '']) => (path === '' ? file : join(dirname(file), path)) + anchor,
  )

test('every link of every page leads to a file of the site, and to an anchor in it', () => {
  const files = htmlFiles()
  expect(files.length).toBeGreaterThan(45)
  const anchors = files.flatMap((file) =>
    [...textOf(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${file}#${id}`),
  )
  const places = new Set([...files, ...anchors])
  const links = new Set(files.flatMap(linksOf))
  expect(links.size).toBeGreaterThan(150)
  const dead = [...links].filter(
    (link) => !places.has(link) && (link.includes('#') || !existsSync(join(SITE, link))),
  )
  expect(dead).toEqual([])
})

test('llms.txt leads to the Markdown of each page', () => {
  const documents = [...textOf('llms.txt').matchAll(/\]\((.+?)\)/g)].map(([, path = '']) => path)
  expect(documents.filter((path) => !existsSync(join(SITE, path)))).toEqual([])
  expect(documents).toHaveLength(htmlFiles().length)
})

test('has no internal document', () => {
  expect(existsSync(join(SITE, 'docs/internal'))).toBe(false)
})

test('the contents have the pages that docs/README.md links to', () => {
  const contents = /<nav id="contents"[^]*?<\/nav>/.exec(textOf('index.html'))?.[0]
  expect([...(contents ?? '').matchAll(/<h2>(.*?)<\/h2>/g)].map(([, kind]) => kind)).toEqual([
    'Start',
    'How to',
    'Reference',
    'Explanation',
  ])
  const documented = readFileSync('docs/README.md', 'utf8').matchAll(/\]\(([^)]+)\.md\)/g)
  for (const [, path = ''] of documented)
    expect(contents).toContain(join('docs', path).replace('README', 'index'))
})

describeInBrowser('in a browser', () => {
  test.each(['light', 'dark'] as const)('pages are accessible and fit: %s', async (colorScheme) => {
    await withPage(
      addressOf('index.html'),
      async ({ page }) => {
        const elsewhere: string[] = []
        page.on('request', (request) => {
          if (!request.url().startsWith(addressOf(''))) elsewhere.push(request.url())
        })
        for (const path of PAGES) {
          for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
            await page.goto(addressOf(path))
            const faults = await faultsOf(page, colorScheme === 'dark' ? RULES_OF_LOOKS : undefined)
            expect({ path, width, faults }).toEqual({ path, width, faults: [] })
          }
        }
        expect(elsewhere).toEqual([])
      },
      { colorScheme },
    )
  })

  test('the search finds a section and opens it, by the keyboard and on a phone', async () => {
    await withPage(
      addressOf('docs/gas.html'),
      async ({ page }) => {
        await page.keyboard.press('/')
        await page.keyboard.type('snapshot')
        await page.locator('#results a').first().waitFor()
        expect(await page.locator('#results a').allInnerTexts()).toContainEqual(
          expect.stringMatching(/evm_snapshot/),
        )
        expect(await faultsOf(page)).toEqual([])
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/docs\/state\.html/)
        await page.getByRole('heading', { level: 1, name: 'Snapshots, worlds and state files' }).waitFor()
      },
      { width: 390 },
    )
  })

  test('a phone opens the contents', async () => {
    await withPage(
      addressOf('docs/gas.html'),
      async ({ page }) => {
        await page.getByRole('button', { name: 'Contents' }).click()
        expect(await faultsOf(page)).toEqual([])
        await page
          .getByRole('navigation', { name: 'Contents' })
          .getByRole('link', { name: 'Coverage' })
          .click()
        await page.waitForURL(/\/docs\/coverage\.html/)
      },
      { width: 390 },
    )
  })
})

/** Faults of accessibility, and whether the page is wider than its window. */
async function faultsOf(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const isWide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  const violations = (await violationsOf(page, rules)).map(({ text }) => text)
  return isWide ? ['the page is wider than its window', ...violations] : violations
}
