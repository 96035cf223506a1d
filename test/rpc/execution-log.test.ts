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
  test('of a call is in its log entry', async () => {
    const { logged, request, talker } = await talkingNode({ network })
    expect((await logged('eth_call', [request('get')])).console).toEqual([
      { kind: 'call', to: talker, lines: ['value is 0.'] },
    ])
  })

  test('of a transaction is in its log entry, once', async () => {
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

  test('of an estimate is that of one run', async () => {
    const { logged, request } = await talkingNode({ network })
    expect(linesOf(await logged('eth_estimateGas', [request('set', [5])]))).toEqual([['value was 0']])
  })

  test('of a revert is there all the same', async () => {
    const { logged, request } = await talkingNode({ network })
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction']) {
      expect(linesOf(await logged(method, [request('refuse', [8])]))).toEqual([['about to refuse 8']])
    }
  })
})

test('every kind of value is read', async () => {
  const { logged, request, talker } = await talkingNode()
  expect(linesOf(await logged('eth_call', [request('speak')]))).toEqual([
    ['', 'true', '-5', '6', '0x01020304', '0xc0ffee', `${getAddress(talker)} false 7 end`],
  ])
})

describe('hostile payloads', () => {
  const LOG_STRING = '0x41304fac'
  test.each([
    ['none', '0x'],
    ['too short', `${LOG_STRING}00`],
    ['of a huge length', `${LOG_STRING}${'20'.padStart(64, '0')}${'f'.repeat(64)}`],
    ['with an offset to itself', `${LOG_STRING}${'0'.repeat(128)}`],
  ])('%s: the call succeeds, and is told', async (_case, payload) => {
    const { logged, request } = await talkingNode()
    const entry = await logged('eth_call', [request('say', [payload])])
    expect(entry.error).toBeUndefined()
    expect(linesOf(entry)[0]).toHaveLength(1)
  })
})

test('an execution that says nothing has nothing to carry', async () => {
  const { node } = await talkingNode()
  const [from, to] = (await call(node, 'eth_accounts')) as readonly string[]
  const hash = await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
  expect(node.chain.receipt(hash)?.receipt.outcome.consoleCalls).toBeUndefined()
})

test('an estimate that fails before a transaction is sent says what it said', async () => {
  const { logged, request } = await talkingNode({ defaultGas: 'estimate' })
  const entry = await logged('eth_sendTransaction', [{ ...request('refuse', [8]), gas: undefined }])
  expect(entry.console).toMatchObject([{ kind: 'estimate', lines: ['about to refuse 8'] }])
})

test('transactions that waited are told by whoever has them mined', async () => {
  const { logged, request } = await talkingNode()
  await logged('evm_stopMining')
  for (const next of [4, 5]) {
    expect(await logged('eth_sendTransaction', [request('set', [next])])).not.toHaveProperty('console')
  }
  expect(await logged('eth_getBlockByNumber', ['pending', true])).not.toHaveProperty('console')
  expect(linesOf(await logged('evm_mine'))).toEqual([['value was 0'], ['value was 4']])
})

test('a block that a timer makes is told as nobody’s', async () => {
  const { node, host, request } = await talkingNode()
  const spoken: BlockLogEntry[] = []
  reportBlocks(node, { onBlock: (entry) => spoken.push(entry) })
  const { chain: world } = node.worlds.enter('worker-1')
  for (const one of [node, world]) {
    await call(one, 'evm_stopMining')
    await call(one, 'eth_sendTransaction', [request('set', [5])])
    one.miner.setMode({ kind: 'interval', everyMs: 1000 })
    await elapse(one, host, 2500)
  }
  const said = { blockNumber: 2n, console: [expect.objectContaining({ lines: ['value was 0'] })] }
  expect(spoken).toEqual([said, { ...said, world: 'worker-1' }])
})

describe('what failed and waited', () => {
  test('is told, with its name, by whoever has it mined', async () => {
    const { logged, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    await logged('evm_stopMining')
    const { result: hash } = await logged('eth_sendTransaction', [request('refuse', [8])])
    const reason = `custom error Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
    expect((await logged('evm_mine')).failed).toEqual([{ kind: 'transaction', hash, to: talker, reason }])
  })

  test('is told with the block that a timer makes, in the order of the blocks', async () => {
    const { node, host, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    const told: BlockLogEntry[] = []
    const bothAreTold = new Promise<void>((resolve) => {
      reportBlocks(node, { onBlock: (entry) => told.push(entry) === 2 && resolve() })
    })
    node.miner.setMode({ kind: 'interval', everyMs: 1000 })
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

  test('is told once where it is the transaction that was sent', async () => {
    const { logged, request } = await talkingNode({ dialect: 'ethereum' })
    const entry = await logged('eth_sendTransaction', [request('refuse', [8])])
    expect(entry.transaction?.status).toBe('reverted')
    expect(entry).not.toHaveProperty('failed')
  })
})

test('where logging is off in a world, nothing is told of the blocks that its timer makes', async () => {
  const { node, host, request } = await talkingNode()
  const told: BlockLogEntry[] = []
  reportBlocks(node, { onBlock: (entry) => told.push(entry) })
  for (const [id, isEnabled] of [
    ['loud', true],
    ['silent', false],
  ] as const) {
    const { chain: world } = node.worlds.enter(id)
    await call(world, 'hardhat_setLoggingEnabled', [isEnabled])
    world.miner.setMode({ kind: 'interval', everyMs: 1000 })
    await call(world, 'eth_sendTransaction', [request('set', [5])])
    await elapse(world, host, 1500)
  }
  expect(told.map(({ world }) => world)).toEqual(['loud'])
})

test('a listener that fails stops no block, and is told of', async () => {
  const { node, host, request } = await talkingNode()
  const faults: unknown[] = []
  const failure = new Error('no')
  const onBlock = () => {
    throw failure
  }
  reportBlocks(node, { onBlock, onFault: (error) => faults.push(error) })
  node.miner.setMode({ kind: 'interval', everyMs: 1000 })
  await call(node, 'eth_sendTransaction', [request('set', [5])])
  await elapse(node, host, 2500)
  expect([faults, node.chain.height]).toEqual([[failure], 3n])
})

test('what a chain that is loaded once said and failed at is not told', async () => {
  const { node, logged, request } = await talkingNode({ dialect: 'ethereum' })
  await logged('eth_sendTransaction', [request('set', [5])])
  await logged('eth_sendTransaction', [request('refuse', [5])])
  const state = await call(node, 'node_dumpState', [{ receipts: false }])
  const entry = await logged('node_loadState', [state])
  expect([entry.error, entry.console, entry.failed]).toEqual([undefined, undefined, undefined])
  expect(node.chain.height).toBe(3n)
})

test('every simulated call is told', async () => {
  const { logged, request } = await talkingNode()
  const calls = [request('set', [3]), request('get')]
  const entry = await logged('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest'])
  expect(linesOf(entry)).toEqual([['value was 0'], ['value is 3.']])
})

describe('a custom error', () => {
  test('is named where its artifact is known', async () => {
    const { logged, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
    expect(await logged('eth_call', [request('refuse', [8])])).toMatchObject({
      reason: `custom error ${name}`,
    })
    const sent = await logged('eth_sendTransaction', [request('refuse', [8])], 'hardhat')
    expect(sent.transaction?.reason).toBe(`custom error ${name}`)
    expect(sent.error?.message).toBe(
      `VM Exception while processing transaction: reverted with custom error '${name}'`,
    )
  })

  test('is named in answers that tell of it, and in their log entry', async () => {
    const { logged, request, talker } = await talkingNode({ artifacts: [await artifactFolder()] })
    const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
    const failed = [{ kind: 'call', to: talker, reason: `custom error ${name}` }]
    const message = `VM Exception while processing transaction: reverted with custom error '${name}'`
    const listed = await logged('eth_createAccessList', [request('refuse', [8])], 'hardhat')
    expect(listed).toMatchObject({ failed, result: { error: message } })
    const calls = [request('get'), request('refuse', [8])]
    const simulated = await logged('eth_simulateV1', [{ blockStateCalls: [{ calls }] }], 'hardhat')
    expect(simulated).toMatchObject({
      failed,
      result: [{ calls: [{ status: '0x1' }, { error: { message } }] }],
    })
  })

  test('is named in the log of an estimate that fails, or is answered all the same', async () => {
    const artifacts = [await artifactFolder()]
    for (const release of ['6.4.0', '7.2.0']) {
      const { logged, request, talker } = await talkingNode({ artifacts, release })
      const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
      const { reason, failed = [] } = await logged('eth_estimateGas', [request('refuse', [8])])
      expect([reason ?? failed[0]?.reason]).toEqual([`custom error ${name}`])
    }
  })

  test('is a selector where it is not', async () => {
    const { logged, request } = await talkingNode()
    const entry = await logged('eth_sendTransaction', [request('refuse', [8])], 'hardhat')
    expect(entry.transaction?.reason).toMatch(/^custom error 0x[0-9a-f]{8}$/)
    expect(entry.error?.message).toContain('unrecognized custom error')
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

test('a folder of artifacts that is none ends the start', async () => {
  await expect(talkingNode({ artifacts: ['/does/not/exist'] })).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringMatching(/^--artifacts: cannot list the folder \/does\/not\/exist: .*ENOENT/),
  })
})
