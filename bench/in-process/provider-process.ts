/**
 * Measures rows on the provider of Hardhat's network in this process. Started by processes.ts with a scale and the names of
 * rows, and with the config of Hardhat in its environment.
 */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Call } from '../client.ts'
import { ROOT } from '../folders.ts'
import type { Outcome } from '../results.ts'
import { Session } from '../session.ts'
import { FIRST_SECONDS, PROCESSES } from './rows.ts'

const [scale, ...names] = process.argv.slice(2)

const { network } = createRequire(join(ROOT, 'package.json'))('hardhat')
const call: Call = (method, ...params) => network.provider.request({ method, params })

/** The whole process: Hardhat, the chain, and what the rows themselves take. */
function use() {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, memory: process.memoryUsage.rss() }
}

await call('eth_chainId')
const running = { start: { cpuMs: use().cpuMs, wallMs: performance.now() }, use }
const extent = { scale: Number(scale), limitMs: Infinity }
const session = new Session(running, extent, { call, disconnect: () => undefined })
const outcomes: Record<string, Outcome> = {}
for (const { name, measure } of [...PROCESSES.flat(), FIRST_SECONDS]) {
  if (!names.includes(name)) continue
  outcomes[name] = await measure(session).catch((error: unknown) => ({ failed: String(error) }))
}
process.send!(outcomes, () => process.exit())
