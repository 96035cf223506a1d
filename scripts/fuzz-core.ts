/**
 * Checks the laws of the machine's core on random programs, for as long as wanted:
 * `npm run fuzz:core -- --seconds 600 --seed 7`. A failure is shrunk and printed; its seed repeats it.
 */

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { NETWORKS, lawsOf } from '../test/support/core-laws.ts'
import type { CoreLaw, NetworkRules } from '../test/support/core-laws.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})

const endsAt = Date.now() + 1000 * Number(values.seconds)
const runs = new Map<string, number>()

async function run(law: CoreLaw, network: NetworkRules, seed: number): Promise<void> {
  const details = await fc.check(law.property(network), { seed, numRuns: law.numRuns })
  runs.set(law.name, (runs.get(law.name) ?? 0) + details.numRuns)
  if (!details.failed) return
  console.error(`${law.name}, on ${network.name}, with --seed ${seed}:\n${fc.defaultReportMessage(details)}`)
  process.exit(1)
}

console.log(`seed ${values.seed}, ${values.seconds} seconds`)
for (let seed = Number(values.seed); Date.now() < endsAt; seed++) {
  for (const network of NETWORKS) {
    for (const law of lawsOf(network)) if (Date.now() < endsAt) await run(law, network, seed)
  }
}
for (const [name, count] of runs) console.log(`${count} programs: ${name}`)
