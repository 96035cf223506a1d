/**
 * Makes the pictures of the explorer in the README and the documents, of a real session, with `UPDATE_PICTURES=1`. Their bytes depend on
 * the fonts of the machine, so that nothing compares them; documents.test.ts checks that they are there.
 */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { main } from '../../lib/cli/main.ts'
import { terminalPicture } from '../../scripts/terminal-picture.ts'
import { fakeProcess } from '../cli/fake-server.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { withPage } from './support/browser.ts'
import { failed, plain, withShop } from '../support/shop.ts'

const FOLDER = 'docs/pictures'

/** Name, page and a text on it; `HASH` is a failed transaction, `TOKEN` a contract. */
const PICTURES = [
  ['chain', '/', 'Transactions'],
  ['transaction', '/tx/HASH', 'reverted with custom error'],
  ['debugger', '/tx/HASH/debug', 'Fails here'],
  ['gas', '/tx/HASH/gas', 'Gas by line'],
  ['address', '/address/TOKEN/storage', 'balances'],
  ['controls', '/controls', 'Worlds'],
] as const

const describeWhenAsked = process.env['UPDATE_PICTURES'] === undefined ? describe.skip : describe

/** The steps that the moving picture shows: what is pressed before each, and a text that tells what it does. */
const STEPS = [
  [undefined, 'dev-node show: the line that failed, with its variables'],
  ['ArrowLeft', '← one statement back'],
  ['ArrowLeft', '← back again, with the values of that time'],
  ['ArrowLeft', '← back, up to the call that asked for 3000'],
] as const

const [WIDTH, HEIGHT, BAR, SECONDS] = [1000, 620, 34, 2.5]

/** A picture that shows its frames one after another. */
function movingPicture(frames: readonly { readonly title: string; readonly image: string }[]): string {
  const share = 100 / frames.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + BAR}" role="img" aria-label="A failed test, explained and stepped backwards">
<style>
g { opacity: 0; animation: show ${frames.length * SECONDS}s step-end infinite }
@keyframes show { 0% { opacity: 1 } ${share}% { opacity: 0 } }
text { font: 16px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3 }
</style>
<rect width="${WIDTH}" height="${HEIGHT + BAR}" rx="8" fill="#161b22"/>
${frames.map(({ title, image }, index) => `<g style="animation-delay: ${index * SECONDS}s"><text x="16" y="23">${title}</text>${image}</g>`).join('\n')}
</svg>
`
}

/** A screenshot as WebP, which a picture for the web embeds. */
async function frameOf(page: Page): Promise<string> {
  const png = (await page.screenshot()).toString('base64')
  const url = await page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png}'
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.7)
  })()`)
  return `<image y="${BAR}" width="${WIDTH}" height="${HEIGHT}" href="${url}"/>`
}

describeWhenAsked('the moving picture', () => {
  test('is made of a failure that is explained, opened and stepped backwards', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = await failed(shop, 'buy', 30)
      const { io, written } = fakeProcess(['explain', '--last', '--url', url])
      await main({ ...io, isTTY: true })
      const explained = terminalPicture(written.stdout.trimEnd().split('\n'), '').replace(
        '<svg ',
        `<svg y="${BAR}" width="${WIDTH}" height="${HEIGHT}" preserveAspectRatio="xMidYMin" `,
      )
      const frames = [{ title: '$ npx dev-node explain --last', image: explained }]
      await withPage(
        url,
        async ({ page }) => {
          await page.setViewportSize({ width: WIDTH, height: HEIGHT })
          await page.goto(`${url}/#/tx/${hash}/debug`)
          await page.getByText('Fails here').first().waitFor()
          await page.waitForLoadState('networkidle')
          for (const [key, title] of STEPS) {
            if (key !== undefined) await page.keyboard.press(key)
            await page.waitForLoadState('networkidle')
            // The controls, the source and the variables fill the frame.
            await page.evaluate('scrollTo(0, 200)')
            frames.push({ title, image: await frameOf(page) })
          }
        },
        { colorScheme: 'dark', width: WIDTH },
      )
      await writeFile(join(FOLDER, 'step-back.svg'), movingPicture(frames))
    })
  })
})

describeWhenAsked('the pictures', () => {
  test.each(['light', 'dark'] as const)('are made of a real session, %s', async (colorScheme) => {
    await withShop(hardhat2(plain), async ({ url, shop, token }) => {
      const to = await shop.getAddress()
      for (const count of [1, 1]) await shop['buy']!(count)
      for (let value = 1; value <= 20; value++) await token['transfer']!(to, value)
      const { hash } = await failed(shop, 'buy', 30)
      await mkdir(FOLDER, { recursive: true })
      await withPage(
        url,
        async ({ page }) => {
          for (const [name, path, text] of PICTURES) {
            await page.goto(
              `${url}/#${path.replace('HASH', hash).replace('TOKEN', await token.getAddress())}`,
            )
            await page.locator('main').getByText(text).first().waitFor()
            await page.getByText('Loading…').first().waitFor({ state: 'detached' })
            await page.waitForLoadState('networkidle')
            await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) })
          }
        },
        { colorScheme, width: 1200 },
      )
    })
  })
})
