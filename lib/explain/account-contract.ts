/** Finds the contract that an account is, and of a proxy the contract behind it. */

import type { AbiFragment } from '../abi/fragments.ts'
import { implementationOf } from '../artifacts/proxies.ts'
import type { Address } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { ContractFinder } from './implementations.ts'

/** What is known of a contract. */
export interface DescribedContract {
  readonly address: Address
  /** Undefined if only the contract behind it is known. */
  readonly name: string | undefined
  /** Path of the source, as the compiler names it; undefined for a contract that was named by its address. */
  readonly file: string | undefined
  readonly compiler: string | undefined
  readonly abi: readonly AbiFragment[]
}

/** What is known of the contract of an account. */
export interface AccountContract extends DescribedContract {
  /** The contract that a proxy or a clone runs, if it is known. */
  readonly implementation: DescribedContract | undefined
}

/** The contract of an account; undefined if neither it nor the contract behind it is known. */
export function contractOfAccount(
  address: Address,
  contracts: ContractFinder,
  state: Pick<StateRoot, 'code' | 'storageAt'>,
): AccountContract | undefined {
  const code = state.code(address)
  const own = describe(address, code, contracts)
  const target = implementationOf(code, (slot) => state.storageAt(address, slot))
  const behind = target && describe(target, state.code(target), contracts)
  if (own === undefined && behind === undefined) return undefined
  const unknown = { address, name: undefined, file: undefined, compiler: undefined, abi: [] }
  return { ...(own ?? unknown), implementation: behind }
}

function describe(
  address: Address,
  code: Uint8Array,
  { contractOf, contractAt }: ContractFinder,
): DescribedContract | undefined {
  const named = contractAt(address)
  const compiled = code.length === 0 ? undefined : contractOf(code, 'runtime')
  const known = named ?? compiled
  if (known === undefined) return undefined
  const source = known === compiled ? compiled : undefined
  return {
    address,
    name: known.name,
    abi: known.abi,
    file: source?.path,
    compiler: source?.compilation.compiler,
  }
}
