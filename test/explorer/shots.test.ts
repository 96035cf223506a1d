import { test } from '@jest/globals'
import { mkdirSync } from 'node:fs'
import { hardhat2 } from '../support/artifact-projects.ts'
import { withPage } from './support/browser.ts'
import { failed, plain, withShop } from '../support/shop.ts'
const OUT = process.env['OUT'] ?? '/tmp/shots/x'
const ONLY = process.env['ONLY']
test('shots', async () => {
  mkdirSync(OUT, { recursive: true })
  await withShop(hardhat2(plain), async ({ url, shop }) => {
    const { hash } = await failed(shop, 'buy', 30)
    const at = await shop.getAddress()
    await withPage(url, async ({ page }) => {
      for (const [name, path, text] of [
        ['chain', '/', 'Blocks'], ['controls', '/controls', 'Snapshots'], ['block', '/block/2', 'Block 2'], ['tx', `/tx/${hash}`, 'reverted'],
        ['debug', `/tx/${hash}/debug`, 'Fails here'], ['address', `/address/${at}`, 'Shop'], ['contracts', '/contracts', 'Shop'], ['accounts', '/accounts', 'Accounts'], ['failures', '/failures', 'Shop.buy'], ['functions', `/address/${at}/functions`, 'buy'],
      ] as const) {
        if (ONLY && !ONLY.split(',').includes(name)) continue
        for (const [w, h, scheme] of [[1280, 800, 'light'], [390, 844, 'dark']] as const) {
          await page.emulateMedia({ colorScheme: scheme })
          await page.setViewportSize({ width: w, height: h })
          await page.goto('about:blank')
          await page.goto(`${url}/#${path}`)
          await page.locator('main').getByText(text).first().waitFor()
          await page.waitForTimeout(400)
          await page.screenshot({ path: `${OUT}/${name}-${w}.png` })
        }
      }
    })
  })
})
