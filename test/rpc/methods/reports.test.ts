import { describe, expect, test } from '@jest/globals'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COVERED, compileCovered, withCovered } from '../../support/covered.ts'
import type { CoveredScene } from '../../support/covered.ts'
import { PLAIN } from '../../insight/explain/failures/failing-contracts.ts'
import { countsOfLcov } from '../../modules/coverage/lcov.ts'
import { call, freshNode, refusal, dispatcherOf } from '../../support/node.ts'
import { KEPT_FOR_MS, MAX_KEPT, RequestHistory } from '../../../lib/rpc/request-history.ts'
import { rpc } from '../../support/server.ts'

const run = await compileCovered(PLAIN)
const { createCoverageMap } = createRequire(import.meta.url)('istanbul-lib-coverage')

/** Runs a test with a folder for files. */
async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-coverage-'))
  try {
    await test(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const functionsIn = async (folder: string) =>
  countsOfLcov(await readFile(join(folder, 'lcov.info'), 'utf8')).get(COVERED)!.functions

test('counts from the start to a reset, and not what is traced again', async () => {
  await withCovered(run, {}, async ({ request, deploy, send, call }) => {
    await expect(request('dev_coverage')).rejects.toThrow('coverage is off: start the node with --coverage')
    const covered = await deploy('Covered')
    await request('dev_startCoverage')
    const classified = async () => {
      const { lcov } = await request('dev_coverage', [{ lcov: true }])
      return countsOfLcov(lcov).get(COVERED)!.functions['Covered.classify']
    }
    expect(await classified()).toBe(0)
    await call('Covered', covered, 'classify', 3)
    await send('Covered', covered, 'classify', 13)
    expect(await classified()).toBe(2)
    const { transactions } = await request('eth_getBlockByNumber', ['latest', false])
    await request('debug_traceTransaction', transactions)
    await request('dev_explainTransaction', transactions)
    expect(await classified()).toBe(2)
    await request('dev_resetCoverage')
    expect(await classified()).toBe(0)
  })
})

test('counts what the default chain and two worlds execute at the same time, together', async () => {
  await withCovered(run, {}, async (main, worldOf) => {
    await main.request('dev_startCoverage')
    const scenes = [main, worldOf('a'), worldOf('b')]
    const use = async ({ deploy, send, call }: CoveredScene, times: number) => {
      const covered = await deploy('Covered')
      for (let count = 0; count < times; count++) await call('Covered', covered, 'classify', 3)
      await send('Covered', covered, 'classify', 13)
    }
    await Promise.all(scenes.map((scene, index) => use(scene, index + 1)))
    for (const { request } of scenes) {
      const { lcov } = await request('dev_coverage', [{ lcov: true }])
      const counts = countsOfLcov(lcov).get(COVERED)!.functions
      expect(counts['Covered.classify']).toBe(2 + 3 + 4)
    }
    await scenes[1]!.request('dev_resetCoverage')
    const { summary } = await main.request('dev_coverage')
    expect(summary[0].functions.covered).toBe(0)
  })
})

test('the summary is that of Istanbul', async () => {
  await withCovered(run, {}, async ({ request, deploy, send }) => {
    await request('dev_startCoverage')
    await send('Covered', await deploy('Covered'), 'set', 101)
    const { summary, istanbul, unknownCodes } = await request('dev_coverage')
    expect(unknownCodes).toBe(0)
    const map = createCoverageMap(istanbul)
    const { lines, statements, functions, branches } = map.fileCoverageFor(COVERED).toSummary().data
    const share = ({ total, covered }: any) => ({ total, covered })
    expect(summary).toEqual([
      {
        path: COVERED,
        lines: share(lines),
        statements: share(statements),
        functions: share(functions),
        branches: share(branches),
      },
    ])
    expect(lines.covered).toBeGreaterThan(0)
  })
})

describe('files', () => {
  test('are written on demand, and by each close anew', () =>
    withFolder(async (folder) => {
      await withCovered(run, { coverage: folder }, async ({ request, deploy, call }) => {
        const covered = await deploy('Covered')
        await call('Covered', covered, 'classify', 3)
        await request('dev_coverage', [{ write: true }])
        expect((await functionsIn(folder))['Covered.classify']).toBe(1)
        await call('Covered', covered, 'classify', 3)
      })
      expect((await functionsIn(folder))['Covered.classify']).toBe(2)
      await withCovered(run, { coverage: folder }, async () => undefined)
      expect((await functionsIn(folder))['Covered.classify']).toBe(0)
    }))

  test('are added to those of an earlier run with the option coverageMerge', () =>
    withFolder(async (folder) => {
      for (const times of [1, 2])
        await withCovered(
          run,
          { coverage: folder, coverageMerge: true },
          async ({ request, deploy, call }) => {
            const covered = await deploy('Covered')
            for (let time = 0; time < times; time++) await call('Covered', covered, 'classify', 3)
            await request('dev_coverage', [{ write: true }])
          },
        )
      expect((await functionsIn(folder))['Covered.classify']).toBe(3)
      const written = JSON.parse(await readFile(join(folder, 'coverage-final.json'), 'utf8'))
      expect(createCoverageMap(written).files()).toEqual([COVERED])
    }))
})

test.each([
  ['contracts', 'the artifacts in the folders .* name no source that is not excluded'],
  ['*.sol', 'name no source that is not excluded'],
])('excluded by %s', async (pattern, message) => {
  await withCovered(run, { coverageExclude: [pattern] }, async ({ request }) => {
    await request('dev_startCoverage')
    await expect(request('dev_coverage')).rejects.toThrow(new RegExp(message))
  })
})

test('without ASTs the error says what is missing', async () => {
  const { output, input } = run
  const sources = Object.fromEntries(
    Object.entries(output.sources).map(([path, { id }]) => [path, { id } as never]),
  )
  await withCovered({ input, output: { ...output, sources } }, {}, async ({ request }) => {
    await request('dev_startCoverage')
    await expect(request('dev_coverage')).rejects.toThrow(
      `no coverage: the artifacts of 1 sources, such as ${COVERED}, lack the AST or the text; Foundry writes the AST with ast = true in foundry.toml`,
    )
  })
})

test('without artifacts the error says where they were sought', async () => {
  const empty = { input: run.input, output: { contracts: {}, sources: {} } }
  await withCovered(empty, {}, async ({ request, folder }) => {
    await request('dev_startCoverage')
    await expect(request('dev_coverage')).rejects.toThrow(
      `no coverage: the folders ${folder} contain no artifacts`,
    )
  })
})

test.each(['ethereum', 'network-33'])(
  'dev_crossChecks counts the blocks of %s that were run twice',
  async (network) => {
    const node = await freshNode({ network, crossCheck: true })
    const [from, to] = await call(node, 'eth_accounts')
    const none = await call(node, 'dev_crossChecks')
    expect(none).toEqual({ blocks: 0, transactions: 0, failures: 0, reports: [] })
    await call(node, 'evm_mine')
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { transactions, ...others } = await call(node, 'dev_crossChecks')
    expect(others).toEqual({ blocks: 2, failures: 0, reports: [] })
    // Each block of network 33 may end with a transaction of the network.
    expect(transactions).toBe(node.network.systemTransaction ? 3 : 1)
  },
)

const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', `0x${'aa'.repeat(20)}`]
const ROW = '| transfer of value |     1 |      0 | 21,000 | 21,000 | 21,000 | 21,000 |       0.1% |'

describe('dev_gasReport', () => {
  test('answers JSON, or Markdown if it is asked for', async () => {
    const node = await freshNode({ network: 'ethereum', gasReport: true })
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    expect(await call(node, 'dev_gasReport')).toEqual(await call(node, 'dev_gasReport', ['json']))
    expect(await call(node, 'dev_gasReport', ['markdown'])).toContain(ROW)
    expect((await refusal(node, 'dev_gasReport', ['html'])).message).toContain(
      'expected one of json, markdown',
    )
  })

  test('is null, and dev_resetGasReport false, without --gas-report', async () => {
    const node = await freshNode({ network: 'ethereum' })
    expect(await call(node, 'dev_gasReport')).toBeNull()
    expect(await call(node, 'dev_resetGasReport')).toBe(false)
  })

  test('is empty after dev_resetGasReport', async () => {
    const node = await freshNode({ network: 'ethereum', gasReport: true })
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    expect(await call(node, 'dev_resetGasReport')).toBe(true)
    expect(await call(node, 'dev_gasReport')).toEqual({ version: 1, contracts: [] })
  })
})

test('dev_memory answers what the chain holds, and the memory of the process', async () => {
  const node = await freshNode({ network: 'ethereum', keepStates: 8 })
  for (let mined = 0; mined < 20; mined++) await call(node, 'evm_mine')
  await call(node, 'evm_snapshot')
  await call(node, 'dev_createWorld', [{ id: 'one' }])
  const from = node.funded[0]!.address
  await call(node, 'eth_sendTransaction', [{ from, to: from, gas: '0x5208', nonce: '0x999' }])
  const { process, states, ...counts } = await call(node, 'dev_memory')
  expect(counts).toEqual({ blocks: 21, transactions: 1, snapshots: 1, worlds: 1 })
  expect(states).toBeGreaterThanOrEqual(10)
  expect(states).toBeLessThan(13)
  expect(process.rss).toBeGreaterThan(process.heap)
})

/** A node whose clock the test sets, and a client that sends it requests. */
async function observed(options = {}) {
  const node = await freshNode({ dialect: 'ethereum' })
  const clock = { ms: 1_700_000_000_000 }
  const now = () => clock.ms
  const history = new RequestHistory({ now, elapsed: now }, options)
  const dispatcher = dispatcherOf(node, { history, now })
  const send = async (method: string, params: readonly unknown[] = [], id: unknown = 1): Promise<any> =>
    JSON.parse((await dispatcher.answer(rpc(method, params, id), 'ethereum'))!).result
  return {
    clock,
    history,
    node,
    send,
    requests: (filter = {}) => send('dev_requests', [filter], 'explorer-1'),
  }
}

describe('dev_requests', () => {
  test('keeps requests from the first call on, with params and outcome', async () => {
    const { send, requests } = await observed()
    await send('eth_chainId')
    expect(await requests()).toEqual({ requests: [], last: 0 })
    await send('eth_getBalance', [`0x${'11'.repeat(20)}`, 'latest'])
    await send('eth_nothing')
    const { requests: kept, last } = await requests()
    expect(last).toBe(2)
    expect(kept).toEqual([
      {
        number: 1,
        time: '2023-11-14T22:13:20.000Z',
        method: 'eth_getBalance',
        world: null,
        durationMs: 0,
        params: { text: `["0x${'11'.repeat(20)}","latest"]`, length: 55 },
        result: { text: '"0x0"', length: 5 },
      },
      expect.objectContaining({
        number: 2,
        error: { code: -32601, message: expect.stringContaining('eth_nothing') },
      }),
    ])
  })

  test('keeps requests from the start, large results from the first call on, and the id of a failure', async () => {
    const { node, send, requests } = await observed({ isFromStart: true })
    await send('eth_gasPrice')
    await send('eth_getBlockByNumber', ['latest', false])
    const code = '0x60006000fd'
    await send('eth_call', [{ from: node.funded[0]!.address, data: code }])
    const [price, block, failed] = (await requests()).requests
    expect([price.result.text, block.result]).toEqual([expect.stringMatching(/^"0x/), undefined])
    const [{ id }] = await send('dev_failures')
    expect(failed.error.failure).toBe(id)
    await send('eth_getBlockByNumber', ['latest', false])
    expect((await requests({ method: 'eth_getBlockByNumber' })).requests[1].result.text).toContain('number')
  })

  test('leaves out requests of the page', async () => {
    const { send, requests } = await observed()
    await requests()
    await send('eth_chainId', [], 'explorer-2')
    await send('eth_chainId', [], 'mine')
    expect((await requests()).requests).toHaveLength(1)
  })

  test.each([
    ['personal_importRawKey', [`0x${'00'.repeat(31)}02`, 'my secret']],
    ['personal_unlockAcount', [`0x${'11'.repeat(20)}`, 'my secret']],
    ['personal_unlockAccount', [`0x${'11'.repeat(20)}`, 'my secret']],
  ])('shows no secret of %s', async (method, params) => {
    const { send, requests } = await observed()
    await requests()
    await send(method, params)
    const { requests: kept } = await requests()
    expect(kept).toMatchObject([{ method, params: { text: '"(not shown)"' } }])
    expect(JSON.stringify(kept)).not.toMatch(/my secret|0{31}2/)
  })

  test('filters by number, method and world', async () => {
    const { history, send, requests } = await observed()
    await requests()
    await send('eth_chainId')
    await send('eth_gasPrice')
    history.add({ method: 'eth_chainId', params: [], world: 'one', durationMs: 1 })
    const numbers = async (filter: object) =>
      (await requests(filter)).requests.map(({ number }: { number: number }) => number)
    expect(await numbers({ after: 1 })).toEqual([2, 3])
    expect(await numbers({ method: 'eth_chainId' })).toEqual([1, 3])
    expect(await numbers({ world: 'one' })).toEqual([3])
  })

  test('keeps the newest, with the beginnings of long texts', async () => {
    const { send, requests } = await observed()
    await requests()
    for (let sent = 0; sent < 2 * MAX_KEPT + 5; sent++) await send('web3_sha3', ['0x'])
    await send('web3_sha3', [`0x${'00'.repeat(20_000)}`])
    const { requests: kept, last } = await requests()
    expect([kept.length, kept[0].number, last]).toEqual([MAX_KEPT, MAX_KEPT + 7, 2 * MAX_KEPT + 6])
    const { text, length } = kept.at(-1).params
    expect([text.length, length]).toEqual([20_000, 40_006])
  })

  test('keeps a request whose params are too deep for JSON.stringify, which Node 26 writes at any depth', async () => {
    const { history, requests } = await observed()
    await requests()
    const params: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
    history.add({ method: 'eth_call', params, durationMs: 1, error: { code: -32602, message: 'deep' } })
    const { text } = (await requests()).requests.at(-1).params
    expect(text).toMatch(/^("nested too deeply to be kept"|\[+\]+)$/)
  })

  test('keeps nothing when no client has asked for a while', async () => {
    const { clock, history, send, requests } = await observed()
    await requests()
    await send('eth_chainId')
    clock.ms += KEPT_FOR_MS
    await send('eth_chainId')
    expect(history.keeps(1)).toBe(false)
    expect((await requests()).requests).toEqual([])
  })
})
