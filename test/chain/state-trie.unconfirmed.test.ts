/**
 * Values of node-chain 6.8 that were computed from the rules and compared with no live node: unconfirmed. The binary
 * trie reproduces them.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { fromHex, toHex, toHiddenAddress, toWord } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { FEE_CONTRACT } from '../../lib/evm/precompiles/fee-contract.ts'
import { orderedProof, orderedRoot } from '../../lib/state/ordered-trie.ts'
import { State } from '../../lib/state/state.ts'
import { call, freshNode } from '../support/node.ts'

const folder = mkdtempSync(join(tmpdir(), 'state-trie-'))
const network = join(folder, 'binary.json')
writeFileSync(network, JSON.stringify({ extends: 'network-33', stateTrie: 'binary' }))
afterAll(() => rmSync(folder, { recursive: true }))

const GENESIS_ROOT = '0x9c13f6bf26a9d1b13b708b5da083cb8f4e948bb7f903174081ad95810d52723f'
const GENESIS_HASH = '0x8ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe'

/** The system transaction of block 1 and its receipt (node-chain 7.8 and 5.1). */
const TRANSACTION = fromHex('0xdd8000009400000000000000000000000000000000010000088080808080')
const RECEIPT = fromHex(`0xf901080180b90100${'00'.repeat(256)}c08001`)

describe('with the binary trie', () => {
  test('the genesis of network 33 has the state root and the hash of the reference', async () => {
    const genesis = await call(await freshNode({ network }), 'eth_getBlockByNumber', ['0x0'])
    expect(genesis).toMatchObject({ stateRoot: GENESIS_ROOT, hash: GENESIS_HASH, size: '0x1de' })
  })

  test('the state after block 1 has the cell of the fee contract and the sender of one byte', async () => {
    const { chain } = await freshNode({ network })
    const state = new State(chain.head.state)
    state.putAccount(toHiddenAddress(0), { nonce: 1n, balance: 0n })
    state.putStorage(FEE_CONTRACT, toWord(BigInt('0x7369626c696e6773')), Uint8Array.of(0xc0))
    expect(state.seal().hash).toBe('0xf276a3a8c9c4eb4dcbbfb9bf6965f36dc611b815614c0d7cd06e15b8890c272c')
  })

  test.each([
    ['transactions', TRANSACTION, '0x8c9664a30670ddc67aa13992fdd8751b7b797bbe172506ffd5cda10ebbf97952'],
    ['receipts', RECEIPT, '0x66cfdb731f620cd96e2c2cb0f7d3c3a2879c29b40014aa27efbbf3cf9cd3b0f6'],
  ])('a block of the system transaction alone has the root of its %s', (_list, only, root) => {
    expect(toHex(orderedRoot([only], 'binary'))).toBe(root)
    expect(orderedProof([only], 0, 'binary').map((node) => toHex(keccak256(node)))).toEqual([root])
  })
})
