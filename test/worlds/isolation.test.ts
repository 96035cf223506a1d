/** What happens in a world stays in it, whatever happens there or beside it. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { addressOf } from '../support/transactions.ts'
import { toWord } from '../../lib/base/hex.ts'
import { editHead } from '../../lib/chain/edit-head.ts'
import type { OptionsInput } from '../../lib/config/options.ts'
import type { Node } from '../../lib/node.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { ManualHost, call, freshNode } from '../support/node.ts'
import { anyRpcStep, answersOf, doStep, readRequests } from '../support/rpc-steps.ts'
import type { RpcStep } from '../support/rpc-steps.ts'
import { runs } from '../support/transaction-steps.ts'

// Time is the same for everybody: a step that lets it pass is none of one world.
const steps = fc.array(
  anyRpcStep.filter(({ method }) => method !== 'time'),
  { maxLength: 30, size: 'max' },
)

/** Everything a node shows and holds. */
async function lookAt(node: Node, requests: ReturnType<typeof readRequests>) {
  return { answers: await answersOf(node, requests), cells: fingerprint(node.instance) }
}

async function play(node: Node, host: ManualHost, program: readonly RpcStep[], base = 1n): Promise<void> {
  for (const step of program) await doStep({ node, host, base }, step)
}

async function staysApart(
  options: OptionsInput,
  [before, inDefault, inFirst, inSecond]: readonly (readonly RpcStep[])[],
): Promise<void> {
  const host = new ManualHost()
  const node = await freshNode(options, host)
  await play(node, host, before!)
  const worlds = [node.worlds.create().chain, node.worlds.create().chain]
  const all = [node, ...worlds]
  const requests = readRequests(node)
  for (const [mover, program] of [
    [node, inDefault!],
    [worlds[0]!, inFirst!],
    [worlds[1]!, inSecond!],
  ] as const) {
    const others = all.filter((other) => other !== mover)
    const expected = await Promise.all(others.map((other) => lookAt(other, requests)))
    await play(mover, host, program)
    if (mover !== node) await call(mover, 'evm_reset')
    expect(await Promise.all(others.map((other) => lookAt(other, requests)))).toEqual(expected)
  }
}

async function revertsInside(
  options: OptionsInput,
  [before, inWorld, ...afters]: readonly (readonly RpcStep[])[],
): Promise<void> {
  const host = new ManualHost()
  const node = await freshNode(options, host)
  await play(node, host, before!)
  const { chain: world } = node.worlds.create()
  await play(world, host, inWorld!)
  const id = BigInt(await call(world, 'evm_snapshot'))
  const requests = readRequests(world)
  const expected = await answersOf(world, requests)
  for (const after of afters) {
    await play(world, host, after, id)
    // The ground it was made on goes away.
    await call(node, 'evm_reset')
    expect(await call(world, 'evm_revert', [`0x${id.toString(16)}`])).toBe(true)
    expect(await answersOf(world, requests)).toEqual(expected)
  }
}

const KINDS: readonly (readonly [string, OptionsInput])[] = [
  ['instant blocks', { frozenTime: true }],
  ['manual blocks', { frozenTime: true, mining: false }],
  ['the rules of Ethereum', { frozenTime: true, network: 'ethereum' }],
]

describe('random programs', () => {
  test.each(KINDS)(
    'change only the world they run in, with %s',
    async (_name, options) => {
      await fc.assert(
        fc.asyncProperty(fc.tuple(steps, steps, steps, steps), (parts) => staysApart(options, parts)),
        runs(6),
      )
    },
    60_000,
  )

  test.each(KINDS)(
    'are taken back by a revert inside a world, with %s',
    async (_name, options) => {
      await fc.assert(
        fc.asyncProperty(fc.tuple(steps, steps, steps, steps), (parts) => revertsInside(options, parts)),
        runs(6),
      )
    },
    60_000,
  )
})

/** Bytes in use after everything unused is freed. */
async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const KIBIBYTE = 1024

/** A node with a contract of so many words. */
async function nodeWithSlots(slots: number): Promise<Node> {
  const node = await freshNode()
  const contract = addressOf(7)
  editHead(node.chain, (state) => {
    state.putCode(contract, Uint8Array.of(0))
    for (let slot = 1; slot <= slots; slot++) {
      state.putStorage(contract, toWord(BigInt(slot)), Uint8Array.of(1 + (slot % 255)))
    }
  })
  await call(node, 'evm_mine')
  return node
}

/** Changes one word of the contract and adds a block with a transaction. */
async function use(world: Node, n: number): Promise<void> {
  const [from, to] = world.funded.map(({ address }) => address)
  await call(world, 'hardhat_setStorageAt', [addressOf(7), `0x${(n + 1).toString(16)}`, toWord(BigInt(n))])
  await call(world, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
}

describe('memory', () => {
  test('of a hundred worlds of a chain with 20,000 words of storage is little more than that of the chain', async () => {
    const empty = await heapUsed()
    const node = await nodeWithSlots(20_000)
    const ofChain = (await heapUsed()) - empty
    for (let n = 0; n < 100; n++) await use(node.worlds.create().chain, n)
    const ofWorlds = (await heapUsed()) - empty - ofChain
    expect(node.worlds.size).toBe(100)
    expect(ofWorlds / 100).toBeLessThan(100 * KIBIBYTE)
    expect(ofWorlds).toBeLessThan(ofChain)
  }, 60_000)

  test('of a world is freed when it is deleted', async () => {
    const node = await nodeWithSlots(100)
    const gone: WeakRef<object>[] = []
    const useAndDelete = async (n: number): Promise<void> => {
      const { id, chain: world } = node.worlds.create()
      await use(world, n)
      gone.push(new WeakRef(world.instance), new WeakRef(world.chain.head))
      await node.worlds.delete(id)
    }
    for (let n = 0; n < 10; n++) await useAndDelete(n)
    // What ran last may still be at hand.
    await use(node, 1)
    await heapUsed()
    expect(gone.filter((object) => object.deref() !== undefined)).toEqual([])
  })
})
