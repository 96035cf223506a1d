/**
 * The worked example of node-chain 6.8, made by a new node: genesis and an empty block 1 with the binary trie and
 * the transaction that closes a block. The values were calculated from the rules and not compared with a live node.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { EXAMPLE } from '../support/merged-mining.ts'
import { call, freshNode } from '../support/node.ts'

/** A node whose states are hashed by the binary trie. */
async function binaryNode() {
  const folder = mkdtempSync(join(tmpdir(), 'preset-'))
  try {
    const network = join(folder, 'binary.json')
    const preset = { extends: 'network-33', name: 'binary', stateTrie: 'binary' }
    writeFileSync(network, JSON.stringify(preset))
    return await freshNode({ network, systemTransaction: true })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('genesis and block 1 are those of the example (unconfirmed)', async () => {
  const node = await binaryNode()
  await call(node, 'evm_mine')
  expect(await call(node, 'eth_getBlockByNumber', ['0x0'])).toMatchObject({
    stateRoot: '0x9c13f6bf26a9d1b13b708b5da083cb8f4e948bb7f903174081ad95810d52723f',
    hash: '0x8ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe',
    size: '0x1de',
  })
  expect(await call(node, 'eth_getBlockByNumber', ['0x1'])).toMatchObject({
    stateRoot: '0xf276a3a8c9c4eb4dcbbfb9bf6965f36dc611b815614c0d7cd06e15b8890c272c',
    transactionsRoot: '0x8c9664a30670ddc67aa13992fdd8751b7b797bbe172506ffd5cda10ebbf97952',
    receiptsRoot: '0x66cfdb731f620cd96e2c2cb0f7d3c3a2879c29b40014aa27efbbf3cf9cd3b0f6',
    hashForMergedMining: EXAMPLE.work,
    hash: '0x4f7f1c3990f70ff212aee2640f1f6d85e3c7ff3ddb28535e8db7def11535a1b3',
    size: '0x2a4',
  })
  expect(await call(node, 'node_getRawBlockHeaderByNumber', ['0x1'])).toHaveLength(2 + 2 * 551)
})
