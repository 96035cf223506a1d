/** What holds of every page: no serious fault of accessibility, no overflow, light and dark, on wide and narrow windows. */

import { describe, expect, test } from '@jest/globals'
import { RULES_OF_LOOKS, seriousFaults } from './support/axe.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, withPage } from './support/browser.ts'
import { failed, plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

/** Pages by the text that shows that they are loaded; `HASH` is a failed transaction, `SHOP` a contract. */
const PAGES: readonly (readonly [string, string])[] = [
  ['/', 'Blocks'],
  ['/block/2', 'Block 2'],
  ['/block/99', 'The chain has no block 99.'],
  ['/contracts', 'Shop'],
  ['/tx/HASH', 'reverted with custom error'],
  [`/tx/0x${'0'.repeat(64)}`, 'transaction'],
  ['/tx/HASH/calls', 'Token.transferFrom'],
  ['/tx/HASH/changes', 'change'],
  ['/tx/HASH/gas', 'Gas by line'],
  ['/tx/HASH/debug', 'Fails here'],
  ['/tx/HASH/debug/322/instructions', 'Gas of this'],
  ['/address/SHOP', 'Shop'],
  ['/address/SHOP/transactions', 'Transaction'],
  ['/address/SHOP/functions', 'buy'],
  ['/address/SHOP/code', 'contract Shop'],
  ['/address/SHOP/storage', 'sold'],
  ['/address/SHOP/events', 'event'],
  ['/failures', 'Shop.buy'],
  ['/failure/1', 'reverted with custom error'],
  ['/failure/1/debug/400', 'contract Shop'],
  ['/failure/abc', 'The node keeps no failure abc.'],
  [`/address/0x${'9'.repeat(40)}/storage`, 'The account has no code, and so no storage.'],
  ['/failure/99', 'The node keeps no failure 99.'],
  ['/requests', 'Requests'],
  ['/accounts', 'Accounts'],
  ['/controls', 'Snapshots'],
  ['/search/buy', 'Shop.buy'],
  ['/search/nothing', 'Nothing has this name'],
  ['/elsewhere', 'There is no such page.'],
]

describeInBrowser('every page', () => {
  test('is accessible and fits: light and 1280 wide, dark and 420 wide', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = await failed(shop, 'buy', 30)
      const at = await shop.getAddress()
      await withPage(url, async ({ page }) => {
        const faults: Record<string, readonly string[]> = {}
        for (const [path, text] of PAGES) {
          const place = path.replace('HASH', hash).replace('SHOP', at)
          // Else the text could be that of the page before.
          await page.goto(`${url}/#/elsewhere`)
          await page.getByText('There is no such page.').waitFor()
          await page.goto(`${url}/#${place}`)
          await page.locator('main').getByText(text).first().waitFor()
          const wide = [...(await seriousFaults(page)), ...(await overflow(page))]
          await page.emulateMedia({ colorScheme: 'dark' })
          await page.setViewportSize({ width: 420, height: 800 })
          const narrow = [...(await seriousFaults(page, RULES_OF_LOOKS)), ...(await overflow(page))]
          await page.emulateMedia({ colorScheme: 'light' })
          await page.setViewportSize({ width: 1280, height: 800 })
          if (wide.length + narrow.length > 0) faults[path] = [...wide, ...narrow]
        }
        expect(faults).toEqual({})
      })
    })
  })
})

/** Says that the page is wider than its window, if it is. */
async function overflow(page: Parameters<typeof seriousFaults>[0]): Promise<readonly string[]> {
  const [content, width] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  return content > width ? [`the page is ${content} wide in a window of ${width}`] : []
}
