import { describe, expect, test } from '@jest/globals'
import { createBlockFromRLP } from '@ethereumjs/block'
import { Mainnet, createCustomCommon } from '@ethereumjs/common'
import { toHex, fromHex, toHash } from '../../../lib/base/hex.ts'
import { decodeRlp } from '../../../lib/base/rlp.ts'
import { keccak256 } from '../../../lib/crypto/keccak.ts'
import type { Node } from '../../../lib/node/node.ts'
import { orderedRoot } from '../../../lib/state/trie.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

/** A node whose block 1 has a transaction of each type of the network, except blob transactions. */
async function nodeWithBlock(network: string) {
  const node = await freshNode({ network, mining: false })
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }
  const kinds = network === 'ethereum' ? [{ type: '0x0' }, { type: '0x1', accessList: [] }, fees] : [{}, {}]
  for (const [index, fields] of kinds.entries()) {
    const { address: from } = node.funded[index]!
    await call(node, 'eth_sendTransaction', [{ from, to: from, value: '0x1', gas: '0x5208', ...fields }])
  }
  await call(node, 'evm_mine')
  return { node, block: await call(node, 'eth_getBlockByNumber', ['0x1', true]) }
}

const raw = (node: Node, what: string, block = '0x1') => call(node, `debug_getRaw${what}`, [block])

describe('on an Ethereum network', () => {
  test('ethereumjs decodes a raw block to the same block', async () => {
    const { node, block } = await nodeWithBlock('ethereum')
    const common = createCustomCommon({ chainId: Number(node.network.chainId) }, Mainnet, {
      hardfork: node.network.hardfork,
    })
    const encoded = fromHex(await raw(node, 'Block'))
    const read = createBlockFromRLP(encoded, { common, setHardfork: false })
    expect(toHex(read.hash())).toBe(block.hash)
    expect(read.transactions.map(({ type }) => type).toSorted()).toEqual([0, 1, 2])
    expect(read.transactions.map((transaction) => toHex(transaction.hash()))).toEqual(
      block.transactions.map(({ hash }: { hash: string }) => hash),
    )
    expect(await read.transactionsTrieIsValid()).toBe(true)
    expect(encoded.length).toBe(Number(block.size))
  })

  test('a raw header hashes to the block hash', async () => {
    const { node, block } = await nodeWithBlock('ethereum')
    expect(toHash(keccak256(fromHex(await raw(node, 'Header', block.hash))))).toBe(block.hash)
  })
})

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('raw receipts hash to the receipts root', async () => {
    const { node, block } = await nodeWithBlock(network)
    const receipts: string[] = await raw(node, 'Receipts')
    expect(toHex(orderedRoot(receipts.map(fromHex)))).toBe(block.receiptsRoot)
  })

  test('a raw block has the length of its size, and holds header, transactions and uncles', async () => {
    const { node, block } = await nodeWithBlock(network)
    const encoded = fromHex(await raw(node, 'Block'))
    expect(encoded.length).toBe(Number(block.size))
    const [, transactions, uncles] = decodeRlp(encoded) as readonly (readonly unknown[])[]
    expect([transactions!.length, uncles!.length]).toEqual([block.transactions.length, 0])
  })

  test('a raw transaction hashes to its hash under every method', async () => {
    const { node, block } = await nodeWithBlock(network)
    const all: string[] = await raw(node, 'Transactions')
    for (const [index, { hash }] of block.transactions.entries()) {
      expect(toHash(keccak256(fromHex(all[index]!)))).toBe(hash)
      const asked = [
        await call(node, 'debug_getRawTransaction', [hash]),
        await call(node, 'eth_getRawTransactionByBlockHashAndIndex', [block.hash, index]),
        await call(node, 'eth_getRawTransactionByBlockNumberAndIndex', ['latest', index]),
      ]
      expect(asked).toEqual([all[index], all[index], all[index]])
    }
  })
})

test('debug_getRawTransaction finds a pooled transaction and returns null for an unknown hash', async () => {
  const node = await freshNode({ mining: false })
  const { address: from } = node.funded[0]!
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: from }])
  expect(toHash(keccak256(fromHex(await call(node, 'debug_getRawTransaction', [hash]))))).toBe(hash)
  expect(await call(node, 'debug_getRawTransaction', [`0x${'11'.repeat(32)}`])).toBeNull()
})

test.each(['Block', 'Header', 'Receipts', 'Transactions'])(
  'debug_getRaw%s refuses an unknown block',
  async (what) => {
    const node = await freshNode()
    const { kind, message } = await refusal(node, `debug_getRaw${what}`, ['0x5'])
    expect([kind, message]).toEqual(['unknownBlock', 'Block 0x5 not found'])
  },
)
