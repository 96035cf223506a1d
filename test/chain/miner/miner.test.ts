import { runAtOnce } from '../../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, STARTED_AT_MS, call, elapse, freshNode, refusal } from '../../support/node.ts'

const START = BigInt(STARTED_AT_MS / 1000)

const headTime = (node: Node): bigint => node.chain.head.block.header.timestamp
const height = (node: Node): bigint => node.chain.head.block.header.number

function transfer(node: Node, fields: object = {}) {
  const [from, to] = node.funded
  return { from: from!.address, to: to!.address, value: '0x1', gas: '0x5208', ...fields }
}

const send = (node: Node, fields: object = {}) => call(node, 'eth_sendTransaction', [transfer(node, fields)])

async function nodeAndOutside(options: OptionsInput = {}) {
  const host = new ManualHost()
  return { node: await freshNode(options, host), host }
}

describe('instant mining', () => {
  test('makes no block for a transaction behind a gap, and one block for both once it is filled', async () => {
    const node = await freshNode()
    await send(node, { nonce: '0x1' })
    expect(height(node)).toBe(0n)
    await send(node, { nonce: '0x0' })
    expect([height(node), node.chain.head.block.receipts.length]).toEqual([1n, 2])
  })

  test('mines pooled transactions when it is started, in as many blocks as they need', async () => {
    const node = await freshNode({ blockGasLimit: '100000' })
    node.miner.stop()
    for (const gasPrice of ['0x9', '0x9', '0x9', '0x9']) await send(node, { gasPrice, gas: '0xc350' })
    const behindGap = await send(node, { nonce: '0x9' })
    runAtOnce(node.miner.start())
    expect(height(node)).toBe(2n)
    expect([...node.mempool.all()].map(({ transaction }) => transaction.hash)).toEqual([behindGap])
  })
})

describe('manual mining', () => {
  test('becomes instant when mining is started', async () => {
    const node = await freshNode({ mining: false })
    runAtOnce(node.miner.start())
    expect(node.miner.mode).toEqual({ kind: 'instant' })
  })
})

describe('interval mining', () => {
  test('makes a block at every interval, also an empty one, and no block between', async () => {
    const { node, host } = await nodeAndOutside({ blockTime: 5 })
    const hash = await send(node)
    await elapse(node, host, 4_999)
    expect(height(node)).toBe(0n)
    await elapse(node, host, 1)
    expect(node.chain.receipt(hash)?.entry).toBe(node.chain.head)
    await elapse(node, host, 15_000)
    expect([height(node), headTime(node)]).toEqual([4n, START + 20n])
  })

  test.each([{ mining: 'mixed' as const }, { mixedMining: true }])(
    'also mines each transaction at once with %p',
    async (options) => {
      const { node, host } = await nodeAndOutside({ blockTime: 5, ...options })
      const hash = await send(node)
      expect(node.chain.receipt(hash)?.entry).toBe(node.chain.head)
      await elapse(node, host, 5_000)
      expect(height(node)).toBe(2n)
    },
  )

  test('stops and starts again with the same interval', async () => {
    const { node, host } = await nodeAndOutside({ blockTime: 1 })
    node.miner.stop()
    await elapse(node, host, 10_000)
    expect([height(node), host.waiting]).toEqual([0n, 0])
    runAtOnce(node.miner.start())
    await elapse(node, host, 3_000)
    expect(height(node)).toBe(3n)
  })

  test('continues after a failed block, and reports it', async () => {
    const { node, host } = await nodeAndOutside({ blockTime: 1 })
    const failures: unknown[] = []
    node.miner.failed.on((error) => failures.push(error))
    const drop = node.chain.headChanged.on(() => {
      throw new Error('a listener failed')
    })
    await elapse(node, host, 1_000)
    drop()
    await elapse(node, host, 1_000)
    expect(failures).toEqual([new Error('a listener failed')])
    expect([height(node), host.waiting]).toEqual([2n, 1])
  })

  test('makes no block that was due while a stop waited for the lock', async () => {
    const { node, host } = await nodeAndOutside({ blockTime: 1 })
    let finish = (): void => undefined
    const holding = node.instance.lock.run('write', () => new Promise<void>((resolve) => (finish = resolve)))
    const stopped = node.instance.lock.run('write', () => node.miner.stop())
    host.step(1_000)
    finish()
    await Promise.all([holding, stopped])
    await elapse(node, host, 5_000)
    expect([height(node), host.waiting]).toEqual([0n, 0])
  })

  test.each([
    ['running', (node: Node) => node.miner.stop(), { kind: 'interval', everyMs: 1000 }, 1, 2n],
    ['stopped', (node: Node) => runAtOnce(node.miner.start()), { kind: 'manual' }, 0, 0n],
  ] as const)('is %s again after a revert, timer included', async (name, change, mode, timers, blocks) => {
    const { node, host } = await nodeAndOutside({ blockTime: 1 })
    if (name === 'stopped') node.miner.stop()
    const id = node.snapshots.take()
    change(node)
    node.snapshots.revert(id)
    expect(node.miner.mode).toEqual(mode)
    expect(host.waiting).toBe(timers)
    await elapse(node, host, 2_000)
    expect(height(node)).toBe(blocks)
  })

  test('has no timer after the node is closed, also during a block', async () => {
    const { node, host } = await nodeAndOutside({ blockTime: 1 })
    host.step(1_000)
    await node.close()
    await elapse(node, host, 1)
    node.instance.reverted.emit(undefined)
    expect(host.waiting).toBe(0)
  })
})

describe('timestamps', () => {
  test('are those of the wall clock', async () => {
    const { node, host } = await nodeAndOutside()
    await elapse(node, host, 12_500)
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(START + 12n)
  })

  test('are a second apart when blocks come faster, also right after a revert', async () => {
    const node = await freshNode()
    await node.miner.mineMany(3n)
    const id = node.snapshots.take()
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(START + 3n)
    node.snapshots.revert(id)
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(START + 3n)
  })

  test('may be equal when that is allowed', async () => {
    const node = await freshNode({ allowSameTimestamp: true })
    await node.miner.mineMany(3n)
    expect(headTime(node)).toBe(START)
    node.miner.setNextTimestamp(START)
  })

  test('can be set for the next block, and time continues from it', async () => {
    const { node, host } = await nodeAndOutside()
    node.miner.setNextTimestamp(START + 1_000n)
    runAtOnce(node.miner.mine())
    await elapse(node, host, 7_000)
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(START + 1_007n)
  })

  test.each([0n, -1n])('are refused %s seconds after the head', async (distance) => {
    const node = await freshNode()
    runAtOnce(node.miner.mine())
    const timestamp = `0x${(headTime(node) + distance).toString(16)}`
    const { kind, message } = await refusal(node, 'evm_setNextBlockTimestamp', [timestamp])
    expect([kind, message]).toEqual(['invalidParams', expect.stringContaining(String(headTime(node)))])
  })

  test('move by the increase of time, also after fast blocks', async () => {
    const node = await freshNode()
    await node.miner.mineMany(10n)
    const before = headTime(node)
    expect(await call(node, 'evm_increaseTime', ['0xe10'])).toBe('0xe10')
    expect(await call(node, 'evm_increaseTime', ['0x1'])).toBe('0xe11')
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(before + 3_601n)
  })

  test('continue from the moment of the snapshot after a revert', async () => {
    const { node, host } = await nodeAndOutside()
    node.clock.increase(50n)
    const id = node.snapshots.take()
    await elapse(node, host, 60_000)
    node.clock.increase(1_000n)
    node.miner.setNextTimestamp(START + 99_999n)
    node.snapshots.revert(id)
    await elapse(node, host, 2_000)
    runAtOnce(node.miner.mine())
    expect([headTime(node), node.clock.increased]).toEqual([START + 52n, 50n])
  })

  test.each([
    ['given', 10n, 10n],
    ['shorter than a block must be', 0n, 1n],
  ])('of several blocks have the gap that is %s', async (_case, gap, expected) => {
    const node = await freshNode()
    await node.miner.mineMany(4n, gap)
    const times = [1n, 2n, 3n, 4n].map((number) => node.chain.at(number)!.block.header.timestamp)
    expect(times.slice(1).map((time, index) => time - times[index]!)).toEqual([expected, expected, expected])
  })

  test('start from a genesis in the future', async () => {
    const node = await freshNode({ genesisTimestamp: String(START + 500n) })
    node.clock.increase(10n)
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(START + 510n)
  })
})

describe('frozen clock', () => {
  test('gives the same blocks for the same calls, at any time of day', async () => {
    const hashes: string[] = []
    for (const hours of [0, 7]) {
      const host = new ManualHost()
      host.step(hours * 3_600_000)
      const node = await freshNode({ network: 'ethereum', hardfork: 'cancun', frozenTime: true }, host)
      await send(node)
      await elapse(node, host, 5_000)
      await call(node, 'evm_increaseTime', ['0x10'])
      await call(node, 'hardhat_mine', ['0x3', '0x5'])
      hashes.push(node.chain.head.block.hash)
    }
    expect(hashes[1]).toBe(hashes[0])
    expect(hashes[0]).toMatchInlineSnapshot(
      `"0xaa000a168de3b9f892376c62b3af88bcc3a5a8cd4d039ee54d6e4215ef9288af"`,
    )
  })

  test('advances by a second per block and by increases of time only', async () => {
    const node = await freshNode({ frozenTime: '1000000' })
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(1_000_000n)
    runAtOnce(node.miner.mine())
    node.clock.increase(100n)
    runAtOnce(node.miner.mine())
    expect(headTime(node)).toBe(1_000_101n)
  })
})
