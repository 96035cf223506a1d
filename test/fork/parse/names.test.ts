/** Blocks of a remote whose members have the names of its network. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { neutralMembers } from '../../../lib/fork/parse/names.ts'
import { loadNetwork } from '../../../lib/config/network.ts'
import { parseBlock } from '../../../lib/fork/parse/block.ts'
import { namedMembers } from '../../../lib/rpc/names.ts'
import { call, freshNode } from '../../support/node.ts'

const NAMES = { module: 'acme', aux: 'pow' }
const folder = mkdtempSync(join(tmpdir(), 'names-'))
const network = join(folder, 'acme.json')

beforeAll(() => writeFileSync(network, JSON.stringify({ extends: 'network-33', names: NAMES })))
afterAll(() => rmSync(folder, { recursive: true }))

/** Block 1 of a node with the names of the network, and of one with neutral names. */
async function blocks() {
  const [named, neutral] = await Promise.all([freshNode({ network }), freshNode({})])
  for (const node of [named, neutral]) await call(node, 'evm_mine')
  return Promise.all([named, neutral].map((node) => call(node, 'eth_getBlockByNumber', ['0x1', true])))
}

test('a block is read under the names of the network and under neutral names', async () => {
  const [named, neutral] = await blocks()
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['powMergedMiningHeader', 'acmePteEdges']))
  expect(Object.keys(neutral)).toEqual(expect.arrayContaining(['auxMergedMiningHeader', 'nodePteEdges']))
  const own = loadNetwork(network)
  const expected = parseBlock(neutral, loadNetwork('network-33'))
  expect(parseBlock(named, own)).toEqual(expected)
  expect(parseBlock(neutral, own)).toEqual(expected)
})

test('members of other answers get their neutral names, and values stay', async () => {
  const state = await call(await freshNode({ network }), 'eth_bridgeState')
  expect(neutralMembers(NAMES, state)).toEqual(await call(await freshNode({}), 'eth_bridgeState'))
  const [named] = await blocks()
  expect(namedMembers(NAMES, neutralMembers(NAMES, named))).toEqual(named)
  expect(neutralMembers(NAMES, ['powMergedMiningHeader', { acmePteEdges: null }])).toEqual([
    'powMergedMiningHeader',
    { nodePteEdges: null },
  ])
})

test('neutral names of a remote stay', async () => {
  const [, neutral] = await blocks()
  expect(neutralMembers(NAMES, neutral)).toEqual(neutral)
})
