/** Memory of worlds: they share the state of the chain they begin with, and free their own when they are deleted. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { toWord } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { call, freshNode } from '../../support/node.ts'
import { outputOf } from '../../support/own-process.ts'
import { addressOf } from '../../support/transactions.ts'

/** Bytes in use after everything unused is freed. */
async function heapUsed(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const KIBIBYTE = 1024

/** A node with a contract that has a number of storage slots. */
async function nodeWithSlots(slots: number): Promise<Node> {
  const node = await freshNode()
  const contract = addressOf(7)
  node.chain.editHead((state) => {
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
  test('of a hundred worlds of a chain with 20,000 storage slots is less than that of the chain', async () => {
    const empty = await heapUsed()
    const node = await nodeWithSlots(20_000)
    const ofChain = (await heapUsed()) - empty
    for (let n = 0; n < 100; n++) await use(node.worlds.create().chain, n)
    const ofWorlds = (await heapUsed()) - empty - ofChain
    expect(node.worlds.size).toBe(100)
    expect(ofWorlds / 100).toBeLessThan(100 * KIBIBYTE)
    expect(ofWorlds).toBeLessThan(ofChain)
  })

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
    // The chain that was used last may still be referenced.
    await use(node, 1)
    await heapUsed()
    expect(gone.filter((object) => object.deref() !== undefined)).toEqual([])
  })
})

/** Prints the kibibytes of heap of a world without a transaction, and of one with ten. The first worlds make up for code. */
const MEASUREMENT = `
import { setImmediate } from 'node:timers/promises'
import { call, freshNode } from './test/support/node.ts'

const node = await freshNode({ network: process.argv[2] })
const [from, to] = node.funded.map(({ address }) => address)
const makeWorlds = async (count, transactions) => {
  for (let made = 0; made < count; made++) {
    const { id } = await call(node, 'dev_createWorld', [{}])
    const world = node.worlds.all.find((one) => one.id === id).chain
    for (let sent = 0; sent < transactions; sent++) {
      await call(world, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
    }
  }
}
const heapUsed = async () => {
  for (let time = 0; time < 3; time++) {
    await setImmediate()
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}
const kibibytesOf100 = async (transactions) => {
  const before = await heapUsed()
  await makeWorlds(100, transactions)
  return ((await heapUsed()) - before) / 100 / 1024
}
await makeWorlds(30, 10)
console.log(JSON.stringify([await kibibytesOf100(0), await kibibytesOf100(10)]))
process.exit()
`

test.each([
  ['network-33', 110],
  ['ethereum', 180],
])('a world on %s takes less than 40 KiB, and less than %i KiB with ten blocks', async (network, bound) => {
  const [idle, used]: number[] = JSON.parse(await outputOf(MEASUREMENT, network))
  expect(idle).toBeGreaterThan(0)
  expect(idle).toBeLessThan(40)
  expect(used).toBeLessThan(bound)
})

/** Prints the heap and the processor time of a world from the head of the default chain, and of one with the network of the params. */
const COMPARISON = `
import { setImmediate } from 'node:timers/promises'
import { call, freshNode } from './test/support/node.ts'

const node = await freshNode({ network: 'network-33', worldLimit: 1000 })
const heapUsed = async () => {
  for (let time = 0; time < 3; time++) {
    await setImmediate()
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}
const make = async (members, count) => {
  for (let made = 0; made < count; made++) await call(node, 'dev_createWorld', [members])
}
const costsOf = async (members) => {
  await make(members, 50)
  const before = await heapUsed()
  const start = process.cpuUsage()
  await make(members, 200)
  const { user, system } = process.cpuUsage(start)
  return { bytes: (await heapUsed()) - before, cpuUs: user + system }
}
console.log(JSON.stringify([await costsOf({}), await costsOf(JSON.parse(process.argv[2]))]))
process.exit()
`

test.each([
  { network: 'ethereum' },
  { network: 'network-31' },
  { network: 'ethereum', hardfork: 'cancun', chainId: 10 },
])('a world of %j beside others of it costs about as much as one of the default chain', async (members) => {
  const costs: { bytes: number; cpuUs: number }[] = JSON.parse(
    await outputOf(COMPARISON, JSON.stringify(members)),
  )
  const [shared, own] = costs
  expect(shared!.bytes).toBeGreaterThan(0)
  expect(own!.bytes / shared!.bytes).toBeLessThan(2)
  expect(own!.cpuUs / shared!.cpuUs).toBeLessThan(8)
})
