/** Measures the memory that a long chain keeps, in a process of its own. */

import { expect, test } from '@jest/globals'
import { outputOf } from '../support/own-process.ts'

/** Prints the bytes of heap that each of 1,000 blocks with a transfer adds. The first 1,300 make up for code. */
const MEASUREMENT = `
import { setImmediate } from 'node:timers/promises'
import { call, freshNode } from './test/support/node.ts'

const node = await freshNode({ network: process.argv[2] })
const [from, to] = node.funded.map(({ address }) => address)
const send = async (count) => {
  for (let sent = 0; sent < count; sent++) await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
}
const heapUsed = async () => {
  for (let time = 0; time < 3; time++) {
    await setImmediate()
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}
await send(1300)
const before = await heapUsed()
await send(1000)
console.log(((await heapUsed()) - before) / 1000)
await node.close()
`

test.each([
  ['network-33', 5000],
  ['ethereum', 10_000],
])('a block with a transfer on %s keeps less than %i bytes', async (network, bound) => {
  const kept = Number(await outputOf(MEASUREMENT, network))
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(bound)
})
