import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { hardhat2 } from '../../../support/artifact-projects.ts'
import { withEditor } from '../../../support/editor.ts'
import type { Editor } from '../../../support/editor.ts'
import { PATH, failed, lineOf, plain, withShop } from '../../../support/shop.ts'
import type { Scene } from '../../../support/shop.ts'

/** A shop whose sources are a file of the editor's project. */
interface Project extends Scene {
  readonly file: string
}

const debugging = (run: (project: Project, editor: Editor) => Promise<void>) =>
  withShop(hardhat2(plain), (scene) => {
    const folder = dirname(scene.artifacts)
    return withEditor((editor) => run({ ...scene, file: join(folder, PATH) }, editor), folder)
  })

/** The hash of a purchase. */
const purchase = async ({ shop }: Scene, count = 2): Promise<string> =>
  ((await shop['buy']!(count)) as { hash: string }).hash

const SOLD = lineOf('sold += count')
const PAID = lineOf('require(token.transferFrom')
const MOVED = lineOf('balances[from] -= value')

describe('a launch', () => {
  test('stops at a line, in its file, with its functions', async () => {
    await debugging(async (project, editor) => {
      const { file, url } = project
      const transaction = await purchase(project)
      const stop = await editor.launch({ url, transaction }, { lines: { [file]: [{ line: SOLD }] } })
      expect(stop).toMatchObject({ reason: 'breakpoint', line: SOLD })
      expect(stop.frames[0]).toMatchObject({ name: 'Shop.buy', source: { path: file, sourceReference: 0 } })
      // VS Code selects a statement with an end, so that typing would replace it.
      expect(stop.frames[0]).not.toHaveProperty('endLine')
    })
  })

  test('of the last failure stops at the failure, with its reason', async () => {
    await debugging(async ({ url, shop, file }, editor) => {
      await failed(shop, 'buy', 20)
      const stop = await editor.launch({ url, failure: 'last' })
      expect(stop).toMatchObject({ reason: 'exception', line: lineOf('revert TooPoor') })
      const { body } = await editor.client.exceptionInfoRequest({ threadId: 1 })
      expect(body).toMatchObject({ breakMode: 'unhandled' })
      expect(body.description).toContain('TooPoor')
      expect(body.details?.stackTrace).toContain(`at Token._move (${file}:${stop.line})`)
    })
  })

  test('of a call runs it', async () => {
    await debugging(async ({ url, file, token, buyer }, editor) => {
      const call = {
        from: buyer,
        to: await token.getAddress(),
        data: token.interface.encodeFunctionData('transfer', [buyer, 5]),
      }
      const stop = await editor.launch({ url, call }, { lines: { [file]: [{ line: MOVED }] } })
      expect(stop.line).toBe(MOVED)
      expect((await editor.scope('Locals', stop)).get('value')).toMatchObject({ value: '5', type: 'uint256' })
    })
  })

  test('stops at the end, from where it steps back; continue ends it', async () => {
    await debugging(async (project, editor) => {
      const { client } = editor
      const transaction = await purchase(project)
      expect(await editor.launch({ url: project.url, transaction })).toMatchObject({
        reason: 'end',
        description: 'End of the transaction',
      })
      const back = await editor.step('stepBack')
      expect(back.line).toBe(PAID)
      expect((await editor.step('continue')).reason).toBe('end')
      const terminated = client.waitForEvent('terminated')
      await client.continueRequest({ threadId: 1 })
      await terminated
    })
  })

  test.each([
    ['an unknown transaction', { transaction: `0x${'11'.repeat(32)}` }, /has no transaction 0x11/],
    ['a failure that is not kept', { failure: 77 }, /keeps no failure 77/],
    ['a short hash', { transaction: '0x12' }, /transaction: expected the hash of a transaction/],
    ['a failure by another word', { failure: 'first' }, /failure: expected "last"/],
    ['a text that is no URL', { failure: 'last', url: 'nonsense' }, /url: expected the URL of a node/],
    ['a call of no address', { call: { to: 'bad' } }, /call\.to .*: expected a 20-byte address, got "bad"/],
    ['no subject', {}, /name one of transaction, failure and call/],
    [
      'a node that does not answer',
      { failure: 'last', url: 'http://127.0.0.1:9' },
      /no answer from http:\/\/127.0.0.1:9: (?!fetch failed)./,
    ],
  ])('of %s is an error in a sentence', async (_case, settings, sentence) => {
    await debugging(async ({ url }, { client }) => {
      await client.initializeRequest()
      await expect(client.customRequest('launch', { url, ...settings })).rejects.toThrow(sentence)
    })
  })
})

test.each([
  ['leaves out pathFormat, which is then that of the protocol', { adapterID: 'dev-node' }],
  ['sends no arguments', undefined],
])('a client that %s, is answered', async (_case, args) => {
  await withEditor(async ({ client }) => {
    // The library of tests would add arguments.
    expect((await client.send('initialize', args)).success).toBe(true)
  })
})

describe('a node that is started again', () => {
  /** Stops in a purchase on a first node, and runs on a second one with the same URL. */
  const restarted = (run: (second: Scene, editor: Editor) => Promise<void>) =>
    withEditor(async (editor) => {
      let port = 0
      await withShop(hardhat2(plain), async (first) => {
        port = Number(new URL(first.url).port)
        await editor.launch({ url: first.url, transaction: await purchase(first), stopOnEntry: true })
      })
      await withShop(hardhat2(plain), (second) => run(second, editor), { port })
    })

  test('with the same transaction is asked for it', async () => {
    await restarted(async (second, editor) => {
      await purchase(second)
      const next = await editor.step('next')
      expect(next).toMatchObject({ reason: 'step', frames: [{ name: 'Shop.buy' }] })
      expect(next.line).toBeGreaterThan(lineOf('require(sold < 3'))
    })
  })

  test('without it is named', async () => {
    await restarted(async (_second, editor) => {
      await expect(editor.client.nextRequest({ threadId: 1 })).rejects.toThrow(/was started again.*launch/)
    })
  })
})

describe('breakpoints', () => {
  test('have conditions, numbers of visits and texts', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      const lines = {
        [file]: [
          { line: SOLD, condition: 'count == 3' },
          { line: PAID, hitCondition: '2' },
          { line: MOVED, logMessage: 'moves {value}' },
        ],
      }
      const printed = editor.client.waitForEvent('output')
      expect((await editor.launch({ url, transaction }, { lines })).reason).toBe('end')
      expect(editor.printed).toEqual(['moves 200'])
      expect((await printed).body).toMatchObject({ category: 'stdout', source: { path: file }, line: MOVED })
      await editor.client.setBreakpointsRequest({
        source: { path: file },
        breakpoints: [{ line: SOLD, condition: 'count == 2' }],
      })
      expect(await editor.step('reverseContinue')).toMatchObject({ reason: 'breakpoint', line: SOLD })
    })
  })

  test('without a statement or a known source are not verified, and say why', async () => {
    await debugging(async ({ url, file, shop }, editor) => {
      await failed(shop, 'buy', 20)
      await editor.begin('launch', { url, failure: 'last' })
      const at = async (path: string, line: number) => {
        const breakpoints = [{ line }]
        const { body } = await editor.client.setBreakpointsRequest({ source: { path }, breakpoints })
        return body.breakpoints[0]
      }
      expect(await at(file, 500)).toMatchObject({ message: expect.stringContaining('no statement') })
      expect(await at('/other/Thing.sol', 1)).toMatchObject({
        verified: false,
        message: expect.stringContaining('no known contract'),
      })
      expect(await at(file, SOLD)).toMatchObject({ verified: true, line: SOLD })
    })
  })

  test.each([
    ['functions', { functions: [{ name: 'Prices.total' }] }, 'function breakpoint', 'return price * count'],
    ['events', { filterOptions: [{ filterId: 'events', condition: 'Transfer' }] }, 'event', 'emit Transfer'],
  ] as const)('on %s stop', async (_kind, setup, reason, text) => {
    await debugging(async (project, editor) => {
      const transaction = await purchase(project)
      const stop = await editor.launch({ url: project.url, transaction }, setup)
      expect(stop).toMatchObject({ reason, line: lineOf(text) })
    })
  })

  test('on caught failures stop only if all failures are wanted', async () => {
    await debugging(async ({ url, shop }, editor) => {
      const transaction = ((await shop['tryBuy']!(9)) as { hash: string }).hash
      expect((await editor.launch({ url, transaction })).reason).toBe('end')
      await editor.client.setExceptionBreakpointsRequest({ filters: ['all'] })
      expect(await editor.step('reverseContinue')).toMatchObject({ reason: 'exception' })
      const { body } = await editor.client.exceptionInfoRequest({ threadId: 1 })
      expect(body.breakMode).toBe('always')
    })
  })

  test('on data stop where a variable changes', async () => {
    await debugging(async (project, editor) => {
      const { client } = editor
      const transaction = await purchase(project)
      const entry = await editor.launch({ url: project.url, transaction, stopOnEntry: true })
      const { body: scopes } = await client.scopesRequest({ frameId: entry.frames[0]!.id })
      const { variablesReference } = scopes.scopes.find(({ name }) => name === 'State')!
      const { body } = await client.dataBreakpointInfoRequest({ variablesReference, name: 'sold' })
      await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: body.dataId! }] })
      const stop = await editor.step('continue')
      expect(stop).toMatchObject({ reason: 'data breakpoint', line: SOLD, text: 'sold changes from 0 to 2' })
    })
  })
})

describe('steps', () => {
  test('go over, into, out and back, and to the begin of a function', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      await editor.launch({ url, transaction }, { lines: { [file]: [{ line: SOLD }] } })
      expect((await editor.step('next')).line).toBe(PAID)
      const inside = await editor.step('stepIn')
      expect(inside.frames[0]!.name).toBe('Prices.total')
      expect((await editor.step('stepOut')).frames[0]!.name).toBe('Shop.buy')
      expect((await editor.step('stepBack')).line).toBeLessThanOrEqual(PAID)
      const moved = await editor.step('next')
      const restarted = await editor.after(() =>
        editor.client.restartFrameRequest({ frameId: moved.frames.at(-1)!.id }),
      )
      expect(restarted.frames.length).toBeLessThanOrEqual(moved.frames.length)
      expect(restarted.line).toBeLessThan(SOLD)
    })
  })

  test('enter a chosen function of a line', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      const stop = await editor.launch({ url, transaction }, { lines: { [file]: [{ line: PAID }] } })
      const { body } = await editor.client.stepInTargetsRequest({ frameId: stop.frames[0]!.id })
      expect(body.targets.map(({ label }) => label)).toEqual(['Prices.total', 'Token.transferFrom'])
      const inside = await editor.step('stepIn', { targetId: body.targets[1]!.id })
      expect(inside.frames.map(({ name }) => name).slice(0, 2)).toEqual(['Token.transferFrom', 'Shop.buy'])
    })
  })

  test('jump to a line', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      await editor.launch({ url, transaction, stopOnEntry: true })
      const { body } = await editor.client.gotoTargetsRequest({ source: { path: file }, line: MOVED })
      expect(body.targets.map(({ label }) => label)).toEqual(['next visit'])
      const there = await editor.step('goto', { targetId: body.targets[0]!.id })
      expect(there).toMatchObject({ reason: 'goto', line: MOVED })
    })
  })

  test('go by instruction, which the disassembly shows', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      const stop = await editor.launch({ url, transaction }, { lines: { [file]: [{ line: SOLD }] } })
      const next = await editor.step('next', { granularity: 'instruction' })
      const [memoryReference, reached] = [stop, next].map(
        ({ frames }) => frames[0]!.instructionPointerReference!,
      )
      const { body } = await editor.client.disassembleRequest({
        memoryReference: memoryReference!,
        instructionOffset: -2,
        instructionCount: 5,
      })
      const { instructions } = body!
      expect(instructions).toHaveLength(5)
      expect(instructions[2]!.address).toBe(memoryReference)
      expect(instructions[3]!.address).toBe(reached)
      const far = await editor.client.disassembleRequest({
        memoryReference: memoryReference!,
        instructionOffset: -100_000,
        instructionCount: 3,
      })
      expect(far.body!.instructions.map(({ presentationHint }) => presentationHint)).toEqual([
        'invalid',
        'invalid',
        'invalid',
      ])
    })
  })
})

describe('what a stop shows', () => {
  test('are the scopes, with their variables', async () => {
    await debugging(async (project, editor) => {
      const { url, file, buyer } = project
      const transaction = await purchase(project)
      const stop = await editor.launch({ url, transaction }, { lines: { [file]: [{ line: PAID }] } })
      expect((await editor.scope('Locals', stop)).get('count')).toMatchObject({ value: '2' })
      expect((await editor.scope('State', stop)).get('sold')).toMatchObject({
        value: '2',
        evaluateName: 'sold',
      })
      const message = await editor.scope('Message', stop)
      const parts = await editor.parts(message.get('msg')!.variablesReference)
      expect(parts.get('sender')).toMatchObject({ evaluateName: 'msg.sender' })
      expect(parts.get('sender')!.value.toLowerCase()).toBe(buyer.toLowerCase())
      expect((await editor.scope('Stack', stop)).size).toBeGreaterThan(2)
    })
  })

  test('are values of expressions, with their parts', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      const stop = await editor.launch({ url, transaction }, { lines: { [file]: [{ line: PAID }] } })
      expect(await editor.evaluate('sold + count * 2', stop)).toBe('6')
      const { body } = await editor.client.evaluateRequest({
        expression: 'msg',
        frameId: stop.frames[0]!.id,
      })
      expect((await editor.parts(body.variablesReference)).get('sender')).toMatchObject({
        evaluateName: 'msg.sender',
      })
      await expect(editor.evaluate('nothing', stop)).rejects.toThrow(/^there is no nothing here$/)
    })
  })

  test('is the compiled text of a source whose file has changed', async () => {
    await debugging(async (project, editor) => {
      const { url, file } = project
      const transaction = await purchase(project)
      await writeFile(file, '// changed')
      const stop = await editor.launch({ url, transaction }, { functions: [{ name: 'buy' }] })
      const { source } = stop.frames[0]!
      expect(source!.sourceReference).toBeGreaterThan(0)
      const { body } = await editor.client.sourceRequest({ source: source!, sourceReference: 0 })
      expect(body.content).toContain('contract Shop')
      const set = await editor.client.setBreakpointsRequest({
        source: source!,
        breakpoints: [{ line: PAID }],
      })
      expect(set.body.breakpoints).toMatchObject([{ verified: true, line: PAID }])
      expect((await editor.step('continue')).line).toBe(PAID)
      await rm(file)
    })
  })
})
