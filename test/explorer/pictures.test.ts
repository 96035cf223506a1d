/**
 * Makes the pictures of the explorer in the README and the documents, of a real session, with `UPDATE_PICTURES=1`. Their bytes depend on
 * the fonts of the machine, so that nothing compares them; documents.test.ts checks that they are there.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from '@jest/globals'
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
