/** A network whose preset says `stateTrie: "binary"`: roots are those of the binary trie, proofs are not. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { loadNetwork } from '../../lib/config/network.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { network33Precompiles } from '../../lib/evm/precompiles/network-33/precompiles.ts'
import type { Node } from '../../lib/node.ts'
import { rebuiltHash } from '../support/binary-state.ts'
import { call, freshNode } from '../support/node.ts'

const folder = mkdtempSync(join(tmpdir(), 'state-trie-'))
afterAll(() => rmSync(folder, { recursive: true }))

function preset(stateTrie: string): string {
  const file = join(folder, `${stateTrie}.json`)
  writeFileSync(file, JSON.stringify({ extends: 'network-33', stateTrie }))
  return file
}

const network = preset('binary')
const NATIVES = new Set(network33Precompiles.keys())

/** Creation code of a contract of one byte that stores 7 in slot 1 first. */
const CREATION = '0x6007600155600160005360016000f3'

/** Blocks with transfers, a contract with storage, and one without anything. */
async function story(node: Node): Promise<void> {
  const [{ address: from }, { address: to }] = [node.funded[0]!, node.funded[1]!]
  await call(node, 'evm_stopMining')
  for (let value = 1; value <= 5; value++)
    await call(node, 'eth_sendTransaction', [{ from, to, value: `0x${value}`, gas: '0x5208' }])
  await call(node, 'evm_mine')
  await call(node, 'eth_sendTransaction', [{ from, data: CREATION, gas: '0x30d40' }])
  await call(node, 'evm_mine')
  await call(node, 'evm_mine')
}

const hashOf = (data: string): string => toHex(keccak256(fromHex(data)))

test('every header has the root of the binary trie of its state', async () => {
  const node = await freshNode({ network })
  await story(node)
  expect(node.chain.head.block.header.number).toBe(3n)
  for (let entry = node.chain.head; ; entry = entry.parent!) {
    expect(entry.block.header.stateRoot).toBe(rebuiltHash(entry.state, NATIVES))
    if (entry.parent === undefined) break
  }
})

test('receipt nodes lead from a leaf to the root of the receipts, embedded or by their hash', async () => {
  const node = await freshNode({ network })
  await story(node)
  const block = await call(node, 'eth_getBlockByNumber', ['0x1'])
  expect(block.transactions).toHaveLength(5)
  for (const transaction of block.transactions) {
    const params = [block.hash, transaction]
    const nodes: string[] = await call(node, 'node_getTransactionReceiptNodesByHash', params)
    expect(hashOf(nodes.at(-1)!)).toBe(block.receiptsRoot)
    for (const [index, lower] of nodes.slice(0, -1).entries()) {
      const upper = nodes[index + 1]!
      expect(upper.includes(hashOf(lower).slice(2)) || upper.includes(lower.slice(2))).toBe(true)
    }
    const receipt = await call(node, 'node_getRawTransactionReceiptByHash', [transaction])
    expect(nodes[0]).toContain(hashOf(receipt).slice(2))
  }
})

test('only roots and hashes differ from the same requests with the other trie', async () => {
  const [binary, usual] = [await freshNode({ network }), await freshNode()]
  await story(binary)
  await story(usual)
  const [one, other] = [binary, usual].map(({ chain }) => chain.head)
  expect(one!.block.header.stateRoot).not.toBe(other!.block.header.stateRoot)
  expect(toHex(one!.state.trie.hash())).toBe(other!.block.header.stateRoot)
})

test('proofs begin at the root of the Merkle Patricia trie', async () => {
  const node = await freshNode({ network })
  await story(node)
  const { accountProof } = await call(node, 'eth_getProof', [node.funded[0]!.address, [], 'latest'])
  expect(hashOf(accountProof[0])).toBe(toHex(node.chain.head.state.trie.hash()))
})

test('a revert restores the roots', async () => {
  const node = await freshNode({ network })
  await story(node)
  const { stateRoot } = node.chain.head.block.header
  const id = await call(node, 'evm_snapshot')
  await story(node)
  await call(node, 'evm_revert', [id])
  expect(node.chain.head.block.header.stateRoot).toBe(stateRoot)
  await call(node, 'evm_mine')
  expect(node.chain.head.block.header.stateRoot).toBe(rebuiltHash(node.chain.head.state, NATIVES))
})

test('the default trie is Merkle Patricia, and a third trie is refused', () => {
  expect(loadNetwork('network-33').stateTrie).toBe('merkle-patricia')
  const load = () => loadNetwork(preset('verkle'))
  expect(load).toThrow(NodeError)
  expect(load).toThrow('stateTrie: expected one of merkle-patricia, binary, got "verkle"')
})
