/** Executions of one code, until the contract that the code is of is looked up. */

import { fragmentSignature, functionCalled } from '../abi/fragments.ts'
import type { AbiFragment } from '../abi/fragments.ts'
import { fromHex } from '../base/hex.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import type { CodeKind } from '../artifacts/code.ts'
import type { NamedContract } from '../artifacts/named-contracts.ts'
import type { ExecutedCodes } from './executed-code.ts'
import { ContractTally } from './gas-tally.ts'

/** What is known of the code that was executed. */
export interface RecordedCode {
  readonly codes: ExecutedCodes
  /** Init code stands for a contract whose creation left no code. */
  readonly kind: CodeKind
  /** The contract that the user named at the address. */
  readonly named: NamedContract | undefined
}

/** The executions of one code, by selector. */
export class RecordedContract extends ContractTally {
  readonly recorded: RecordedCode

  constructor(recorded: RecordedCode) {
    super()
    this.recorded = recorded
  }
}

/** A contract of a report with its functions. */
export interface ReportedContract {
  /** Path and name, such as `contracts/Token.sol:Token`. */
  readonly title: string
  readonly abi: readonly AbiFragment[]
}

/** Finds the contract of a code. */
export type FindContract = (code: Uint8Array, kind: CodeKind) => CompiledContract | undefined

/** The contracts that a recorded code can be of: its own, and the one whose code a proxy runs. */
export function contractsOf(
  { codes: { own, implementation }, kind, named }: RecordedCode,
  find: FindContract,
): readonly ReportedContract[] {
  const found = [titled(find(own.code, kind)), named && { title: named.name, abi: named.abi }]
  if (implementation !== undefined) found.push(titled(find(implementation.code, 'runtime')))
  return found.filter((contract) => contract !== undefined)
}

const titled = (contract: CompiledContract | undefined): ReportedContract | undefined =>
  contract && { title: `${contract.path}:${contract.name}`, abi: contract.abi }

/** A function of a contract by its signature. */
export interface ReportedFunction {
  readonly contract: ReportedContract
  readonly signature: string
}

/**
 * The function that a selector names in the first contract which declares it; else the function without a name in the last
 * contract that has one. Undefined if no contract is known.
 */
export function functionOf(
  contracts: readonly ReportedContract[],
  selector: string,
): ReportedFunction | undefined {
  for (const contract of contracts) {
    const named = functionCalled(contract.abi, fromHex(selector))
    if (named !== undefined) return { contract, signature: fragmentSignature(named) }
  }
  const contract = contracts.findLast(({ abi }) => nameless(abi, selector) !== undefined) ?? contracts.at(-1)
  return contract && { contract, signature: nameless(contract.abi, selector) ?? selector }
}

/** `receive` or `fallback`; undefined if the ABI has none that runs. */
function nameless(abi: readonly AbiFragment[], selector: string): string | undefined {
  const has = (wanted: string): boolean => abi.some(({ type }) => type === wanted)
  if (selector === NO_DATA && has('receive')) return 'receive'
  return has('fallback') ? 'fallback' : undefined
}

/** The selector of a call without data. */
export const NO_DATA = '0x'
