import { describe, expect, test } from '@jest/globals'
import type { JsonRpcProvider } from 'ethers'
import type * as vscode from 'vscode'
import { foundry, hardhat2, hardhat3, truffle } from '../../support/artifact-projects.ts'
import { PATH, compiledAs, content, failed, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Scene } from '../../support/shop.ts'
import { documentOf, openEditor } from '../../support/vscode.ts'
import type { Editor } from '../../support/vscode.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'

const FILE = `/project/${PATH}`

/** Line of the source, and the title. */
type Shown = readonly (readonly [text: string | undefined, title: string])[]

/** The lenses of a file, by the text of their line. */
async function lensesOf(editor: Editor, file = FILE, text = content): Promise<Shown> {
  const found = await rawLenses(editor, file, text)
  return found.map(({ range, command }) => {
    const { line } = range as unknown as { readonly line: number }
    return [text.split('\n')[line]?.trim(), command!.title]
  })
}

const rawLenses = async (editor: Editor, file = FILE, text = content): Promise<readonly vscode.CodeLens[]> =>
  (await editor.lenses.get('solidity')!.provideCodeLenses(documentOf(file, text), undefined as never)) ?? []

/** One purchase, two that fail, with an editor whose setting has the URL. */
const withPurchases = (
  test: (editor: Editor, scene: Scene) => Promise<void>,
  { options = {}, isCounted = false }: { options?: OptionsInput; isCounted?: boolean } = {},
) =>
  withShop(
    hardhat2(plain),
    async (scene) => {
      const { shop, url } = scene
      if (isCounted) await ask(scene, 'dev_startCoverage')
      await failed(shop, 'buy', 1)
      await failed(shop, 'buy', 30)
      await failed(shop, 'buy', 31)
      await test(await openEditor({ settings: { 'dev-node.url': url } }), scene)
    },
    options,
  )

const ask = ({ shop }: Scene, method: string, ...params: readonly unknown[]): Promise<any> =>
  (shop.runner!.provider as JsonRpcProvider).send(method, [...params])

const FAILED = content.split('\n')[lineOf('revert TooPoor') - 1]!.trim()

describe('the last failure', () => {
  test('is at the line that failed, once, and its lens debugs it', () =>
    withPurchases(async (editor, { url }) => {
      expect(await lensesOf(editor)).toEqual([[FAILED, 'Debug last failure here']])
      const [lens] = await rawLenses(editor)
      const { command, arguments: given, tooltip } = lens!.command!
      expect(tooltip).toMatch(/^reverted with custom error 'TooPoor\(.*, 900, 3100\)'$/)
      await editor.commands.get(command)!(...given!)
      expect(editor.started).toEqual([
        { type: 'dev-node', request: 'launch', name: 'Failure 2', failure: 2, url },
      ])
    }))

  test('is not at a line that has changed or moved, nor in another file', () =>
    withPurchases(async (editor) => {
      expect(await lensesOf(editor, FILE, content.replace('< value) revert', '<= value) revert'))).toEqual([])
      expect(await lensesOf(editor, FILE, `\n${content}`)).toEqual([])
      expect(await lensesOf(editor, FILE, '')).toEqual([])
      expect(await lensesOf(editor, '/project/othercontracts/Shop.sol')).toEqual([])
    }))

  test.each([
    ['Hardhat 3', hardhat3(compiledAs('project/')), FILE],
    ['Foundry', foundry(plain), FILE],
    ['Truffle', truffle(compiledAs('project:/')), `/home/user/project/${PATH}`],
  ])('is found by the path that %s has for the file', (_tool, files, file) =>
    withShop(files, async ({ shop, url }) => {
      await failed(shop, 'buy', 30)
      const editor = await openEditor({ settings: { 'dev-node.url': url } })
      expect(await lensesOf(editor, file)).toEqual([[FAILED, 'Debug last failure here']])
    }),
  )
})

test('gas of contracts and functions with --gas-report', () =>
  withPurchases(
    async (editor, { shop, token }) => {
      await token['transfer']!.staticCall(await shop.getAddress(), 1)
      const shown = (await lensesOf(editor)).filter(([, title]) => title.includes('gas'))
      const amountless = shown.map(([line, title]) => [line?.split(/[({]/)[0], title.replace(/^[\d,]+/, '*')])
      expect(amountless).toEqual([
        ['contract Shop ', '* gas (1 deployment)'],
        ['function buy', '* gas (1 transaction, 2 failed)'],
        ['contract Token ', '* gas (1 deployment)'],
        ['function approve', '* gas (1 transaction)'],
        ['function transfer', '* gas (1 call)'],
      ])
    },
    { options: { gasReport: true } },
  ))

test('the amount of gas is the mean of the report', () =>
  withPurchases(
    async (editor, scene) => {
      const { contracts } = await ask(scene, 'dev_gasReport')
      const row = contracts[0].functions.find(({ function: name }: any) => name === 'buy(uint256)')
      const titles = (await lensesOf(editor)).map(([, title]) => title)
      expect(titles).toContain(`${row.transactions.mean.toLocaleString('en')} gas (1 transaction, 2 failed)`)
    },
    { options: { gasReport: true } },
  ))

test('executions of functions while they are counted', () =>
  withPurchases(
    async (editor) => {
      const countsIn = async (text: string) =>
        (await lensesOf(editor, FILE, text))
          .filter(([, title]) => title !== 'Debug last failure here')
          .map(([line, title]) => [/\w+ *\w*/.exec(line!)?.[0], title])
      const counts = await countsIn(content)
      expect(counts).toEqual([
        ['function total', '3 runs'],
        ['constructor', 'not executed'],
        ['function transfer', 'not executed'],
        ['function approve', 'not executed'],
        ['function transferFrom', '3 runs'],
        ['function _move', '3 runs'],
        ['function pause', 'not executed'],
        ['modifier open', '3 runs'],
        ['constructor', 'not executed'],
        ['function buy', '3 runs'],
        ['function _log', '3 runs'],
        ['function tryBuy', 'not executed'],
      ])
      // From here on, nothing is where it was.
      expect(await countsIn(content.replace('function pause', '\nfunction pause'))).toEqual(
        counts.slice(0, 6),
      )
    },
    { isCounted: true },
  ))

describe('the node is asked', () => {
  test.each([
    ['the window has the focus again', 'state', { focused: true }],
    ['a file was saved', 'save', undefined],
    ['debugging has ended', 'end', undefined],
    ['a command of the terminal has ended', 'shell', undefined],
    ['a setting has changed', 'settings', undefined],
  ] as const)('again when %s, and not before', (_case, name, event) =>
    withPurchases(async (editor, { shop }) => {
      let changes = 0
      editor.lenses.get('solidity')!.onDidChangeCodeLenses!(() => void changes++)
      const failedTitle = async () => (await rawLenses(editor)).map(({ command }) => command!.arguments![0])
      expect(await failedTitle()).toEqual([2])
      await failed(shop, 'buy', 32)
      expect([await failedTitle(), changes]).toEqual([[2], 0])
      editor.events[name].fire(event)
      expect([await failedTitle(), changes]).toEqual([[3], 1])
    }),
  )

  test('not when the window loses the focus', async () => {
    const editor = await openEditor()
    let changes = 0
    editor.lenses.get('solidity')!.onDidChangeCodeLenses!(() => void changes++)
    editor.events.state.fire({ focused: false })
    expect(changes).toBe(0)
  })
})

test('no lenses and no error where no node answers', async () => {
  const editor = await openEditor({ settings: { 'dev-node.url': 'http://127.0.0.1:1/' } })
  expect(await lensesOf(editor)).toEqual([])
})
