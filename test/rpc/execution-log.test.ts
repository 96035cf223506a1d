import { runAtOnce } from '../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem'
import type { Dialect } from '../../lib/config/dialect.ts'
import type { BlockLogEntry } from '../../lib/config/request-log.ts'
import { reportBlocks } from '../../lib/rpc/execution-log.ts'
import { loadContracts } from '../support/contracts.ts'
import { call, elapse } from '../support/node.ts'
import { panicData, reverting } from '../support/programs.ts'
import { talkingNode } from '../support/talker.ts'

const linesOf = ({
  console: outputs = [],
}: {
  console?: readonly { lines: readonly string[] }[] | undefined
}) => outputs.map(({ lines }) => lines)

/** A folder with the artifact of the contract. */
async function artifactFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'))
  const { abi, bytecode } = (await loadContracts()).Talker
  await writeFile(join(folder, 'Talker.json'), JSON.stringify({ contractName: 'Talker', abi, bytecode }))
  return folder
}

describe.each(['network-33', 'ethereum'])('console.log on %s', (network) => {
  test('of a call is in the log entry of the request', async () => {
    const { logged, request, talker } = await talkingNode({ network })
    expect((await logged('eth_call', [request('get')])).console).toEqual([
      { kind: 'call', to: talker, lines: ['value is 0.'] },
    ])
  })

  test('of a transaction is in the log entry of the request, once', async () => {
    const { node, logged, request, talker } = await talkingNode({ network })
    const entry = await logged('eth_sendTransaction', [request('set', [5])])
    expect(entry.console).toEqual([
      { kind: 'transaction', hash: entry.transaction?.hash, to: talker, lines: ['value was 0'] },
    ])
    const trace = await logged('debug_traceTransaction', [entry.transaction?.hash])
    expect(trace).not.toHaveProperty('console')
    expect(await logged('debug_traceCall', [request('get'), 'latest'])).not.toHaveProperty('console')
    expect(node.chain.head.block.header.number).toBe(2n)
  })

  test('of an estimate is printed for one run', async () => {
    const { logged, request } = await talkingNode({ network })
    expect(linesOf(await logged('eth_estimateGas', [request('set', [5])]))).toEqual([['value was 0']])
  })

  test('of a reverted call is in its log entry', async () => {
    const { logged, request } = await talkingNode({ network })
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction']) {
      expect(linesOf(await logged(method, [request('refuse', [8])]))).toEqual([['about to refuse 8']])
    }
  })
})

test('the log entry of a failed estimate has the console lines of the estimate', async () => {
  const { logged, request } = await talkingNode({ defaultGas: 'estimate' })
  const entry = await logged('eth_sendTransaction', [{ ...request('refuse', [8]), gas: undefined }])
  expect(entry.console).toMatchObject([{ kind: 'estimate', lines: ['about to refuse 8'] }])
})

test('the request that mines pooled transactions logs their outcomes', async () => {
  const { logged, request } = await talkingNode()
  await logged('evm_stopMining')
  for (const next of [4, 5]) {
    expect(await logged('eth_sendTransaction', [request('set', [next])])).not.toHaveProperty('console')
  }
  expect(await logged('eth_getBlockByNumber', ['pending', true])).not.toHaveProperty('console')
  expect(linesOf(await logged('evm_mine'))).toEqual([['value was 0'], ['value was 4']])
})

describe('a pooled transaction that fails', () => {
  test('is logged with the block of the mining timer, in block order', async () => {
    const { node, host, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    const told: BlockLogEntry[] = []
    const bothAreTold = new Promise<void>((resolve) => {
      reportBlocks(node, { onBlock: (entry) => told.push(entry) === 2 && resolve() })
    })
    runAtOnce(node.miner.setMode({ kind: 'interval', everyMs: 1000 }))
    const hash = await call(node, 'eth_sendTransaction', [request('refuse', [8])])
    await elapse(node, host, 1500)
    await call(node, 'eth_sendTransaction', [request('set', [5])])
    await elapse(node, host, 1000)
    // The name of the error is read from a file.
    await bothAreTold
    const reason = `custom error Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
    expect(told).toMatchObject([
      { blockNumber: 2n, failed: [{ kind: 'transaction', hash, to: talker, reason }] },
      { blockNumber: 3n, console: [{ lines: ['value was 0'] }] },
    ])
  })

  test('is logged once when the request sent it', async () => {
    const { logged, request } = await talkingNode({ dialect: 'ethereum' })
    const entry = await logged('eth_sendTransaction', [request('refuse', [8])])
    expect(entry.transaction?.status).toBe('reverted')
    expect(entry).not.toHaveProperty('failed')
  })
})

test("a world with logging off prints nothing of its timer's blocks", async () => {
  const { node, host, request } = await talkingNode()
  const told: BlockLogEntry[] = []
  reportBlocks(node, { onBlock: (entry) => told.push(entry) })
  for (const [id, isEnabled] of [
    ['loud', true],
    ['silent', false],
  ] as const) {
    const { chain: world } = node.worlds.acquire(id)
    await call(world, 'hardhat_setLoggingEnabled', [isEnabled])
    runAtOnce(world.miner.setMode({ kind: 'interval', everyMs: 1000 }))
    await call(world, 'eth_sendTransaction', [request('set', [5])])
    await elapse(world, host, 1500)
  }
  expect(told.map(({ world }) => world)).toEqual(['loud'])
})

test('a throwing listener does not stop a block and is reported', async () => {
  const { node, host, request } = await talkingNode()
  const faults: unknown[] = []
  const failure = new Error('no')
  const onBlock = () => {
    throw failure
  }
  reportBlocks(node, { onBlock, onFault: (error) => faults.push(error) })
  runAtOnce(node.miner.setMode({ kind: 'interval', everyMs: 1000 }))
  await call(node, 'eth_sendTransaction', [request('set', [5])])
  await elapse(node, host, 2500)
  expect([faults, node.chain.height]).toEqual([[failure], 3n])
})

test('loading a state logs no console lines and failures of its blocks', async () => {
  const { node, logged, request } = await talkingNode({ dialect: 'ethereum' })
  await logged('eth_sendTransaction', [request('set', [5])])
  await logged('eth_sendTransaction', [request('refuse', [5])])
  const state = await call(node, 'dev_dumpState', [{ receipts: false }])
  const entry = await logged('dev_loadState', [state])
  expect([entry.error, entry.console, entry.failed]).toEqual([undefined, undefined, undefined])
  expect(node.chain.height).toBe(3n)
})

/** Hardhat has addresses in quotation marks and tuples in square brackets. */
const asInHardhat = (talker: string): string => `Refused("${getAddress(talker)}", [8, 2], [3, "shield"])`

describe('a custom error', () => {
  test('is named when its artifact is known', async () => {
    const { logged, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
    expect(await logged('eth_call', [request('refuse', [8])])).toMatchObject({
      reason: `custom error ${name}`,
    })
    const sent = await logged('eth_sendTransaction', [request('refuse', [8])], 'hardhat')
    expect(sent.transaction?.reason).toBe(`custom error ${name}`)
    expect(sent.error?.message).toBe(
      `VM Exception while processing transaction: reverted with custom error '${asInHardhat(talker)}'`,
    )
  })

  test('is named in error responses and in their log entry', async () => {
    const { logged, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
    const failed = [{ kind: 'call', to: talker, reason: `custom error ${name}` }]
    const message = `VM Exception while processing transaction: reverted with custom error '${asInHardhat(talker)}'`
    const listed = await logged('eth_createAccessList', [request('refuse', [8])], 'hardhat')
    expect(listed).toMatchObject({ failed, result: { error: message } })
    const calls = [request('get'), request('refuse', [8])]
    const simulated = await logged('eth_simulateV1', [{ blockStateCalls: [{ calls }] }], 'hardhat')
    expect(simulated).toMatchObject({
      failed,
      result: [{ calls: [{ status: '0x1' }, { error: { message } }] }],
    })
  })
})

test.each([
  ['a custom error', '0xe2517d3f', 'custom error 0xe2517d3f'],
  ['a panic', panicData(0x12), 'panic: division or modulo by zero (0x12)'],
  ['nothing', '0x', 'no reason'],
])('the log says why a call reverted with %s once', async (_, data, reason) => {
  const { logged } = await talkingNode()
  const reverted = (dialect: Dialect) => logged('eth_call', [{ data: reverting(data) }], dialect)
  expect(await reverted('node33')).toMatchObject({ reason })
  expect(await reverted('hardhat')).not.toHaveProperty('reason')
})
