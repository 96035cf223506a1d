/** Measures gas per second of every precompile on slow inputs. Run by `npm run bench:precompiles`. */

import { asAddress } from '../lib/base/hex.ts'
import { activeEips } from '../lib/config/active-eips.ts'
import { ethereumPrecompiles } from '../lib/networks/ethereum/precompiles/precompiles.ts'
import type { PrecompileCall, Precompile } from '../lib/evm/precompile.ts'
import { network33Precompiles } from '../lib/modules/network-33/precompiles/precompiles.ts'
import { StateRoot } from '../lib/state/state-root.ts'
import { State } from '../lib/state/state.ts'
import { PRECOMPILE_INPUTS } from './precompile-inputs.ts'
import type { PrecompileInput } from './precompile-inputs.ts'

/** Gas of the call instruction, which every call of a precompile costs too (EIP-2929; node-chain 9.2). */
const CALL_GAS = { ethereum: 100, network33: 700 }

/** Minimum processor time of one measurement. */
const MIN_MS = 200

const NEWEST = 'osaka'

const NOBODY = asAddress(`0x${'00'.repeat(20)}`)

/** A call by a contract that a transaction called. Rows whose precompile reads the block bring their own. */
const CALL: Omit<PrecompileCall, 'input' | 'block'> = {
  kind: 'staticcall',
  value: 0n,
  gas: 10 ** 9,
  caller: NOBODY,
  origin: NOBODY,
  depth: 1,
  isStatic: true,
  isSimulated: true,
  isSystem: false,
  transactionHash: undefined,
  state: new State(StateRoot.empty),
  log: () => undefined,
  paid: () => undefined,
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function contractOf({ network, name, hardfork = NEWEST }: PrecompileInput): Precompile {
  const eips = activeEips({ ownEips: undefined, hardfork, eips: [] })
  const contracts = network === 'ethereum' ? ethereumPrecompiles(eips) : network33Precompiles
  const found = [...contracts.values()].find((contract) => contract.name === name)
  if (found === undefined) throw new Error(`${network} has no precompile ${name}`)
  return found
}

/** Milliseconds of one call, the best of three measurements: other processes only slow it down. */
function msOf(run: () => unknown): number {
  const measured = [1, 2, 3].map(() => {
    for (let times = 1; ; times *= 2) {
      const start = cpuMs()
      for (let index = 0; index < times; index++) run()
      const ms = cpuMs() - start
      if (ms >= MIN_MS) return ms / times
    }
  })
  return Math.min(...measured)
}

const wanted = process.argv[2] ?? ''
const rows: Record<string, unknown> = {}
for (const row of PRECOMPILE_INPUTS) {
  const { network, name, what, input, special, target = 8 } = row
  if (!name.includes(wanted)) continue
  const contract = contractOf(row)
  const call = { ...CALL, input, ...special } as PrecompileCall
  const gas = contract.gas(call) + CALL_GAS[network]
  const ms = msOf(() => contract.run(call).slice())
  const speed = gas / ms / 1000
  rows[`${name}, ${what}`] = {
    gas,
    microseconds: Number((ms * 1000).toFixed(1)),
    'Mgas/s': Number(speed.toFixed(1)),
    target: speed < target ? `below ${target}` : `>= ${target}`,
  }
}
console.table(rows)
