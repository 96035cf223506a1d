/** Finds contracts of a state by their names and by those of their functions. */

import type { Address } from '../base/hex.ts'
import type { StateRoot } from '../state/state-root.ts'
import { contractOfAccount } from './account-contract.ts'
import type { AccountContract } from './account-contract.ts'
import type { ContractFinder } from './implementations.ts'

/** A contract that a search found. */
export interface SearchedContract {
  readonly address: Address
  /** Name of the contract, or of the one behind a proxy without a name. */
  readonly name: string
  /** Names of the functions that match, without repetition; empty if the name of the contract matches. */
  readonly functions: readonly string[]
}

/** What a search found. */
export interface ContractSearch {
  readonly contracts: readonly SearchedContract[]
  /** Whether there are more than the limit. */
  readonly hasMore: boolean
}

/**
 * The contracts whose names, or the names of whose functions, contain a text, in upper or lower case. On a fork only accounts that
 * differ from the forked chain are looked at.
 */
export function findContracts(
  text: string,
  contracts: ContractFinder,
  state: StateRoot,
  limit: number,
): ContractSearch {
  const found: SearchedContract[] = []
  for (const [address] of state.accounts()) {
    const match = matchOf(text.toLowerCase(), contractOfAccount(address, contracts, state))
    if (match === undefined) continue
    if (found.length === limit) return { contracts: found, hasMore: true }
    found.push(match)
  }
  return { contracts: found, hasMore: false }
}

/** @param text in lower case */
function matchOf(text: string, contract: AccountContract | undefined): SearchedContract | undefined {
  if (contract === undefined) return undefined
  const { address, implementation } = contract
  const names = [contract.name, implementation?.name].filter((name) => name !== undefined)
  const name = names[0] ?? ''
  if (names.some((one) => one.toLowerCase().includes(text))) return { address, name, functions: [] }
  const functions = [...contract.abi, ...(implementation?.abi ?? [])]
    .filter((item) => item.type === 'function' && item.name?.toLowerCase().includes(text) === true)
    .map((item) => item.name ?? '')
  return functions.length === 0 ? undefined : { address, name, functions: [...new Set(functions)] }
}
