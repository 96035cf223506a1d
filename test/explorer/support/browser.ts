/** A real Chromium that opens the explorer, where one is installed. */

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { Locator, Page } from 'playwright-core'
import { mustBeInstalled } from '../../support/installable.ts'
import { sharedBrowser } from '../../support/packed-command.ts'

/** Where Debian and others install it. The shell without a window takes a third of the processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Path of the browser; undefined where none is installed. */
export const browserPath = process.env['CHROMIUM'] ?? PLACES.find((path) => existsSync(path))

mustBeInstalled(browserPath, 'chromium', 'CHROMIUM')

/** A page of a browser, and what went wrong in it. */
export interface OpenPage {
  readonly page: Page
  /** Errors of scripts, and violations of the content security policy. */
  readonly faults: readonly string[]
}

/**
 * The most milliseconds by which each request of the page, and each message that its WebSocket hears, is late.
 * A test that passes only as long as answers come in a certain order fails with it:
 * `DEV_NODE_SLOW_NETWORK=1000 npm run test:slow -- test/explorer`.
 */
const SLOW_NETWORK = Number(process.env['DEV_NODE_SLOW_NETWORK'] ?? 0)

const late = async (): Promise<void> => sleep(Math.random() * SLOW_NETWORK)

/** Delays each request by another time. Messages of a WebSocket keep their order. */
async function slowDown(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    await late()
    await route.continue().catch(() => undefined)
  })
  await page.routeWebSocket('**/*', (client) => {
    const server = client.connectToServer()
    let arrived = Promise.resolve()
    server.onMessage((message) => {
      arrived = Promise.all([arrived, late()]).then(() => client.send(message))
    })
  })
}

/** Waits until the head of each page says that this block is the newest. */
export async function newestBlock(page: Page, number: number): Promise<void> {
  await page.getByRole('banner').getByText(`block ${number}`, { exact: true }).waitFor()
}

/** Waits until a list has exactly so many elements: what is drawn again comes after what was pressed. */
export async function exactly(count: number, list: Locator): Promise<void> {
  if (count > 0) await list.nth(count - 1).waitFor({ state: 'attached' })
  await list.nth(count).waitFor({ state: 'detached' })
}

/** Waits until something holds that no selector says, such as a size. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

/** Responses that a page waits for. */
export interface HeldResponses {
  /** Resolves when the node has sent the first. */
  readonly first: Promise<void>
  /** Delivers them and those that come later. Resolves when the page has drawn what they change. */
  readonly release: () => Promise<void>
}

/** Keeps the responses to requests with a text, such as the name of a method, from a page. */
export async function holdResponses(page: Page, text: string): Promise<HeldResponses> {
  let [arrive, deliver] = [() => {}, () => {}]
  const first = new Promise<void>((resolve) => (arrive = resolve))
  const delivery = new Promise<void>((resolve) => (deliver = resolve))
  const delivered: Promise<void>[] = []
  await page.route('**/*', async (route) => {
    if (route.request().postData()?.includes(text) !== true) return route.fallback()
    // The test may close the page meanwhile.
    const response = await route.fetch().catch(() => undefined)
    if (response === undefined) return undefined
    arrive()
    const sent = delivery.then(() => route.fulfill({ response }).catch(() => undefined))
    delivered.push(sent)
    return sent
  })
  const release = async (): Promise<void> => {
    deliver()
    await Promise.all(delivered)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }
  return { first, release }
}

/** Opens a page in the browser of the run, with storage and cache of its own. Any fault in the page fails the test. */
export async function withPage(
  url: string,
  run: (open: OpenPage) => Promise<void>,
  options: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number } = {},
): Promise<void> {
  const { colorScheme = 'light', width = 1280 } = options
  const browser = await chromium.connect(await sharedBrowser(browserPath!))
  try {
    // The shell takes the locale of the machine, of which its own Intl understands not every form.
    const page = await browser.newPage({ colorScheme, locale: 'en-US', viewport: { width, height: 800 } })
    // Playwright's half a minute is short on a busy machine.
    page.setDefaultTimeout(120_000)
    if (SLOW_NETWORK > 0) await slowDown(page)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(url)
    await run({ page, faults })
    if (faults.length > 0) throw new Error(`the page reported ${faults.join('; ')}`)
  } finally {
    await browser.close()
  }
}
