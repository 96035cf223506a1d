/** Submissions on older parents: side blocks, uncles, and branches that are heavier than the canonical chain. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, assembleCode, creationCode, words } from '../../support/bytecode.ts'
import { ManualHost, call, freshNode, refusal } from '../../support/node.ts'
import { solve, takeWork } from '../../modules/network-33/support/pool.ts'

const TO = `0x${'bb'.repeat(20)}`

/** A node with manual mining, and a contract in block 1 that logs the first word of its call data. */
async function manualNode() {
  const node = await freshNode({ mining: 'manual' })
  const [from, other] = node.funded.map(({ address }) => address)
  const code = toHex(creationCode(CONTRACTS.environment))
  const hash = await call(node, 'eth_sendTransaction', [{ from, gas: '0x100000', data: code }])
  await call(node, 'evm_mine')
  const { contractAddress: to } = await call(node, 'eth_getTransactionReceipt', [hash])
  const send = (fields: object): Promise<string> => call(node, 'eth_sendTransaction', [fields])
  return {
    node,
    /** A transaction that logs a number, with a low fee. */
    log: (topic: bigint) => send({ from, to, gas: '0x100000', gasPrice: '0x1', data: words([topic]) }),
    /** A transfer of another account, with a high fee. */
    payMuch: () => send({ from: other, to: TO, gas: '0x5208', gasPrice: '0x3b9aca00', value: '0x5' }),
  }
}

const headHash = async (node: Node) => (await call(node, 'eth_getBlockByNumber', ['latest', false])).hash
const receiptOf = (node: Node, hash: string) => call(node, 'eth_getTransactionReceipt', [hash])

/** Topics and removal of the logs that a poll returns. */
async function polled(node: Node, id: string): Promise<readonly string[]> {
  const logs: { topics: string[]; removed: boolean }[] = await call(node, 'eth_getFilterChanges', [id])
  return logs.map(({ topics, removed }) => `${removed ? '-' : '+'}${BigInt(topics[0]!)}`)
}

/** Two blocks on block 1: the head, which has a log and a low fee, and work for a block with a high fee. */
async function rivals() {
  const { node, log, payMuch } = await manualNode()
  const paid = await payMuch()
  const rich = await takeWork(node)
  await call(node, 'hardhat_dropTransaction', [paid])
  const filter = await call(node, 'eth_newFilter', [{}])
  const logged = await log(7n)
  const poor = await solve(node, await takeWork(node))
  return { node, rich, paid, logged, poor, filter, log }
}

describe('a late block', () => {
  async function overtaken() {
    const { node, log } = await manualNode()
    const late = await takeWork(node)
    const hash = await log(7n)
    await call(node, 'evm_mine')
    const head = await headHash(node)
    return { node, hash, head, late: await solve(node, late), log }
  }

  test('is a side block and is found by its hash', async () => {
    const { node, head, late } = await overtaken()
    expect(late.result).toBe('IMPORTED_NOT_BEST')
    expect(await headHash(node)).toBe(head)
    expect(await call(node, 'eth_getBlockByHash', [late.hash, false])).toMatchObject({
      hash: late.hash,
      number: '0x2',
      transactions: [],
    })
    expect((await call(node, 'eth_getBlockByNumber', ['0x2', false])).hash).toBe(head)
    const ref = { blockHash: late.hash, requireCanonical: true }
    const error = await refusal(node, 'eth_getBalance', [TO, ref])
    expect(error).toEqual({
      kind: 'unknownBlock',
      message: `Block with hash ${late.hash} is not on the canonical chain`,
    })
    expect(await call(node, 'eth_getBalance', [TO, { blockHash: late.hash }])).toBe('0x0')
  })

  test('is known when it is submitted again', async () => {
    const { node, rich } = await rivals()
    await solve(node, rich)
    expect((await solve(node, rich)).result).toBe('EXIST')
  })

  test('has no receipts', async () => {
    const { node, rich, paid, logged, poor } = await rivals()
    await call(node, 'evm_mine')
    const late = await solve(node, rich)
    expect(late.result).toBe('IMPORTED_NOT_BEST')
    expect((await call(node, 'eth_getBlockByHash', [late.hash, false])).transactions).toEqual([paid])
    expect(await receiptOf(node, paid)).toBeNull()
    expect((await receiptOf(node, logged)).blockHash).toBe(poor.hash)
  })

  test('is an uncle of the next block, once, and adds its difficulty', async () => {
    const { node, late } = await overtaken()
    const { totalDifficulty: before } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    await call(node, 'evm_mine')
    const named = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(named.uncles).toEqual([late.hash])
    expect(BigInt(named.totalDifficulty) - BigInt(before)).toBe(2n)
    expect(named.cumulativeDifficulty).toBe('0x2')
    expect(await call(node, 'eth_getUncleCountByBlockNumber', ['latest'])).toBe('0x1')
    expect(await call(node, 'eth_getUncleCountByBlockHash', [named.hash])).toBe('0x1')
    const uncle = { hash: late.hash, number: '0x2', transactions: [] }
    expect(await call(node, 'eth_getUncleByBlockHashAndIndex', [named.hash, '0x0'])).toMatchObject(uncle)
    expect(await call(node, 'eth_getUncleByBlockNumberAndIndex', ['latest', '0x0'])).toMatchObject(uncle)
    expect(await call(node, 'eth_getUncleByBlockNumberAndIndex', ['latest', '0x1'])).toBeNull()
    await call(node, 'evm_mine')
    expect((await call(node, 'eth_getBlockByNumber', ['latest', false])).uncles).toEqual([])
  })

  test('is in the work of the next block too', async () => {
    const { node, late } = await overtaken()
    const { result, hash } = await solve(node, await takeWork(node))
    expect(result).toBe('IMPORTED_BEST')
    expect((await call(node, 'eth_getBlockByHash', [hash, false])).uncles).toEqual([late.hash])
  })
})

describe('a revert', () => {
  test('drops side blocks from after the snapshot, and keeps earlier ones', async () => {
    const { node } = await manualNode()
    const works = [await takeWork(node)]
    await call(node, 'evm_increaseTime', ['0x5'])
    works.push(await takeWork(node))
    await call(node, 'evm_mine')
    const before = await solve(node, works[0]!)
    const id = await call(node, 'evm_snapshot')
    const after = await solve(node, works[1]!)
    expect([before.result, after.result]).toEqual(['IMPORTED_NOT_BEST', 'IMPORTED_NOT_BEST'])
    expect(await call(node, 'evm_revert', [id])).toBe(true)
    expect((await call(node, 'eth_getBlockByHash', [before.hash, false])).hash).toBe(before.hash)
    expect(await call(node, 'eth_getBlockByHash', [after.hash, false])).toBeNull()
    await call(node, 'evm_mine')
    expect((await call(node, 'eth_getBlockByNumber', ['latest', false])).uncles).toEqual([before.hash])
    // Work from before the snapshot can be submitted again.
    expect((await solve(node, works[1]!)).result).toBe('IMPORTED_NOT_BEST')
  })
})

describe('a reorganization', () => {
  test('follows a block of the same height that pays more than twice as much', async () => {
    const { node, rich, paid, logged, poor, filter } = await rivals()
    expect(await polled(node, filter)).toEqual(['+7'])
    const better = await solve(node, rich)
    expect(better.result).toBe('IMPORTED_BEST')
    expect(await headHash(node)).toBe(better.hash)
    expect((await receiptOf(node, paid)).blockHash).toBe(better.hash)
    expect(await call(node, 'eth_getBalance', [TO])).toBe('0x5')
    expect(await receiptOf(node, logged)).toBeNull()
    expect(await polled(node, filter)).toEqual(['-7'])
    expect((await call(node, 'eth_getBlockByHash', [poor.hash, false])).transactions).toEqual([logged])
  })

  test('puts the transactions of removed blocks back into the pool, and they are mined again', async () => {
    const { node, rich, logged, poor, filter } = await rivals()
    await polled(node, filter)
    await solve(node, rich)
    expect(await call(node, 'txpool_status')).toEqual({ pending: 1, queued: 0 })
    expect((await call(node, 'eth_getTransactionByHash', [logged])).blockHash).toBeNull()
    await call(node, 'evm_mine')
    expect((await receiptOf(node, logged)).blockNumber).toBe('0x3')
    expect(await polled(node, filter)).toEqual(['-7', '+7'])
    const { uncles } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(uncles).toEqual([poor.hash])
  })

  test('returns to the first branch once it is heavier', async () => {
    const { node, rich, paid, logged, poor, filter } = await rivals()
    const onPoor = await takeWork(node)
    const better = await solve(node, rich)
    expect(await headHash(node)).toBe(better.hash)
    const third = await solve(node, onPoor)
    expect(third).toMatchObject({ result: 'IMPORTED_BEST', number: '0x3' })
    const chain = [2, 3].map(
      async (number) => (await call(node, 'eth_getBlockByNumber', [number, false])).hash,
    )
    expect(await Promise.all(chain)).toEqual([poor.hash, third.hash])
    expect((await receiptOf(node, logged)).blockHash).toBe(poor.hash)
    expect(await receiptOf(node, paid)).toBeNull()
    // Its own transaction is mined; that of the removed branch is pooled.
    expect((await call(node, 'eth_getTransactionByHash', [logged])).blockHash).toBe(poor.hash)
    expect((await call(node, 'eth_getTransactionByHash', [paid])).blockHash).toBeNull()
    expect(await polled(node, filter)).toEqual(['+7'])
  })

  test('is notified as removed logs and a new head, and a revert adds no removed block', async () => {
    const { node, rich } = await rivals()
    const heard: string[] = []
    const subscriber = node.subscriptions.connect((_, event) => {
      if (event.kind === 'logs') heard.push(event.log.removed ? 'log removed' : 'log')
      if (event.kind === 'heads') heard.push(`head ${event.block.header.number}`)
      if (event.kind === 'reverts') heard.push(`revert without ${event.removed.length}`)
    })
    subscriber.subscribe({ kind: 'heads' })
    subscriber.subscribe({ kind: 'reverts' })
    subscriber.subscribe({ kind: 'logs', filter: { addresses: [], topics: [] } })
    subscriber.release()
    await solve(node, rich)
    expect(heard).toEqual(['log removed', 'head 2'])
    await call(node, 'evm_revert', [await call(node, 'evm_snapshot')])
    expect(heard.at(-1)).toBe('revert without 0')
  })

  test('drops transactions that are invalid on the new chain', async () => {
    const { node, payMuch } = await manualNode()
    const from = node.funded[1]!.address
    const cheap = { from, to: TO, gas: '0x5208', gasPrice: '0x1', value: '0x9' }
    const first = await call(node, 'eth_sendTransaction', [cheap])
    const work = await takeWork(node)
    await call(node, 'hardhat_dropTransaction', [first])
    // The same nonce, and a much higher fee.
    const second = await payMuch()
    await solve(node, work)
    expect((await receiptOf(node, first)).blockNumber).toBe('0x2')
    expect(await call(node, 'eth_getTransactionByHash', [second])).toBeNull()
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  })

  test('shows calls and traces the history of their own branch', async () => {
    const { node, rich, poor } = await rivals()
    const onPoor = await takeWork(node)
    const better = await solve(node, rich)
    const onBetter = await takeWork(node)
    const third = await solve(node, onPoor)
    // Its uncle is the block of the other branch, so it is heavier.
    const rival = await solve(node, onBetter)
    expect([third.result, rival.result]).toEqual(['IMPORTED_BEST', 'IMPORTED_BEST'])
    expect((await call(node, 'eth_getBlockByHash', [rival.hash, false])).uncles).toEqual([poor.hash])
    const data = toHex(assembleCode('2 BLOCKHASH 0 MSTORE 32 0 RETURN'))
    const hashOfBlock2 = (blockHash: string) => call(node, 'eth_call', [{ data }, { blockHash }])
    expect(await hashOfBlock2(third.hash)).toBe(poor.hash)
    expect(await hashOfBlock2(rival.hash)).toBe(better.hash)
    // It is a side block now, and its transactions can still be traced.
    expect(await call(node, 'debug_traceBlockByHash', [poor.hash])).toHaveLength(1)
  })

  test('leaves no pooled transactions with instant mining', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const [from, other] = node.funded.map(({ address }) => address)
    const transfer = { to: TO, gas: '0x5208', value: '0x5' }
    await call(node, 'evm_stopMining')
    const paid = await call(node, 'eth_sendTransaction', [
      { ...transfer, from: other, gasPrice: '0x3b9aca00' },
    ])
    const rich = await takeWork(node)
    await call(node, 'hardhat_dropTransaction', [paid])
    await call(node, 'evm_startMining')
    const cheap = await call(node, 'eth_sendTransaction', [{ ...transfer, from, gasPrice: '0x1' }])
    const better = await solve(node, rich)
    expect((await receiptOf(node, paid)).blockHash).toBe(better.hash)
    expect((await receiptOf(node, cheap)).blockNumber).toBe('0x2')
  })
})
