/** The law of worlds with a network of their own: a world of a network answers as a node of that network. */

import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { allMethods } from '../../../scripts/all-methods.ts'
import { loadContracts } from '../../support/contracts.ts'
import { ManualHost, call, dispatcherOf, freshNode } from '../../support/node.ts'
import { drawsFrom } from '../../support/random-draws.ts'
import { readRequestsOf } from '../../support/read-params.ts'

/** Accounts are those of the node, so both nodes have the same. The clock of the hosts does not move, and their random bytes are the same. */
const SHARED: OptionsInput = {
  mnemonic: 'test test test test test test test test test test test junk',
  balance: 10_000,
  noForkCache: true,
}

/** Methods whose results tell a world from a node, or belong to the whole node. */
const OWN: ReadonlySet<string> = new Set([
  'anvil_metadata',
  'hardhat_metadata',
  'dev_advanceAll',
  'dev_createWorld',
  'dev_deleteWorld',
  'dev_worlds',
  'dev_memory',
  'dev_requests',
  'dev_saveState',
])

/** The answer of a chain in the dialect of its network: result or error. */
async function answer(node: Node, method: string, params: readonly unknown[]): Promise<string | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return dispatcherOf(node).answer(body, node.network.dialect)
}

/** A node of a network, and a world of that network on a node of another one. */
async function bothOf(own: { network: string; hardfork?: string; chainId?: number }, other: string) {
  const node = await freshNode({ ...SHARED, ...own } as OptionsInput, new ManualHost())
  const host = await freshNode({ ...SHARED, network: other }, new ManualHost())
  await call(host, 'dev_createWorld', [{ id: 'own', ...own }])
  const world = host.worlds.all[0]!.chain
  return { node, world, close: () => Promise.all([node.close(), host.close()]) }
}

/** Deploys, transfers, reverts, leaves transactions in the pool. */
async function use(node: Node): Promise<readonly (string | undefined)[]> {
  const { Storage } = await loadContracts()
  const [from, to] = node.funded.map(({ address }) => address)
  const deployed = { from, data: Storage.bytecode, gas: '0x200000' }
  const requests: [string, unknown[]][] = [
    ['eth_sendTransaction', [deployed]],
    ['eth_sendTransaction', [{ from, to, value: '0x7' }]],
    ['evm_increaseTime', ['0x20']],
    ['evm_mine', []],
    ['eth_sendTransaction', [{ from, to: `0x${'00'.repeat(19)}09`, data: '0x01', gas: '0x20000' }]],
    ['miner_stop', []],
    ['evm_setAutomine', [false]],
    ['eth_sendTransaction', [{ from, to, value: '0x9' }]],
  ]
  const answers = []
  for (const [method, params] of requests) answers.push(await answer(node, method, params))
  return answers
}

const ROWS = [
  [{ network: 'ethereum' }, 'network-33'],
  [{ network: 'ethereum', hardfork: 'london', chainId: 5 }, 'network-33'],
  [{ network: 'ethereum', hardfork: 'cancun' }, 'ethereum'],
  [{ network: 'network-31' }, 'ethereum'],
  [{ network: 'network-33', hardfork: 'next', chainId: 77 }, 'ethereum'],
] as const

describe.each(ROWS)('a world of %j on a node of %s', (own, other) => {
  test('answers every reading request as a node of its network does', async () => {
    const { node, world, close } = await bothOf(own, other)
    expect(await use(world)).toEqual(await use(node))
    const asked = new Set<string>()
    for (let seed = 0; seed < 4; seed++) {
      const requests = readRequestsOf(node, drawsFrom(seed), ['chain', 'running', 'kept'])
      for (const { method, params } of requests) {
        if (OWN.has(method)) continue
        asked.add(method)
        expect([method, params, await answer(world, method, params)]).toEqual([
          method,
          params,
          await answer(node, method, params),
        ])
      }
    }
    expect(asked.size).toBeGreaterThan(100)
    await close()
  })

  test('answers the examples of all methods, in order, as a node of its network does', async () => {
    const { node, world, close } = await bothOf(own, other)
    for (const { name, example } of allMethods.methods) {
      if (OWN.has(name)) continue
      for (const { method, params } of [...(example.after ?? []), { method: name, params: example.params }])
        expect([method, await answer(world, method, params)]).toEqual([
          method,
          await answer(node, method, params),
        ])
    }
    await close()
  })
})
