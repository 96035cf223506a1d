/**
 * Mines for a long time and opens and closes much, and shows memory and latency:
 * `npm run soak -- --blocks 200000 --reverts 10000 --keep-states 10000 --network ethereum`.
 */

import { parseArgs } from 'node:util'
import { loadBenchContracts } from '../bench/contracts.ts'
import { createNode, startServer } from '../lib/index.ts'
import { soakChain } from './soak/chain-soak.ts'
import type { Latency, Stop } from './soak/chain-soak.ts'
import { growthOf } from './soak/growth.ts'
import { LOGGER, MixedLoad } from './soak/mixed-load.ts'
import type { Ask } from './soak/mixed-load.ts'
import { workOn } from './soak/server-work.ts'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '200000' },
    reverts: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '100000' },
    worlds: { type: 'string', default: '1000' },
    sockets: { type: 'string', default: '1000' },
    network: { type: 'string' },
    'keep-states': { type: 'string' },
  },
})

const options = {
  ...(values.network === undefined ? {} : { network: values.network }),
  ...(values['keep-states'] === undefined ? {} : { keepStates: Number(values['keep-states']) }),
}

/** Rounds of the comparison of heaps. */
const ROUNDS = 6

/** Number of old states that are read. */
const OLD_READS = 50

const shown = ({ median, processor }: Latency): string =>
  `${median.toFixed(3)} ms median, ${processor.toFixed(3)} ms of processor time`

function show({ blocks, memory, states, latency }: Stop): void {
  const { heap, external, rss } = memory
  const sizes = [heap, external, rss, states].map((size) => size.toFixed(0).padStart(5))
  console.log(
    `${String(blocks).padStart(7)} blocks: heap${sizes[0]}, external${sizes[1]}, rss${sizes[2]} MB, ${sizes[3]} states; ${shown(latency)}`,
  )
}

async function mine(): Promise<void> {
  const node = await createNode(options)
  const ask: Ask = (method, ...params) => node.provider.request({ method, params })
  const load = await MixedLoad.start(ask, { token: loadBenchContracts().Token, logger: LOGGER })
  const [blocks, reverts] = [Number(values.blocks), Number(values.reverts)]
  const { first, last } = await soakChain(ask, load, { blocks, reverts, stops: 10, window: 1000 }, show)
  console.log(await ask('dev_memory'))
  console.log(`first warm thousand: ${shown(first)}`)
  console.log(`last thousand:       ${shown(last)}`)
  console.log(
    `the last thousand take ${(last.median / first.median).toFixed(2)} of the time, ${(last.processor / first.processor).toFixed(2)} of the processor time`,
  )
  const reads = await readOldStates(ask, blocks)
  console.log(
    `a balance of an old state: ${reads.median.toFixed(1)} ms median, ${reads.worst.toFixed(0)} ms at worst`,
  )
  await node.close()
}

/** Milliseconds of reading one balance each of states that are far apart. */
async function readOldStates(ask: Ask, blocks: number): Promise<{ median: number; worst: number }> {
  const times: number[] = []
  const [account] = await ask('eth_accounts')
  const oldest = Math.max(0, blocks - Number(values['keep-states'] ?? blocks))
  for (let read = 0; read < OLD_READS; read++) {
    const height = oldest + Math.floor((read / OLD_READS) * (blocks - oldest))
    const begun = performance.now()
    await ask('eth_getBalance', account, `0x${height.toString(16)}`)
    times.push(performance.now() - begun)
  }
  times.sort((left, right) => left - right)
  return { median: times[times.length >> 1]!, worst: times.at(-1)! }
}

async function compareHeaps(): Promise<void> {
  const server = await startServer({ ...options, port: 0 })
  const perRound = (count: string): number => Math.ceil(Number(count) / ROUNDS)
  const counts = {
    requests: perRound(values.requests),
    worlds: perRound(values.worlds),
    sockets: perRound(values.sockets),
  }
  for (const work of workOn(server.url, counts)) {
    const { name, count, bytesEach } = await growthOf(work, ROUNDS)
    console.log(`${count} times a ${name}: ${bytesEach.toFixed(1)} bytes of heap each`)
  }
  await server.close()
}

console.log(`node ${process.version}, options ${JSON.stringify(options)}`)
if (Number(values.blocks) > 0) await mine()
if (Number(values.requests) > 0) await compareHeaps()
process.exit(0)
