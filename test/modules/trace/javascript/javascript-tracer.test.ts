import { beforeAll, describe, expect, test } from '@jest/globals'
import { getCreate2Address, getCreateAddress } from 'viem'
import { call, refusal } from '../../../support/node.ts'
import { COW } from '../../../support/signing.ts'
import { EVERYTHING, tracedNode } from '../../../support/tracing.ts'
import type { TracedNode } from '../../../support/tracing.ts'

const PROBE = `0x${'cc'.repeat(20)}` as const

/** The calls, by enter and exit. */
const CALLS = `{
  stack: [{}],
  fault: function () {},
  enter: function (frame) {
    var value = frame.getValue()
    this.stack.push({
      type: frame.getType(), from: toHex(frame.getFrom()), to: toHex(frame.getTo()), input: toHex(frame.getInput()),
      gas: '0x' + frame.getGas().toString(16), value: value === undefined ? undefined : '0x' + value.toString(16),
    })
  },
  exit: function (result) {
    var call = this.stack.pop(), parent = this.stack[this.stack.length - 1]
    call.gasUsed = '0x' + result.getGasUsed().toString(16)
    call.output = toHex(result.getOutput())
    call.error = result.getError()
    parent.calls = (parent.calls || []).concat([call])
  },
  result: function (ctx) {
    return {
      type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to), input: toHex(ctx.input), gas: '0x' + ctx.gas.toString(16),
      value: '0x' + ctx.value.toString(16), gasUsed: '0x' + ctx.gasUsed.toString(16), output: toHex(ctx.output),
      error: ctx.error, calls: this.stack[0].calls,
    }
  },
}`

/** Struct logs, by step. */
const STEPS = `{
  logs: [],
  fault: function () {},
  step: function (log) {
    var stack = [], memory = []
    for (var i = log.stack.length() - 1; i >= 0; i--) stack.push('0x' + log.stack.peek(i).toString(16))
    for (var at = 0; at < log.memory.length(); at += 32) memory.push(toHex(log.memory.slice(at, at + 32)))
    this.logs.push({
      pc: log.getPC(), op: log.op.toString(), gas: log.getGas(), gasCost: log.getCost(), depth: log.getDepth(),
      stack: stack, memory: memory, refund: log.getRefund(),
    })
  },
  result: function () { return this.logs },
}`

/** The slots that SLOAD reads, with their values. */
const READS = `{
  slots: {},
  fault: function () {},
  step: function (log, db) {
    if (log.op.toString() !== 'SLOAD') return
    var account = log.contract.getAddress(), slot = toWord(log.stack.peek(0).toString(16))
    var key = toHex(account) + '/' + toHex(slot)
    if (!(key in this.slots)) this.slots[key] = toHex(db.getState(account, slot))
  },
  result: function () { return this.slots },
}`

const withoutAbsent = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A frame of the callTracer with the members that `CALLS` has. */
function plainFrame({ revertReason: _, output = '0x', to, calls, ...rest }: any): unknown {
  const inner = calls?.map(plainFrame)
  return withoutAbsent({ ...rest, output, to, calls: inner })
}

/** `CALLS` knows the address of a failed creation, as geth's scripts do. */
function plainScriptFrame({ calls, to, ...rest }: any): unknown {
  const hasFailed = rest.type.startsWith('CREATE') && rest.error !== undefined
  return withoutAbsent({ ...rest, to: hasFailed ? undefined : to, calls: calls?.map(plainScriptFrame) })
}

describe('as the named tracers', () => {
  let traced: TracedNode
  let hashes: readonly string[]
  beforeAll(async () => {
    traced = await tracedNode({ network: 'ethereum' })
    const sent: string[] = []
    for (const [name, args, value] of EVERYTHING) sent.push(await traced.send(name, args, value))
    hashes = sent
  })
  const cases = EVERYTHING.map(([name], index) => [name, index] as const)

  test.each(cases)('%s has the calls of the callTracer', async (_name, index) => {
    const script = await traced.trace(hashes[index] as any, { tracer: CALLS })
    const native = await traced.trace(hashes[index] as any, { tracer: 'callTracer' })
    expect(plainScriptFrame(script)).toEqual(plainFrame(native))
  })

  test.each(cases)('%s has the steps of struct logs', async (_name, index) => {
    const script = await traced.trace(hashes[index] as any, { tracer: STEPS })
    const { structLogs } = await traced.trace(hashes[index] as any, {
      disableStorage: true,
      disableMemory: false,
    })
    const native = structLogs.map(({ error: _, reason: __, refund = 0, ...rest }: any) => ({
      ...rest,
      refund,
    }))
    expect(script).toEqual(native)
  })

  test.each(cases)('%s reads the slots of the prestateTracer', async (_name, index) => {
    const script = await traced.trace(hashes[index] as any, { tracer: READS })
    const prestate = await traced.trace(hashes[index] as any, { tracer: 'prestateTracer' })
    const slots = Object.entries<any>(prestate).flatMap(([address, { storage = {} }]) =>
      Object.keys(storage).map((slot) => `${address}/${slot}`),
    )
    const { structLogs } = await traced.trace(hashes[index] as any)
    const loads = structLogs.some(({ op }: any) => op === 'SLOAD')
    expect(Object.keys(script).length > 0).toBe(loads)
    for (const [key, value] of Object.entries(script)) {
      const [address = '', slot = ''] = key.split('/')
      const isNew = prestate[address] === undefined
      if (!isNew) {
        expect(slots).toContain(key)
        // Slots that were written before the first read have another value.
        if (!structLogs.some(({ op }: any) => op === 'SSTORE'))
          expect(value).toBe(prestate[address].storage[slot])
      }
    }
  })
})

/** The result of a tracer for a call of code, which is given as hex digits. */
async function traceCode(code: string, tracer: string, options: object = {}): Promise<any> {
  const { node } = await tracedNode({ network: 'ethereum' })
  const request = { from: COW, to: PROBE, gas: '0x186a0', value: '0x7', data: '0xabcd' }
  const stateOverrides = { [PROBE]: { code: `0x${code}`, balance: '0x5' }, [COW]: { balance: '0x7' } }
  return call(node, 'debug_traceCall', [request, 'latest', { tracer, stateOverrides, ...options }])
}

const withResult = (body: string, more = ''): string =>
  `{ fault: function () {}, ${more} result: function (ctx, db) { ${body} } }`

describe('what tracers get', () => {
  const created = getCreateAddress({ from: COW, nonce: 3n }).toLowerCase()
  const salt = `0x${'00'.repeat(31)}05` as const
  const created2 = getCreate2Address({ from: COW, salt, bytecode: '0x6001' }).toLowerCase()
  const seenByDb = ['12', false, '0x00']
  test.each([
    ['toHex of bytes', 'toHex(toAddress("0xff"))', `0x${'00'.repeat(19)}ff`],
    ['toWord of many bytes', `toHex(toWord("0x11${'22'.repeat(32)}"))`, `0x${'22'.repeat(32)}`],
    ['odd digits', 'toHex(toWord("0xabc"))', `0x${'00'.repeat(30)}0abc`],
    ['toAddress of a list', 'toHex(toAddress([1, 2]))', `0x${'00'.repeat(18)}0102`],
    ['bytes as JSON', 'slice(toAddress("0x0102"), 18, 20)', { 0: 1, 1: 2 }],
    ['isPrecompiled', '[isPrecompiled(toAddress("0x01")), isPrecompiled(toAddress("0xff"))]', [true, false]],
    ['toContract', `toHex(toContract("${COW}", 3))`, created],
    ['toContract2', `toHex(toContract2("${COW}", "0x05", "0x6001"))`, created2],
    ['numbers that are not whole', `toHex(slice(toContract("${COW}", 3.5), 0, 20))`, created],
    ['bigInt', 'bigInt("ff", 16).multiply(bigInt(2)).add(1).toString()', '511'],
    ['a big integer as JSON', 'ctx.value', '7'],
    ['db', '[db.getBalance(ctx.to), db.exists(toAddress("0x99")), toHex(db.getCode(ctx.to))]', seenByDb],
    ['a nonce', 'typeof db.getNonce(ctx.from)', 'number'],
    ['nothing', 'undefined', null],
  ])('%s', async (_name, body, expected) => {
    expect(await traceCode('00', withResult(`return ${body}`))).toEqual(expected)
  })

  test('the context of a transaction', async () => {
    const { node, send, trace, tracer } = await tracedNode({ network: 'ethereum' })
    const hash = await send('send', [PROBE], 7)
    const { from, blockHash, blockNumber, gasUsed } = await call(node, 'eth_getTransactionReceipt', [hash])
    const context = await trace(hash, {
      tracer: withResult(
        'return [ctx.type, toHex(ctx.from), toHex(ctx.to), ctx.value, ctx.gasUsed, ctx.block, toHex(ctx.blockHash), toHex(ctx.txHash), ctx.txIndex, ctx.error]',
      ),
    })
    const numbers = [Number(gasUsed), Number(blockNumber)]
    expect(context).toEqual(['CALL', from, tracer, '7', ...numbers, blockHash, hash, 0, null])
  })

  test('the config in setup', async () => {
    const setup = 'setup: function (text) { this.config = JSON.parse(text) },'
    const tracer = withResult('return this.config', setup)
    const tracerConfig = { limit: 'mine', deep: [1] }
    expect(await traceCode('00', tracer, { tracerConfig })).toEqual(tracerConfig)
    expect(await traceCode('00', tracer)).toEqual({})
  })

  test('the contract of a frame', async () => {
    const tracer = `{ fault: function () {}, step: function (log) { this.seen = [toHex(log.contract.getCaller()),
      toHex(log.contract.getAddress()), log.contract.getValue(), toHex(log.contract.getInput())] }, result: function () { return this.seen } }`
    expect(await traceCode('00', tracer)).toEqual([COW, PROBE, '7', '0xabcd'])
  })

  test('a part of memory between positions that are not whole', async () => {
    const tracer = `{ fault: function () {}, step: function (log) { this.seen = toHex(log.memory.slice(0.9, 1.1)) }, result: function () { return this.seen } }`
    expect(await traceCode('00', tracer)).toBe('0x00')
  })

  const FAULTS = `{ seen: [], fault: function (log) { this.seen.push(['fault', log.op.toString(), log.getError(), log.stack.length()]) },
    step: function (log) { if (log.getError() !== undefined) this.seen.push(['step', log.op.toString(), log.getError()]) },
    result: function (ctx) { return [ctx.error, this.seen] } }`
  test.each([
    // PUSH1 5, PUSH0, PUSH0, REVERT
    ['a revert', '60055f5ffd', ['execution reverted', [['fault', 'REVERT', 'execution reverted', 1]]]],
    [
      'an invalid jump',
      '600056',
      ['invalid jump destination', [['fault', 'JUMP', 'invalid jump destination', expect.any(Number)]]],
    ],
    ['a missing word', '01', ['stack underflow (0 <=> 2)', [['step', 'ADD', 'stack underflow (0 <=> 2)']]]],
    // MSTORE beyond the gas
    ['too little gas', '5f6280000052', ['out of gas', [['step', 'MSTORE', 'out of gas']]]],
  ])('%s', async (_name, code, expected) => {
    expect(await traceCode(code, FAULTS)).toEqual(expected)
  })
})

describe('errors', () => {
  const PLACE = "    in server-side tracer function '"
  const filling = (item: string) => withResult(`var all = []; while (true) all.push(${item})`)
  const stepping = (body: string): string =>
    `{ fault: function () {}, step: function (log, db) { ${body} }, result: function () { return 1 } }`
  test.each([
    ['no JavaScript', '{ result: function ( }', 'SyntaxError: '],
    ['no result', '{ fault: function () {} }', 'trace object must expose a function result()'],
    ['no fault', '{ result: function () {} }', 'trace object must expose a function fault()'],
    [
      'no exit',
      withResult('', 'enter: function () {},'),
      'must expose either both or none of enter() and exit()',
    ],
    ['a throw in step', stepping('throw new Error("mine")'), `Error: mine${PLACE}step'`],
    ['a throw in result', withResult('missing()'), `ReferenceError: 'missing' is not defined${PLACE}result'`],
    ['a throw of text', withResult('throw "text"'), `text${PLACE}result'`],
    ['a missing word', stepping('log.stack.peek(-1)'), `out of bound stack: size 0, index -1${PLACE}step'`],
    ['a caught failure', stepping('try { log.stack.peek(9) } catch (e) {}'), `size 0, index 9${PLACE}step'`],
    [
      'memory backwards',
      stepping('log.memory.slice(-1, -2)'),
      `bound memory: offset -1, end -2${PLACE}step'`,
    ],
    [
      'far memory',
      stepping('log.memory.slice(5, 1025 * 1024)'),
      `padding memory slice: 1049600${PLACE}step'`,
    ],
    ['a word beyond memory', stepping('log.memory.getUint(-64)'), `offset -64, size 32${PLACE}step'`],
    ['a nonce that is none', withResult(`toContract("${COW}", -1)`), `invalid nonce -1${PLACE}result'`],
    ['no bytes', withResult('toHex("0x")'), `invalid buffer type${PLACE}result'`],
    [
      'a slice beyond the end',
      withResult('slice([1], 0, 2)'),
      `available 1, offset 0, size 2${PLACE}result'`,
    ],
    ['too much memory', filling('new Uint8Array(1e6)'), `InternalError: out of memory${PLACE}result'`],
    ['no memory for an error', filling('{ a: 1, b: [1, 2, 3] }'), 'out of memory'],
    [
      'too deep',
      withResult('(function deep() { deep() })()'),
      `InternalError: stack overflow${PLACE}result'`,
    ],
    ['a circle', withResult('var a = {}; a.a = a; return a'), 'TypeError: circular reference'],
  ])('%s', async (_name, tracer, message) => {
    await expect(traceCode('00', tracer)).rejects.toMatchObject({
      kind: 'executionFailed',
      message: expect.stringContaining(message),
    })
  })

  test.each(['new Uint8Array(1e6)', '"x".repeat(1e6) + all.length', 'new Array(1e5).fill(1)'])(
    'memory ends after 64 MB: %s',
    async (million) => {
      const code = `var all = []; try { while (true) all.push(${million}) } catch (error) { return all.length }`
      expect(await traceCode('00', withResult(code))).toBeLessThan(67)
    },
  )

  test.each([
    [{ tracer: 'callTracr' }, 'tracer'],
    [{ tracer: 5 }, 'tracer'],
    [{ tracer: `{${' '.repeat(1_000_000)}}` }, 'code has 1000002 characters, limit 1000000'],
    [{ tracer: '{}', timeout: 'soon' }, 'expected a duration such as "5s"'],
    [{ tracer: '{}', timeout: 5 }, 'expected a duration such as "5s"'],
    [{ tracer: 'erc7562Tracer', tracerConfig: { ignoredOpcodes: ['0x100'] } }, 'ignoredOpcodes'],
  ])('bad option %#', async (options, message) => {
    const { node } = await tracedNode({ network: 'ethereum' })
    const error = await refusal(node, 'debug_traceCall', [{ to: PROBE }, 'latest', options])
    expect(error).toMatchObject({ kind: 'invalidParams', message: expect.stringContaining(message) })
    expect(error.message.length).toBeLessThan(300)
  })
})

describe('blocks', () => {
  test('have the error of each transaction, and the traces of the others', async () => {
    const { node, send } = await tracedNode({ network: 'ethereum' })
    await call(node, 'evm_stopMining')
    const hashes = [await send('fill', [0n, 1n]), await send('nest', [5n], 3), await send('fill', [0n, 2n])]
    await call(node, 'evm_mine')
    const tracer = `{ n: 0, fault: function () {}, step: function () { this.n++ }, enter: function () { throw new Error('a call') }, exit: function () {}, result: function () { return this.n } }`
    const traces = await call(node, 'debug_traceBlockByNumber', ['latest', { tracer }])
    expect(traces).toEqual([
      { txHash: hashes[0], result: expect.any(Number) },
      { txHash: hashes[1], error: "Error: a call    in server-side tracer function 'enter'" },
      { txHash: hashes[2], result: expect.any(Number) },
    ])
    expect(traces[2].result).toBeGreaterThan(traces[0].result)
  })
})
