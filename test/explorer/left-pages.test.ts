/** Answers of the node that come after the user has left what asked for them: neither the address nor the page changes. */

import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, holdResponses, withPage } from './support/browser.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

const atLine = (page: Page, text: string): Promise<void> =>
  page
    .locator(`.source .line.at[data-line="${lineOf(text)}"]`)
    .first()
    .waitFor()

/** Opens the debugger of a failed purchase at its failure. */
const withDebugger = (run: (page: Page, path: string) => Promise<void>): Promise<void> =>
  withShop(hardhat2(plain), async ({ url, shop }) => {
    const { hash } = await failed(shop, 'buy', 30)
    const path = `${url}/#/tx/${hash}/debug`
    await withPage(path, async ({ page }) => {
      await atLine(page, 'revert TooPoor')
      await run(page, path)
    })
  })

describeInBrowser('a motion of the debugger whose answer is late', () => {
  test('does not open the debugger again', () =>
    withDebugger(async (page) => {
      const held = await holdResponses(page, 'dev_debugMove')
      await page.keyboard.press('ArrowLeft')
      await held.first
      await goTo(page, 'Accounts')
      await held.release()
      expect(page.url()).toMatch(/#\/accounts$/)
      await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    }))

  test('does not move a debugger that was left and opened again', () =>
    withDebugger(async (page, path) => {
      const held = await holdResponses(page, 'dev_debugMove')
      await page.keyboard.press('ArrowLeft')
      await held.first
      await goTo(page, 'Accounts')
      await page.goBack()
      await atLine(page, 'revert TooPoor')
      await held.release()
      expect(page.url()).toBe(path)
    }))

  test('does not leave another step that was opened, and later keys move from there', () =>
    withDebugger(async (page) => {
      await page.keyboard.press('Home')
      await atLine(page, 'require(sold < 3, "sold out")')
      const first = page.url()
      await page.keyboard.press('ArrowRight')
      await page.waitForURL((url) => url.href !== first)
      const second = page.url()
      await page.keyboard.press('End')
      await atLine(page, 'revert TooPoor')
      const held = await holdResponses(page, 'dev_debugMove')
      for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
      await held.first
      await page.goto(first)
      await atLine(page, 'require(sold < 3, "sold out")')
      await page.keyboard.press('ArrowRight')
      await held.release()
      await page.waitForURL(second)
    }))

  test('moves in the other view, if that was opened meanwhile', () =>
    withDebugger(async (page, path) => {
      const held = await holdResponses(page, 'dev_debugMove')
      await page.keyboard.press('ArrowLeft')
      await held.first
      const instructions = page.getByRole('link', { name: 'Instructions' })
      await instructions.click()
      await page.waitForURL(/instructions$/)
      const before = page.url()
      await held.release()
      await page.waitForURL((url) => String(url) !== before)
      expect(page.url().startsWith(path)).toBe(true)
      expect(page.url()).toMatch(/\/debug\/\d+\/instructions$/)
    }))
})

describeInBrowser('a search whose answer is late', () => {
  const searched = (leave: (page: Page) => Promise<void>, expected: (page: Page) => Promise<void>) =>
    withShop(hardhat2(plain), ({ url }) =>
      withPage(url, async ({ page }) => {
        const search = page.getByRole('combobox', { name: 'Search' })
        const held = await holdResponses(page, 'dev_findContracts')
        await search.fill('Shop')
        await search.press('Enter')
        await held.first
        await leave(page)
        await held.release()
        await expected(page)
      }),
    )

  test('does not leave a page that was opened meanwhile', () =>
    searched(
      (page) => goTo(page, 'Accounts'),
      async (page) => {
        expect(page.url()).toMatch(/#\/accounts$/)
      },
    ))

  test('leaves alone what is typed meanwhile', () =>
    searched(
      (page) => page.getByRole('combobox', { name: 'Search' }).fill('Token'),
      async (page) => {
        expect(page.url()).not.toMatch(/#\/address/)
        expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('Token')
      },
    ))
})
