/** A vault that takes tokens, on the pages of transactions, contracts and accounts: names, units, places, and what a revert removed. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Interface } from 'ethers'
import type { Locator } from 'playwright-core'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { compileProject, hardhat2, writeProject } from '../support/artifact-projects.ts'
import { browserPath, withPage } from './support/browser.ts'
import type { OpenPage } from './support/browser.ts'
import { answerOf } from '../support/server.ts'

const PATH = 'contracts/Vault.sol'
const content = readFileSync(join(import.meta.dirname, '../../fixtures/explorer/Vault.sol'), 'utf8')
const compiled = compileProject({ [PATH]: content })
const { Coin, Vault } = compiled.output.contracts[PATH]!
const [coinCalls, vaultCalls] = [Coin!, Vault!].map(({ abi }) => new Interface(abi as never))
const lineOf = (text: string): number => 1 + content.split('\n').findIndex((line) => line.includes(text))

const MTK = 10n ** 18n

/** What happened on the chain. */
interface Story {
  readonly url: string
  readonly vault: string
  readonly user: string
  /** Hashes of transactions. */
  readonly deposited: string
  readonly failed: string
  readonly removedFailure: string
  readonly removed: string
  readonly close: () => Promise<void>
}

async function tell(): Promise<Story> {
  const folder = await writeProject(hardhat2(compiled))
  const values = { network: 'ethereum', port: 0, artifacts: [join(folder, 'artifacts')] } as const
  const server = await startWithOptions(resolveOptions({ values }))
  const { url } = server
  const ask = async (method: string, ...params: readonly unknown[]): Promise<any> => {
    const { result, error } = await answerOf(`${url}?dialect=ethereum`, method, params)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const [user, other] = (await ask('eth_accounts')) as readonly [string, string]
  const send = (request: object, from = user): Promise<string> =>
    ask('eth_sendTransaction', { from, gas: '0x2dc6c0', ...request })
  const deployed = async (code: string, args: string): Promise<string> =>
    (await ask('eth_getTransactionReceipt', await send({ data: `0x${code}${args.slice(2)}` })))
      .contractAddress
  const coin = await deployed(Coin!.evm.bytecode.object, coinCalls!.encodeDeploy([1000n * MTK]))
  const vault = await deployed(Vault!.evm.bytecode.object, vaultCalls!.encodeDeploy([coin]))
  const deposit = (amount: bigint, value = '0x0', from = user): Promise<string> =>
    send({ to: vault, value, data: vaultCalls!.encodeFunctionData('deposit', [amount * MTK]) }, from)
  const deposited = await deposit(12n, '0x3782dace9d90000')
  const failed = await deposit(3n, '0x0', other)
  const snapshot = await ask('evm_snapshot')
  const [removedFailure, removed] = [await deposit(5000n), await send({ to: other, value: '0x1' })]
  await ask('evm_revert', snapshot)
  const close = async (): Promise<void> => {
    await server.close()
    await rm(folder, { recursive: true })
  }
  return { url, vault, user, deposited, failed, removedFailure, removed, close }
}

const describeInBrowser = browserPath === undefined ? describe.skip : describe

/** Waits until an element has a text: names and amounts come after the page. */
const shows = (element: Locator, text: RegExp): Promise<void> => element.filter({ hasText: text }).waitFor()

describeInBrowser('a vault of tokens', () => {
  let story: Story
  beforeAll(async () => {
    story = await tell()
  })
  afterAll(() => story.close())

  const opened = (path: string, run: (open: OpenPage) => Promise<void>) =>
    withPage(`${story.url}/#${path}`, run)

  test('a transaction is a sentence, also in the tab, with amounts in units and the price of gas in gwei', () =>
    opened(`/tx/${story.deposited}`, async ({ page }) => {
      await page.getByRole('heading', { name: 'account 0 called Vault.deposit(12 MTK)' }).waitFor()
      expect(await page.title()).toContain('Vault.deposit(12 MTK) with 0.25 ether · dev-node')
      const rows = page.locator('.movements li')
      await shows(rows.nth(0), /^account 0 → Vault12 MTK$/)
      await shows(rows.nth(2), /^Vault\+0\.25 ether to 0\.25 ether$/)
      await shows(
        page.locator('.call-line').nth(1),
        /^Coin\.transferFrom\(from: account 0, to: Vault, value: 12 MTK\) → true[\d\s]+gas$/,
      )
      await shows(
        page.locator('.fields', { hasText: 'Fee' }),
        /Fee0\.0+\d{3} ether = [\d\s]+ gas × [\d.]+ gwei/,
      )
    }))

  test('a failure has its amounts in units, and its line', () =>
    opened(`/tx/${story.failed}`, async ({ page }) => {
      await page.getByText("InsufficientBalance(account 1, 0, 3 MTK)'").first().waitFor()
      const line = page.locator('.stack .line.at')
      await line.waitFor()
      expect(await line.getAttribute('data-line')).toBe(String(lineOf('revert InsufficientBalance')))
    }))

  test('a transaction that a revert removed says so', () =>
    opened(`/tx/${story.removedFailure}`, async ({ page }) => {
      await page
        .getByRole('heading', { name: /^account 0 called Vault\.deposit\(amount: 5.000 MTK\)$/ })
        .waitFor()
      await page.getByText(/A revert removed the transaction at 20\d\d-/).waitFor()
      await page.locator('.stack .line.at').waitFor()
      await page.goto(`${story.url}/#/tx/${story.removed}`)
      await page.getByText(/A revert removed the transaction at .* this one succeeded/).waitFor()
    }))

  test('the contracts have what was sent to them, and lead to their pages', () =>
    opened('/contracts', async ({ page }) => {
      const cells = page.locator('tbody tr').first().locator('td')
      await shows(cells.nth(0), new RegExp(`^Vault${PATH}$`))
      await shows(cells.nth(1), /^0\.25 ether$/)
      await shows(cells.nth(2), /^31 failed$/)
      await page.getByRole('link', { name: 'Vault', exact: true }).click()
      await page.locator('.fields').getByText('12 MTK').waitFor()
      expect(await page.locator('.kind').textContent()).toBe('Contract')
      expect(await page.title()).toBe('Vault · dev-node')
    }))

  test('steps have operands, and code of the compiler keeps the place and says what it is', () =>
    opened(`/tx/${story.deposited}/debug/0/instructions`, async ({ page }) => {
      const note = page.locator('.source .note')
      await note.getByText('Dispatch').waitFor()
      const instructions = page.locator('.instructions li')
      expect(await instructions.first().textContent()).toMatch(/PUSH1 0x80/)
      await instructions
        .filter({ hasText: /PUSH4 0xb6b55f25 deposit/ })
        .first()
        .waitFor()
      const { result } = await answerOf(story.url, 'dev_traceSteps', [story.deposited, 0, 1000])
      const steps = result.steps as readonly {
        readonly source?: { readonly line: number }
        readonly variable?: string
      }[]
      const added = steps.findIndex(({ source }) => source === undefined)
      await page.goto(`${story.url}/#/tx/${story.deposited}/debug/${added}/instructions`)
      await note.getByText('Added by the compiler').waitFor()
      expect(await page.locator('.source .line.at').getAttribute('data-line')).toBe(
        String(steps[added - 1]!.source!.line),
      )
      const named = steps.findIndex(({ variable }) => variable !== undefined)
      await page.goto(`${story.url}/#/tx/${story.deposited}/debug/${named}/instructions`)
      expect(steps[named]!.variable).toBe(`balanceOf[${story.user}]`)
      await page.locator('.fields').getByText('balanceOf[account 0]').waitFor()
    }))
})
