/** Where breakpoints of each kind stop. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Interface } from 'ethers'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { Opened, PATH, lineAt, lineOf, startMarket } from './market.ts'
import type { AskNode } from './market.ts'
import { call, freshNode } from '../../support/node.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => {
  scene = await startMarket()
  await scene.send('fill', [50])
})
afterAll(() => scene.end())

/** All stops of a breakpoint from the begin to the end, with the line of each. */
async function stopsOf(opened: Opened, ...breakpoints: readonly object[]) {
  const stops: { reason: string; step: number; line: number | undefined; text?: string | undefined }[] = []
  for (let step = 0; ;) {
    const stop = await opened.move(step, 'run', { breakpoints })
    if (stop.reason === 'end') return stops
    stops.push({
      reason: stop.reason,
      step: stop.step,
      line: await opened.lineAt(stop.step),
      text: stop.text,
    })
    step = stop.step
  }
}

const SUMS = lineAt('sum += i')

describe('a breakpoint on a line', () => {
  test('stops at each visit, and backwards at the same steps', async () => {
    const loop = await scene.record('count', [4])
    const stops = await stopsOf(loop, SUMS)
    expect(stops.map(({ line, reason }) => [line, reason])).toEqual(Array(4).fill([SUMS.line, 'breakpoint']))
    const back: number[] = []
    for (let step = loop.summary.last; ;) {
      const stop = await loop.back(step, 'run', [SUMS])
      if (stop.reason === 'start') break
      back.push(stop.step)
      ;({ step } = stop)
    }
    expect(back.toReversed()).toEqual(stops.map(({ step }) => step))
  })

  test('without a statement stops at the next statement', async () => {
    const sale = await scene.record('sell', [10])
    const [stop] = await stopsOf(sale, { ...lineAt('function withFee') })
    expect(stop!.line).toBe(lineOf('return price + FEE'))
  })

  test('of a file is that of the source whose path it ends with', async () => {
    const sale = await scene.record('sell', [10])
    const one = lineAt('return price + FEE')
    expect(await stopsOf(sale, { ...one, path: `/home/user/project/${PATH}` })).toHaveLength(1)
    expect(await stopsOf(sale, { ...one, path: `C:\\project\\contracts\\Market.sol` })).toHaveLength(1)
    expect(await stopsOf(sale, { ...one, path: 'contracts/Supermarket.sol' })).toEqual([])
  })

  test.each([
    ['3', ['2']],
    ['== 3', ['2']],
    ['>= 5', ['4', '5']],
    ['< 3', ['0', '1']],
    ['% 2', ['1', '3', '5']],
  ])('stops at the hits %s', async (hitCondition, expected) => {
    const loop = await scene.record('count', [6])
    const stops = await stopsOf(loop, { ...SUMS, hitCondition })
    expect(await Promise.all(stops.map(({ step }) => loop.evaluate(step, 'i')))).toEqual(expected)
  })

  test('counts only hits at which its condition holds', async () => {
    const loop = await scene.record('count', [6])
    const [stop] = await stopsOf(loop, { ...SUMS, condition: 'i > 2', hitCondition: '2' })
    expect(await loop.evaluate(stop!.step, 'i')).toBe('4')
  })

  test('with a text logs it, and does not stop', async () => {
    const loop = await scene.record('count', [3])
    const log = { ...SUMS, id: 7, log: 'i is {i}, {sum + 1}, {nothing}' }
    const { logs, reason } = await loop.move(0, 'run', { breakpoints: [log] })
    expect(reason).toBe('end')
    expect(logs.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^i is 0, 1, \(.*nothing.*\)$/),
      expect.stringMatching(/^i is 1, 1, /),
      expect.stringMatching(/^i is 2, 2, /),
    ])
    expect(logs[0]!.breakpoint).toBe(7)
    expect(await loop.back(loop.summary.last, 'run', [log])).toMatchObject({ reason: 'start', logs: [] })
  })

  test.each([
    ['nothing > 2', 'there is no nothing here'],
    ['i >', 'unexpected end at position 4 of the expression "i >"'],
    ['i', 'expected a bool, not uint256'],
  ])('with the wrong condition %s stops, and says what is wrong', async (condition, problem) => {
    const loop = await scene.record('count', [2])
    const breakpoints = [{ ...SUMS, condition }]
    expect(await loop.move(0, 'run', { breakpoints })).toMatchObject({
      reason: 'breakpoint',
      breakpoints: [1],
      logs: [{ breakpoint: 1, text: `condition ${condition}: ${problem}` }],
    })
  })

  test('meets others at the same step together', async () => {
    const loop = await scene.record('count', [2])
    const breakpoints = [SUMS, { ...SUMS, id: 2 }, { ...SUMS, id: 3, condition: 'i == 9' }]
    expect(await loop.move(0, 'run', { breakpoints })).toMatchObject({ breakpoints: [1, 2] })
  })
})

describe('a breakpoint on', () => {
  test('a function stops at its first statement, also by the name of its contract', async () => {
    const recursion = await scene.record('factorialPaid', [3])
    const named = (name: string) => stopsOf(recursion, { id: 1, kind: 'function', name })
    expect((await named('factorial')).map(({ line, reason }) => [line, reason])).toEqual(
      Array(3).fill([lineOf('if (n < 2)'), 'function']),
    )
    expect(await named('Market.factorial')).toEqual(await named('factorial'))
    expect(await named('Purse.factorial')).toEqual([])
    expect(await named('torial')).toEqual([])
  })

  test('a modifier stops where it begins, and not again after the body of its function', async () => {
    const sale = await scene.record('sell', [10])
    const stops = await stopsOf(sale, { id: 1, kind: 'function', name: 'Owned.onlyOwner' })
    expect(stops).toMatchObject([{ line: lineOf('require(msg.sender == owner'), reason: 'function' }])
  })

  test('reverts stops at all of them or at those that nobody catches', async () => {
    const caught = await scene.record('tryTake', [100])
    const all = await stopsOf(caught, { id: 1, kind: 'revert', which: 'all' })
    expect(all).toMatchObject([{ reason: 'exception', line: lineOf('revert TooPoor') }])
    expect(all[0]!.text).toMatch(/TooPoor\(0x\w+, 49\)/)
    expect(await stopsOf(caught, { id: 1, kind: 'revert', which: 'uncaught' })).toEqual([])
    const uncaught = await scene.record('take', [100])
    const [stop] = await stopsOf(uncaught, { id: 1, kind: 'revert', which: 'uncaught' })
    expect(stop).toMatchObject({ reason: 'exception', step: uncaught.summary.failure })
  })

  test('events stops at their statement', async () => {
    const sale = await scene.record('sell', [10])
    const named = (name?: string) => stopsOf(sale, { id: 1, kind: 'event', ...(name && { name }) })
    const sold = [
      {
        reason: 'event',
        line: lineOf('emit Sold'),
        text: expect.stringMatching(/^event Market.Sold\(.*price.*13\)$/),
      },
    ]
    expect(await named('Sold')).toMatchObject(sold)
    expect(await named('Market.Sold')).toMatchObject(sold)
    expect(await named()).toMatchObject(sold)
    expect(await named('Transfer')).toEqual([])
  })

  test('calls stops before each message and creation', async () => {
    const filled = await scene.record('fill', [50])
    const stops = await stopsOf(filled, { id: 1, kind: 'call' })
    expect(stops.map(({ text, line }) => [text, line])).toEqual([
      ['create of Purse', lineOf('new Purse')],
      ['call of Purse', lineOf('purse.take(1)')],
    ])
  })

  test('writes stops where a slot changes, with both values', async () => {
    const loop = await scene.record('count', [4])
    const stops = await stopsOf(loop, { id: 1, kind: 'write' })
    expect(stops).toMatchObject([{ reason: 'write', line: lineOf('total = sum') }])
    expect(stops[0]!.text).toMatch(/^total changes from \d+ to 6$/)
    const again = await scene.record('count', [4])
    expect(await stopsOf(again, { id: 1, kind: 'write' })).toEqual([])
  })

  test('a variable stops at writes of it only', async () => {
    const sale = await scene.record('sell', [10])
    const variables = await sale.ask('dev_debugVariables', sale.summary.first, 0, ['state'])
    const { stored } = variables.find(({ name }: { name: string }) => name === 'rank')
    const stops = await stopsOf(sale, { id: 1, kind: 'write', stored })
    expect(stops).toMatchObject([
      { line: lineOf('rank++'), text: expect.stringMatching(/^rank changes from \d+ to \d+$/) },
    ])
  })
})

/** A new node that knows a contract, and the recording of a call of it. */
async function withCall(
  source: string,
  name: string,
  args: readonly unknown[],
  run: (opened: Opened) => Promise<void>,
  settings: object = {},
) {
  const path = 'contracts/Called.sol'
  const compiled = compileProject({ [path]: source }, settings)
  const folder = await writeProject(hardhat2(compiled))
  const node = await freshNode({ network: 'ethereum', artifacts: [join(folder, 'artifacts')] })
  const ask: AskNode = (method, params) => call(node, method, params)
  const [from] = await ask('eth_accounts')
  const { abi, evm } = compiled.output.contracts[path]!['Called']!
  const created = await ask('eth_sendTransaction', [{ from, data: `0x${evm.bytecode.object}` }])
  const { contractAddress: to } = await ask('eth_getTransactionReceipt', [created])
  const data = new Interface(abi as never).encodeFunctionData(name, args)
  await run(new Opened(ask, await ask('dev_debugOpen', [{ call: { from, to, data } }])))
  await node.close()
  await rm(folder, { recursive: true })
}

test('a write of a value with a text as its key names the key', async () => {
  const source =
    'contract Called { mapping(string => mapping(bytes => uint8)) ages; ' +
    'function set(string calldata name, bytes calldata tag, uint8 age) external { ages[name][tag] = age; } }'
  await withCall(source, 'set', ['Ada', '0x0102', 36], async (opened) => {
    const stops = await stopsOf(opened, { id: 1, kind: 'write' })
    expect(stops).toMatchObject([{ text: 'ages["Ada"][0x0102] changes from 0 to 36' }])
  })
})

test('the end is in the function that ran last, not in its modifier, also by the IR pipeline', async () => {
  const source =
    'contract Called { uint256 x; modifier small(uint256 y) { require(y < 9); _; }\n' +
    'function set(uint256 y) external small(y) {\n x = y; } }'
  const run = async (opened: Opened) => expect(await opened.lineAt(opened.summary.last)).toBe(3)
  await withCall(source, 'set', [5], run, { viaIR: true })
})
