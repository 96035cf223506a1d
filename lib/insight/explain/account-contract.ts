/** Finds the contract of an account and the contract behind a proxy, by address or by a search for names. */

import type { AbiFragment } from '../../abi/fragments.ts'
import { implementationOf } from '../artifacts/proxies.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { ContractFinder } from './implementations.ts'
import { mappedCode } from './mapped-code.ts'
import { listedSources } from './source-list.ts'
import type { ListedSource } from './source-list.ts'
import { storedVariables } from './stored-variables.ts'
import type { StoredVariables } from './stored-variables.ts'

/** A contract as far as it is known. */
export interface DescribedContract {
  readonly address: Address
  /** Undefined if only the contract behind it is known. */
  readonly name: string | undefined
  /** Path of the source, as the compiler names it; undefined for a contract that was named by its address. */
  readonly file: string | undefined
  readonly compiler: string | undefined
  readonly abi: readonly AbiFragment[]
}

/** The contract of an account as far as it is known. */
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
  const target = targetOf(address, code, state)
  const behind = target && describe(target, state.code(target), contracts)
  if (own === undefined && behind === undefined) return undefined
  const unknown = { address, name: undefined, file: undefined, compiler: undefined, abi: [] }
  return { ...(own ?? unknown), implementation: behind }
}

/** The contract whose code a clone or a proxy runs. */
const targetOf = (
  address: Address,
  code: Uint8Array,
  state: Pick<StateRoot, 'storageAt'>,
): Address | undefined => implementationOf(code, (slot) => state.storageAt(address, slot))

/** The codes that an account runs, with their contracts in the artifacts: its own, and the one behind a proxy or a clone. */
function compiledCodes(
  address: Address,
  { contractOf }: ContractFinder,
  state: Pick<StateRoot, 'code' | 'storageAt'>,
) {
  const own = state.code(address)
  const target = targetOf(address, own, state)
  return [own, ...(target === undefined ? [] : [state.code(target)])].flatMap((code) => {
    const contract = code.length === 0 ? undefined : contractOf(code, 'runtime')
    return contract === undefined ? [] : [{ code, contract }]
  })
}

/**
 * The sources of the contracts that an account runs: the file of each contract, and then the other sources of its instructions.
 * Undefined if no contract is known.
 */
export function sourcesOfAccount(
  address: Address,
  contracts: ContractFinder,
  state: Pick<StateRoot, 'code' | 'storageAt'>,
): readonly ListedSource[] | undefined {
  const codes = compiledCodes(address, contracts, state)
  if (codes.length === 0) return undefined
  return listedSources(
    codes.flatMap(({ code, contract }) => [
      ...contract.compilation.sources.filter(({ path }) => path === contract.path),
      ...mappedCode(contract, 'runtime', code).sources(),
    ]),
  )
}

/**
 * The state variables of an account, those of its own contract and of the one behind a proxy. Mappings are read at the keys.
 * Undefined if the layout of neither is known.
 */
export function variablesOfAccount(
  address: Address,
  contracts: ContractFinder,
  {
    state,
    keys,
  }: { readonly state: Pick<StateRoot, 'code' | 'storageAt'>; readonly keys: readonly bigint[] },
): StoredVariables | undefined {
  const layouts = compiledCodes(address, contracts, state)
    .map(({ contract }) => contract.storageLayout)
    .filter((layout) => layout !== undefined)
  if (layouts.length === 0) return undefined
  const read = (slot: Hash): Hash => state.storageAt(address, slot)
  return storedVariables(layouts, { read, keys })
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

/** A contract that a search found. */
interface SearchedContract {
  readonly address: Address
  /** Name of the contract, or of the one behind a proxy without a name. */
  readonly name: string
  /** Names of the functions that match, without repetition; empty if the name of the contract matches. */
  readonly functions: readonly string[]
}

/** The result of a search. */
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
