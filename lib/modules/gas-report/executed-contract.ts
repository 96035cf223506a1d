/** The codes that a call to an account runs, and the names of contract and function in reports. */

import { functionRun, functionTitle, type AbiFragment } from '../../abi/fragments.ts'
import { fromHex, type Address } from '../../base/hex.ts'
import { ifLoaded } from '../../base/routine.ts'
import type { CodeKind, ContractOf } from '../../insight/artifacts/code.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import type { NamedContract } from '../../insight/artifacts/named-contracts.ts'
import { implementationOf } from '../../insight/artifacts/proxies.ts'
import { delegationOf } from '../../evm/delegation.ts'
import type { AccountFields } from '../../state/account.ts'
import type { StateRoot } from '../../state/state-root.ts'

type ExecutedCode = Pick<AccountFields, 'code' | 'codeHash'>

/** A contract that was executed. */
export interface ExecutedContract {
  readonly own: ExecutedCode
  /** Init code stands for a contract whose creation left no code. */
  readonly kind: CodeKind
  /** The code that a clone (EIP-1167), a proxy (EIP-1967) or a delegated account (EIP-7702) runs. */
  readonly implementation?: ExecutedCode | undefined
  /** The contract that the user named at the address. */
  readonly named?: NamedContract | undefined
}

/** The contract that a call to an account runs; undefined for an account without code. */
export function executedContract(
  state: StateRoot,
  to: Address,
  named: NamedContract | undefined,
): ExecutedContract | undefined {
  const own = codeAt(state, to)
  if (own === undefined) return undefined
  const target =
    delegationOf(own.code) ?? implementationOf(own.code, (slot) => ifLoaded(() => state.storageAt(to, slot)))
  return { own, kind: 'runtime', implementation: target && codeAt(state, target), named }
}

/** The code at an address; undefined for an account without code, and for code that was never read on a fork. */
function codeAt(state: StateRoot, address: Address): ExecutedCode | undefined {
  const account = ifLoaded(() => state.account(address))
  return account === undefined || account.code.length === 0 ? undefined : account
}

interface ReportedContract {
  /** Path and name, such as `contracts/Token.sol:Token`. */
  readonly title: string
  readonly abi: readonly AbiFragment[]
}

/** The names of an executed contract, of the user for its address, and of the contract behind a proxy. */
export function reportedContracts(
  { own, kind, implementation, named }: ExecutedContract,
  find: ContractOf,
): readonly ReportedContract[] {
  const titled = (contract: CompiledContract | undefined): ReportedContract | undefined =>
    contract && { title: `${contract.path}:${contract.name}`, abi: contract.abi }
  return [
    titled(find(own.code, kind)),
    named && { title: named.name, abi: named.abi },
    implementation && titled(find(implementation.code, 'runtime')),
  ].filter((contract) => contract !== undefined)
}

/** A row of a report: a function of a contract. */
export interface ReportedFunction {
  readonly title: string
  /** Its signature, or its selector. */
  readonly name: string
}

/**
 * The function that a selector names in the first contract which declares it; else the function without a name in the last
 * contract that has one. Undefined if no contract is known.
 */
export function reportedFunction(
  contracts: readonly ReportedContract[],
  selector: string,
): ReportedFunction | undefined {
  const found = contracts.map(({ title, abi }) => ({ title, run: functionRun(abi, fromHex(selector)) }))
  const chosen =
    found.find(({ run }) => run?.type === 'function') ??
    found.findLast(({ run }) => run !== undefined) ??
    found.at(-1)
  return chosen && { title: chosen.title, name: chosen.run ? functionTitle(chosen.run) : selector }
}
