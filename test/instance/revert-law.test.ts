import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hash } from '../../lib/base/hex.ts'
import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import type { OptionsInput } from '../../lib/config/options.ts'
import type { Node } from '../../lib/node.ts'
import { allMethods } from '../../lib/rpc/methods/all.ts'
import { ManualHost, call, freshNode } from '../support/node.ts'
import { READ_PARAMS, UNASKED } from '../support/read-params.ts'
import { anyRpcStep, answersOf, doStep, keyRequests, readRequests } from '../support/rpc-steps.ts'
import type { RpcStep } from '../support/rpc-steps.ts'
import { runs } from '../support/transaction-steps.ts'
import { WRITE_PARAMS } from '../support/write-params.ts'

const steps = fc.array(anyRpcStep, { maxLength: 40, size: 'max' })

/** Hashes of all canonical and side blocks, and of all transactions in them or in the pool. */
function knownTo({ chain, mempool }: Node) {
  const entries = [...chain.siblings]
  for (let entry: ChainEntry | undefined = chain.head; entry !== undefined; entry = entry.parent)
    entries.push(entry)
  const mined = entries.flatMap(({ block }) => block.receipts.map(({ transaction }) => transaction.hash))
  return {
    blocks: new Set(entries.map(({ block }) => block.hash)),
    transactions: new Set([...mined, ...[...mempool.all()].map(({ transaction }) => transaction.hash)]),
  }
}

/** Hashes of blocks and transactions that the node learns from now on. */
function watch(node: Node) {
  const known = knownTo(node)
  const blocks = new Set<string>()
  const transactions = new Set<string>()
  const meet = (hash: Hash) => {
    if (!known.transactions.has(hash)) transactions.add(hash)
  }
  node.chain.headChanged.on(({ added }) => {
    for (const { hash, receipts } of added) {
      if (!known.blocks.has(hash)) blocks.add(hash)
      for (const { transaction } of receipts) meet(transaction.hash)
    }
  })
  node.mempool.added.on(({ hash }) => meet(hash))
  return { blocks, transactions }
}

/** Takes a snapshot, runs steps and reverts, twice to the same snapshot. */
async function playAndRevert(
  options: OptionsInput,
  [before, ...afters]: readonly (readonly RpcStep[])[],
): Promise<void> {
  const host = new ManualHost()
  const node = await freshNode(options, host)
  for (const step of before!) await doStep({ node, host, base: 1n }, step)
  const id = BigInt(await call(node, 'evm_snapshot'))
  const requests = [...readRequests(node), ...keyRequests(node)]
  const expected = await answersOf(node, requests)
  const met = watch(node)
  for (const after of afters) {
    for (const step of after) await doStep({ node, host, base: id }, step)
    expect(await call(node, 'evm_revert', [`0x${id.toString(16)}`])).toBe(true)
    expect(await answersOf(node, requests)).toEqual(expected)
  }
  for (const hash of met.blocks) expect(await call(node, 'eth_getBlockByHash', [hash])).toBeNull()
  for (const hash of met.transactions) {
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toBeNull()
  }
}

describe('the law', () => {
  test('has params for every writing method, and requests every reading method or names the reason why not', () => {
    const asked = new Set([...Object.values(READ_PARAMS).flatMap(Object.keys), ...Object.keys(UNASKED)])
    const known = { write: new Set(Object.keys(WRITE_PARAMS)), read: asked }
    const missing = allMethods.methods.filter(({ name, access }) => !known[access].has(name))
    expect(missing.map(({ name }) => name)).toEqual([])
  })
})

describe('revert', () => {
  test.each<readonly [string, OptionsInput]>([
    ['instant blocks', {}],
    ['manual blocks', { mining: false }],
    ['a block every second', { blockTime: 1 }],
    ['the rules of Ethereum', { network: 'ethereum' }],
    ['a frozen clock', { frozenTime: true, mining: false }],
  ])(
    'restores every answer of the snapshot, with %s',
    async (_name, options) => {
      const program = fc.tuple(steps, steps, steps)
      await fc.assert(
        fc.asyncProperty(program, (parts) => playAndRevert(options, parts)),
        runs(12),
      )
    },
    60_000,
  )

  test('to the beginning restores the answers of a new node', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const requests = [...readRequests(node), ...keyRequests(node)]
    const expected = await answersOf(node, requests)
    const [program] = fc.sample(steps, { numRuns: 1, seed: 7 })
    for (const step of program!) await doStep({ node, host, base: 1n }, step)
    await call(node, 'evm_reset')
    expect(await answersOf(node, requests)).toEqual(expected)
  })

  test('releases the reverted blocks', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const node = await freshNode()
    const id = node.snapshots.take()
    const taken: WeakRef<object>[] = []
    for (let cycle = 0; cycle < 20; cycle++) {
      taken.push(new WeakRef(node.miner.mine()))
      node.snapshots.take()
      node.snapshots.revert(id)
    }
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(taken.filter((block) => block.deref() !== undefined)).toEqual([])
  })
})
