/** Runs programs on network 33 in a state with a contract, two accounts and three precompiles. */

import type { Address } from '../../../../lib/base/hex.ts'
import { activeEips } from '../../../../lib/config/active-eips.ts'
import { loadNetwork } from '../../../support/networks.ts'
import type { ExecutionResult } from '../../../../lib/evm/machine/environment.ts'
import type { PrecompileCall, Precompile } from '../../../../lib/evm/precompile.ts'
import { PrecompileFailure } from '../../../../lib/evm/precompile.ts'
import { network33Rules } from '../../../../lib/modules/network-33/rules.ts'
import type { State } from '../../../../lib/state/state.ts'
import { assembler } from '../../../support/assembler.ts'
import type { Given, RunContext, Sent } from '../../../support/machine-runs.ts'
import { contextOf, execute, stateOf } from '../../../support/machine-runs.ts'
import { addressOf } from '../../../support/transactions.ts'

/** The contract that is called. */
export const CONTRACT = addressOf(0x1001)
/** An account with one wei and without code. */
export const FUNDED = addressOf(0xe0)
/** Address without an account. */
export const ABSENT = addressOf(0x99)
/** Precompile that returns up to four bytes of its input, for 100 gas. */
export const ECHO = addressOf(0xf1)
/** Precompile that fails, for 100 gas. */
export const REFUSAL = addressOf(0xf2)

/** The calls of precompiles, newest last. */
export const nativeCalls: PrecompileCall[] = []

const native = (address: Address, run: Precompile['run']): Precompile => ({
  address,
  name: 'native',
  maxInput: 4,
  gas: () => 100,
  run: (call) => {
    nativeCalls.push(call)
    return run(call)
  },
})

const precompiles = [
  native(ECHO, ({ input }) => input),
  native(REFUSAL, ({ log, state }) => {
    log({ address: REFUSAL, topics: [], data: new Uint8Array(0) })
    state.putAccount(ABSENT, { nonce: 9n, balance: 9n })
    throw new PrecompileFailure('refused')
  }),
]

export const rules = network33Rules({
  eips: activeEips(loadNetwork('network-33')),
  precompiles: new Map(precompiles.map((contract) => [contract.address, contract])),
  allowUnlimitedContractSize: false,
})

/** Assembles code from names of instructions. */
export const assemble = assembler(rules)

/** Settings that differ from the defaults. */
export interface Special {
  readonly gas?: number
  /** Accounts in addition to the default ones, or in their place. */
  readonly world?: readonly (readonly [Address, Given])[]
  readonly sent?: Partial<Sent>
  readonly context?: Partial<RunContext>
}

/** Result of a program. */
export interface Ran extends ExecutionResult {
  readonly spent: number
  readonly state: State
  /** A word of the contract's storage. */
  readonly slot: (slot: bigint) => bigint
}

/** Runs a program as the code of the contract. */
export function run(
  source: string,
  { gas = 1_000_000, world = [], sent = {}, context = {} }: Special = {},
): Ran {
  const state = stateOf(
    new Map<Address, Given>([
      [CONTRACT, { code: assemble(source), nonce: 1n, storage: new Map([[1n, 5n]]) }],
      [FUNDED, { balance: 1n }],
      [ECHO, {}],
      [REFUSAL, {}],
      ...world,
    ]),
  )
  const message = { to: CONTRACT, data: new Uint8Array(0), value: 0n, gas, ...sent }
  const result = execute(contextOf(rules, state, context), message)
  const slot = (number: bigint): bigint => {
    const key = `0x${number.toString(16).padStart(64, '0')}`
    return BigInt(`0x0${Buffer.from(state.storage(CONTRACT, key as never)).toString('hex')}`)
  }
  return { ...result, spent: gas - result.gasLeft, state, slot }
}
