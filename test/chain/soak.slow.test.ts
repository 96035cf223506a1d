/** A short run of `npm run soak`, in a process of its own: memory stays bounded, and nothing is left of what has ended. */

import { expect, test } from '@jest/globals'
import { outputOf } from '../support/own-process.ts'

/** Bytes of heap per block of a chain with little memory and with the default, and bytes per request, world and socket. */
const MEASUREMENT = `
import { createNode, startServer } from './lib/index.ts'
import { soakChain } from './scripts/soak/chain-soak.ts'
import { growthOf } from './scripts/soak/growth.ts'
import { LOGGER, MixedLoad } from './scripts/soak/mixed-load.ts'
import { workOn } from './scripts/soak/server-work.ts'

const bytesPerBlock = async (options) => {
  const node = await createNode({ network: 'ethereum', ...options })
  const ask = (method, ...params) => node.provider.request({ method, params })
  const load = await MixedLoad.start(ask, { token: LOGGER, logger: LOGGER })
  const { stops } = await soakChain(ask, load, { blocks: 2400, reverts: 80, stops: 2, window: 400 })
  const [early, late] = stops.map(({ memory }) => memory.heap + memory.external)
  const { sum } = await ask('dev_memory')
  await node.close()
  return { kept: ((late - early) * 2 ** 20) / 1200, share: sum / 2 ** 20 / (late + 1) }
}
const scarce = await bytesPerBlock({ maxMemory: '1m' })
const free = await bytesPerBlock({})
const server = await startServer({ port: 0 })
const growth = {}
for (const work of workOn(server.url, { requests: 300, worlds: 10, sockets: 30 })) growth[work.name] = (await growthOf(work)).bytesEach
console.log(JSON.stringify({ scarce, free, growth }))
process.exit(0)
`

test('old blocks take less memory when it is scarce, and ended requests, worlds and sockets none', async () => {
  const { scarce, free, growth } = JSON.parse(await outputOf(MEASUREMENT))
  // A part of what is kept is the newest state, which grows by the slots of system contracts.
  expect(scarce.kept).toBeLessThan(free.kept * 0.8)
  for (const { share } of [scarce, free]) {
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(1)
  }
  // What V8 compiles in between is a part of these figures; a world that stays takes 60,000 bytes, a socket 20,000.
  expect(growth.request).toBeLessThan(2000)
  expect(growth.world).toBeLessThan(10_000)
  expect(growth.socket).toBeLessThan(3000)
}, 300_000)
