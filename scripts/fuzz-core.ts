/**
 * Compares the core of the machine with its oracle on random programs, for as long as wanted:
 * `npm run fuzz:core -- --seconds 600 --seed 7`. A failure is shrunk and printed; its seed repeats it.
 */

import { deepStrictEqual } from 'node:assert'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { CORE_LAWS, NETWORKS } from '../test/support/core-laws.ts'
import type { Check, CoreLaw, NetworkRules } from '../test/support/core-laws.ts'
import { runMachine, runOracle } from '../test/support/oracle-runs.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})

const endsAt = Date.now() + 1000 * Number(values.seconds)
const runs = new Map(CORE_LAWS.map(({ name }) => [name, 0]))
let compared = 0

const check: Check = (scene, isObserved) => {
  const ran = runMachine(scene, isObserved)
  deepStrictEqual(ran, runOracle(scene, isObserved))
  compared++
  return ran
}

function run(law: CoreLaw, network: NetworkRules, seed: number): void {
  const details = fc.check(law.property(network, check), { seed, numRuns: law.numRuns })
  runs.set(law.name, (runs.get(law.name) ?? 0) + details.numRuns)
  if (!details.failed) return
  console.error(`${law.name}, on ${network.name}, with --seed ${seed}:\n${fc.defaultReportMessage(details)}`)
  process.exit(1)
}

console.log(`seed ${values.seed}, ${values.seconds} seconds`)
for (let seed = Number(values.seed); Date.now() < endsAt; seed++) {
  for (const network of NETWORKS) {
    for (const law of CORE_LAWS) if (Date.now() < endsAt) run(law, network, seed)
  }
}
for (const [name, count] of runs) console.log(`${name}: ${count} programs`)
console.log(`${compared} runs compared on ${NETWORKS.length} networks, no difference`)
