/** The debugger in a real browser: motions, stack, variables, expressions, instructions, and what can be debugged. */

import { rm } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import type { JsonRpcProvider } from 'ethers'
import { hardhat2 } from '../support/artifact-projects.ts'
import { browserPath, until, withPage } from './support/browser.ts'
import type { OpenPage } from './support/browser.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'
import { answerOf } from '../support/server.ts'
import type { Scene } from '../support/shop.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

interface Opened extends Scene {
  readonly page: OpenPage['page']
  readonly hash: string
  readonly send: (method: string, ...params: unknown[]) => Promise<any>
  /** Waits until a line with a text is the current one. */
  readonly atLine: (text: string) => Promise<void>
  /** The texts of a section of the panel. */
  readonly section: (name: string) => ReturnType<OpenPage['page']['locator']>
}

/** Opens the debugger of a purchase that failed, or of one that did not. */
const opened = (
  part: string,
  run: (open: Opened) => Promise<void>,
  { count = 30, width = 1280 }: { readonly count?: number; readonly width?: number } = {},
) =>
  withShop(hardhat2(plain), async (scene) => {
    const { hash } = await failed(scene.shop, 'buy', count)
    const provider = scene.shop.runner!.provider as JsonRpcProvider
    const send = (method: string, ...params: unknown[]) => provider.send(method, params)
    await withPage(
      `${scene.url}/#/tx/${hash}${part}`,
      ({ page }) => {
        const atLine = (text: string) =>
          page
            .locator(`.source .line.at[data-line="${lineOf(text)}"]`)
            .first()
            .waitFor()
        const section = (name: string) =>
          page.locator('.panel section').filter({ has: page.getByRole('heading', { name, exact: true }) })
        return run({ ...scene, page, hash, send, atLine, section })
      },
      { width },
    )
  })

const bottomOf = (box: { readonly y: number; readonly height: number } | null): number =>
  box === null ? Infinity : box.y + box.height

describeInBrowser('the debugger', () => {
  test('opens a failed transaction at its failure, goes back, over, into and out, and keeps its place in the URL', () =>
    opened('/debug', async ({ page, url, hash, send, atLine }) => {
      const frames = page.locator('.frames li')
      await atLine('revert TooPoor')
      await page.getByText('Fails here: custom error TooPoor(').waitFor()
      expect(await frames.locator('b').allTextContents()).toEqual([
        'Token._move',
        'Token.transferFrom',
        'Shop.buy',
      ])
      await page.keyboard.press('Shift+U')
      await atLine('_move(from, to, value);')
      await page.keyboard.press('Shift+U')
      await atLine('require(token.transferFrom')
      await page.getByRole('button', { name: '← Back' }).click()
      await atLine('sold += count')
      await page.getByRole('button', { name: '← Back' }).click()
      await atLine('_log("sold", sold)')
      await page.getByRole('button', { name: 'Into', exact: true }).click()
      await atLine('address console =')
      await page.getByRole('button', { name: 'Back into' }).click()
      await atLine('_log("sold", sold)')
      await page.getByRole('button', { name: 'Over' }).click()
      await atLine('sold += count')
      const { session } = await send('dev_debugOpen', { transaction: hash })
      const step = Number(/\/debug\/(\d+)$/.exec(page.url())![1])
      const { frames: running } = await send('dev_debugStack', session, step)
      expect(running[0].place.line).toBe(lineOf('sold += count'))
      await page.reload()
      await atLine('sold += count')
      expect(page.url()).toBe(`${url}/#/tx/${hash}/debug/${step}`)
    }))

  test('counts keys that are pressed while it moves, and says where the execution ends', () =>
    opened('/debug', async ({ page, atLine }) => {
      await atLine('revert TooPoor')
      await page.keyboard.press('Home')
      await atLine('require(sold < 3, "sold out")')
      for (const key of ['ArrowRight', 'o', 'o', 'i']) await page.keyboard.press(key)
      await atLine('return price * count;')
      await page.keyboard.press('u')
      await atLine('require(token.transferFrom')
      await page.keyboard.press('End')
      await atLine('revert TooPoor')
      await page.keyboard.press('o')
      await page.getByText('The execution ends here.').waitFor()
    }))

  test('runs to writes, events, calls, reverts and lines, in both directions, and says that there is none', () =>
    opened(
      '/debug',
      async ({ page, url, hash, send, atLine }) => {
        await atLine('require(sold < 3, "sold out")')
        await page.getByRole('button', { name: 'Write' }).click()
        await page.getByText('Stopped at sold changes from 0 to 2').waitFor()
        await atLine('sold += count')
        await page.keyboard.press('e')
        await page.getByText('Stopped at event Token.Transfer').waitFor()
        await atLine('emit Transfer(from, to, value);')
        await page.keyboard.press('e')
        await page.getByText('There is no event after this place.').waitFor()
        await page.keyboard.press('Shift+C')
        await atLine('require(token.transferFrom')
        await page.getByRole('button', { name: 'Revert' }).click()
        await page.getByText('There is no revert after this place.').waitFor()
        await page.locator(`.line[data-line="${lineOf('balances[to] += value')}"] button`).click()
        await atLine('balances[to] += value')
        await page.getByRole('spinbutton', { name: 'Run to line' }).fill(String(lineOf('sold += count')))
        await page.keyboard.press('Enter')
        await atLine('sold += count')
        const { steps } = await send('dev_debugOpen', { transaction: hash })
        await page.getByRole('slider', { name: 'Step' }).press('End')
        await page.waitForURL(`${url}/#/tx/${hash}/debug/${steps - 1}`)
        await page.goto(`${url}/#/tx/${hash}/debug/99999`)
        await page.getByText(`there is no step 99999: the execution has ${steps} instructions`).waitFor()
      },
      { count: 2 },
    ))

  test('shows the place and the variables of each function, marks what changed, and evaluates', () =>
    opened('/debug', async ({ page, atLine, section }) => {
      await atLine('revert TooPoor')
      const rows = (name: string) => section(name).locator('.variable')
      await rows('Locals')
        .filter({ hasText: /^value 3.?000 uint256$/ })
        .waitFor()
      const balances = section('State').locator('li', { hasText: 'balances' })
      await balances.getByText('1 000').or(balances.getByText('1000')).first().waitFor()
      const allowance = section('State').getByText('5000')
      expect(await allowance.count()).toBe(0)
      await section('State').getByRole('button', { name: 'Parts of [' }).click()
      await section('State').getByText('2000').waitFor()
      await page.getByRole('textbox', { name: 'Expression' }).fill('value - balances[from]')
      await page.getByRole('button', { name: 'Evaluate' }).click()
      await section('Evaluate').getByText('2000').waitFor()
      await section('Call stack').getByRole('button', { name: 'Shop.buy' }).click()
      await atLine('require(token.transferFrom')
      await rows('Locals').filter({ hasText: 'count 30' }).waitFor()
      await section('Evaluate').getByText('there is no').waitFor()
      await section('Call stack').getByRole('button', { name: 'Token._move' }).click()
      await atLine('revert TooPoor')
      await page.keyboard.press('Shift+U')
      await page.keyboard.press('Shift+U')
      // A mark says what changed since the last place that was shown.
      await atLine('require(token.transferFrom')
      await page.keyboard.press('ArrowLeft')
      await atLine('sold += count')
      await page.locator('.variable.changed', { hasText: 'sold 0 was 30' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.locator('.variable.changed', { hasText: 'sold 30 was 0' }).waitFor()
    }))

  test('debugs a call that failed, and a failed transaction that a revert removed', () =>
    opened('/debug', async ({ page, url, shop, send, atLine }) => {
      await atLine('revert TooPoor')
      const snapshot = await send('evm_snapshot')
      const { hash: removed } = await failed(shop, 'buy', 31)
      await send('evm_revert', snapshot)
      await shop['buy']!.staticCall(40).catch(() => undefined)
      const lines = page.locator('.requests > li')
      await page.goto(`${url}/#/failures`)
      await lines.filter({ hasText: 'count: 40' }).getByRole('link', { name: 'Debug' }).click()
      await atLine('revert TooPoor')
      await page.keyboard.press('Shift+U')
      await atLine('_move(from, to, value);')
      expect(page.url()).toMatch(/#\/failure\/\d+\/debug\/\d+$/)
      await page.getByRole('link', { name: 'Instructions' }).click()
      await page.locator('.instructions [aria-current=step]', { hasText: 'PUSH' }).waitFor()
      await page.getByRole('heading', { name: 'Memory' }).waitFor()
      await page.goto(`${url}/#/tx/${removed}/debug`)
      await atLine('revert TooPoor')
      await page
        .locator('.variable', { hasText: /value 3.?100/ })
        .first()
        .waitFor()
    }))

  test('opens a recording again that the node has closed, in a world, also from links of earlier versions', () =>
    opened('/step/0', async ({ page, url, hash, shop, send, atLine }) => {
      await page.waitForURL(`${url}/#/tx/${hash}/debug/0`)
      await send('dev_createWorld', { id: 'other' })
      await page.goto(`${url}/w/other/#/tx/${hash}/debug`)
      await page.getByText('world other').waitFor()
      await atLine('revert TooPoor')
      const call = { to: await shop.getAddress(), data: '0x02c7e7af' }
      for (let others = 0; others < 8; others++)
        await answerOf(`${url}/w/other`, 'dev_debugOpen', [{ call, block: 'latest' }])
      await page.keyboard.press('Shift+U')
      await atLine('_move(from, to, value);')
    }))

  test('shows instructions with stack, memory and storage as the node traces them, at the same step', () =>
    opened(
      '/debug',
      async ({ page, url, hash, send, atLine }) => {
        await atLine('require(sold < 3, "sold out")')
        await until(async () => bottomOf(await page.locator('.source .line.at').first().boundingBox()) < 800)
        const navigation = await page.getByRole('navigation').first().boundingBox()
        expect(navigation!.height).toBeLessThan(60)
        const { structLogs: logs } = (await send('debug_traceTransaction', hash)) as { structLogs: Log[] }
        await page.keyboard.press('w')
        const at = logs.findIndex(({ op }) => op === 'SSTORE')
        await page.waitForURL(`${url}/#/tx/${hash}/debug/${at}`)
        await page.getByRole('link', { name: 'Instructions' }).click()
        await page.waitForURL(`${url}/#/tx/${hash}/debug/${at}/instructions`)
        // Until the step is loaded, the one before it is shown.
        const rowWith = async (name: string, text: string | RegExp) =>
          page
            .locator('section', { hasText: name })
            .last()
            .getByRole('row')
            .first()
            .filter({ hasText: text })
            .waitFor()
        await rowWith('Stack', new RegExp(`^${logs[at]!.stack.length - 1}${logs[at]!.stack.at(-1)!}$`))
        await rowWith('Memory', logs[at]!.memory[0]!.replace('0x', ''))
        await page.locator('.fields', { hasText: 'Slot' }).getByText('→').waitFor()
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await page
          .locator('.instructions [aria-current=step]', { hasText: logs[at + 2]!.op })
          .filter({ hasText: String(at + 2) })
          .waitFor()
        await rowWith('Storage', /^sold0x2$/)
        await page.getByRole('link', { name: 'Lines' }).click()
        await page.waitForURL(`${url}/#/tx/${hash}/debug/${at + 2}`)
        // After a move of the slider, letters still mean the debugger.
        await page.getByRole('slider', { name: 'Step' }).press('Home')
        await page.waitForURL(`${url}/#/tx/${hash}/debug/0`)
        await page.keyboard.press('w')
        await page.waitForURL(`${url}/#/tx/${hash}/debug/${at}`)
      },
      { count: 2, width: 420 },
    ))

  test('works without artifacts', () =>
    withShop(
      hardhat2(plain),
      async ({ url, shop, artifacts }) => {
        await rm(artifacts, { recursive: true })
        const { hash } = await failed(shop, 'buy', 30)
        await withPage(`${url}/#/tx/${hash}/debug/5/instructions`, async ({ page }) => {
          await page.getByText('No line of a source is known').waitFor()
          await page.locator('.instructions li').nth(20).waitFor()
          await page.getByRole('link', { name: 'Lines' }).click()
          await page.getByText('No local variables are known here.').waitFor()
          const frame = page.locator('.frames button').last()
          await frame.filter({ hasText: /^0x[0-9a-fA-F]{6}…[0-9a-fA-F]{6} \(unknown contract\)$/ }).waitFor()
          // A name without a line stands where the names are, and is no link inside of the button.
          const [box, name] = [await frame.boundingBox(), await frame.locator('b').boundingBox()]
          expect(name!.x - box!.x).toBeLessThan(20)
          expect(await frame.locator('a').count()).toBe(0)
          await page.getByRole('button', { name: 'Revert' }).click()
          await page.getByText('Fails here').waitFor()
        })
      },
      { noArtifacts: true, artifacts: [] },
    ))
})

interface Log {
  readonly op: string
  readonly stack: readonly string[]
  readonly memory: readonly string[]
}
