/**
 * Values of node-chain 6.8 that were computed from the rules and compared with no live node: unconfirmed. The binary
 * trie reproduces them.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { fromHex, toHex, toWord } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { FEE_CONTRACT } from '../../lib/evm/precompiles/network-33/fee-contract.ts'
import { SYSTEM_ACCOUNT } from '../../lib/evm/system-transaction.ts'
import { orderedProof, orderedRoot } from '../../lib/state/ordered-trie.ts'
import { State } from '../../lib/state/state.ts'
import { call, freshNode } from '../support/node.ts'

const folder = mkdtempSync(join(tmpdir(), 'state-trie-'))
const network = join(folder, 'binary.json')
writeFileSync(network, JSON.stringify({ extends: 'network-33', stateTrie: 'binary' }))
afterAll(() => rmSync(folder, { recursive: true }))

const GENESIS_ROOT = '0x9c13f6bf26a9d1b13b708b5da083cb8f4e948bb7f903174081ad95810d52723f'
const GENESIS_HASH = '0x8ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe'

const BLOCK_1_ROOT = '0xf276a3a8c9c4eb4dcbbfb9bf6965f36dc611b815614c0d7cd06e15b8890c272c'
const TRANSACTIONS_ROOT = '0x8c9664a30670ddc67aa13992fdd8751b7b797bbe172506ffd5cda10ebbf97952'
const RECEIPTS_ROOT = '0x66cfdb731f620cd96e2c2cb0f7d3c3a2879c29b40014aa27efbbf3cf9cd3b0f6'

/** The system transaction of block 1 and its receipt (node-chain 7.8 and 5.1). */
const TRANSACTION = fromHex('0xdd8000009400000000000000000000000000000000010000088080808080')
const RECEIPT = fromHex(`0xf901080180b90100${'00'.repeat(256)}c08001`)

describe('with the binary trie', () => {
  test('the genesis of network 33 has the state root and the hash of the reference', async () => {
    const genesis = await call(await freshNode({ network }), 'eth_getBlockByNumber', ['0x0'])
    expect(genesis).toMatchObject({ stateRoot: GENESIS_ROOT, hash: GENESIS_HASH, size: '0x1de' })
  })

  test('the state after block 1 has the storage of the fee contract and the sender of one byte', async () => {
    const { chain } = await freshNode({ network })
    const state = new State(chain.head.state)
    state.putAccount(SYSTEM_ACCOUNT, { nonce: 1n, balance: 0n })
    state.putStorage(FEE_CONTRACT, toWord(BigInt('0x7369626c696e6773')), Uint8Array.of(0xc0))
    expect(state.commitRoot().hash).toBe(BLOCK_1_ROOT)
  })

  test.each([
    ['transactions', TRANSACTION, TRANSACTIONS_ROOT],
    ['receipts', RECEIPT, RECEIPTS_ROOT],
  ])('a block of the system transaction alone has the root of its %s', (_list, only, root) => {
    expect(toHex(orderedRoot([only], 'binary'))).toBe(root)
    expect(orderedProof([only], 0, 'binary').map((node) => toHex(keccak256(node)))).toEqual([root])
  })

  test('the node mines block 1 of the reference, with only the system transaction', async () => {
    const node = await freshNode({ network, systemTransaction: true })
    await call(node, 'evm_mine')
    const block = await call(node, 'eth_getBlockByNumber', ['0x1'])
    expect(block).toMatchObject({
      number: '0x1',
      timestamp: '0x6553f100',
      parentHash: GENESIS_HASH,
      transactions: ['0x4aa0649fdc1a4b0e07b64c26e43138400c84d6a127d0242027226b7ade17a53e'],
      stateRoot: BLOCK_1_ROOT,
      transactionsRoot: TRANSACTIONS_ROOT,
      receiptsRoot: RECEIPTS_ROOT,
      hash: '0x4f7f1c3990f70ff212aee2640f1f6d85e3c7ff3ddb28535e8db7def11535a1b3',
      size: '0x2a4',
    })
  })
})
