/** A third kind of network in one file: other gas rules, a precompile, a cell and a method of its own. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import * as z from 'zod'
import type { Cell } from '../../lib/chain/instance/chain-instance.ts'
import type { NetworkKind } from '../../lib/config/network-kind.ts'
import { precompileAddress, type Precompile } from '../../lib/evm/precompile.ts'
import { writeMethod } from '../../lib/kernel/method.ts'
import type { Module, NodeCore } from '../../lib/kernel/module.ts'
import { MODULES } from '../../lib/modules/list.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { ethereumKind } from '../../lib/networks/ethereum/consensus/ethereum.ts'
import { createNode, type Node } from '../../lib/node/node.ts'
import { call, freshNode } from '../support/node.ts'

const ECHO: Precompile = {
  address: precompileAddress(0x777),
  name: 'echo',
  gas: () => 7,
  run: ({ input }) => input,
}

const toyKind: NetworkKind = {
  ...ethereumKind,
  name: 'toy',
  consensus: {
    ...ethereumKind.consensus,
    name: 'toy',
    secondOpinion: 'observed',
    rules: async (network, options) => {
      const { precompiles, transaction, ...rules } = await ethereumKind.consensus.rules(network, options)
      const own = new Map([...precompiles, [ECHO.address, ECHO]])
      return { ...rules, transaction: { ...transaction, base: 10_000 }, precompiles: own }
    },
  },
}

interface ToyPart {
  readonly waves: Cell<number>
}

const wave = writeMethod({
  name: 'toy_wave',
  summary: 'Waves, and counts the waves.',
  result: z.int(),
  run: (_, { waves }: ToyPart) => (waves.value += 1),
})

const toy = {
  name: 'toy',
  network: toyKind,
  start: () => ({}),
  openChain: (_, { instance }, parent) => ({
    waves: instance.cell('waves', 'restore', parent?.part.waves.in(parent.at) ?? 0),
  }),
  methods: [wave],
} as const satisfies Module<NodeCore, object, ToyPart>

let node: Node
beforeAll(async () => {
  const network = join(mkdtempSync(join(tmpdir(), 'dev-node-toy-')), 'toy.json')
  writeFileSync(network, JSON.stringify({ extends: 'ethereum', name: 'toy', kind: 'toy', chainId: 777 }))
  const options = resolveOptions({ values: { network, crossCheck: true } })
  node = await createNode(options, { modules: [...MODULES, toy] })
})
afterAll(() => node.close())

test('has its gas, its precompile, its chain id, and a second execution that agrees', async () => {
  const [from] = await call(node, 'eth_accounts')
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: ECHO.address }])
  expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
    status: '0x1',
    gasUsed: '0x2717',
  })
  expect(await call(node, 'eth_call', [{ to: ECHO.address, data: '0xabcd' }])).toBe('0xabcd')
  expect(await call(node, 'eth_chainId')).toBe('0x309')
})

test('shows an account what code paid it, also below the 21,000 gas of Ethereum', async () => {
  const [from] = await call(node, 'eth_accounts')
  const [payer, paid] = [`0x${'c0'.repeat(20)}`, `0x${'d0'.repeat(20)}`]
  // A call without gas, data or value: four zeros, the address, GAS, CALL.
  await call(node, 'hardhat_setCode', [payer, `0x5f5f5f5f5f73${paid.slice(2)}5af1`])
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: payer }])
  const { gasUsed } = await call(node, 'eth_getTransactionReceipt', [hash])
  expect(Number(gasUsed)).toBeLessThan(21_000)
  const { txs } = await call(node, 'ots_searchTransactionsBefore', [paid, 0, 5])
  expect(txs).toMatchObject([{ hash }])
})

test('has its method and its cell, which a revert restores', async () => {
  expect(await call(node, 'toy_wave')).toBe(1)
  const snapshot = await call(node, 'evm_snapshot')
  expect(await call(node, 'toy_wave')).toBe(2)
  await call(node, 'evm_revert', [snapshot])
  expect(await call(node, 'toy_wave')).toBe(2)
})

test('shares nothing with other kinds: no method of theirs, and a node without it knows it not', async () => {
  await expect(call(node, 'dev_bridge')).rejects.toMatchObject({ kind: 'methodNotFound' })
  await expect(freshNode({ network: node.options.network! })).rejects.toThrow(
    /kind: expected ethereum or merged-mining.*, got "toy"/,
  )
})
