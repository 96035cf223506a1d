/** Finds the contract of an account and the contract behind a proxy, by address or by a search for names, and lists its state variables. */

import { searchAbi, type AbiFragment } from '../../abi/fragments.ts'
import { bigIntToBytes32, bytesToBigInt, fromHex, toWord, type Address, type Hash } from '../../base/hex.ts'
import type { ContractSearch, StoredVariables } from '../../schema/explanation-results.ts'
import type { ListedSource } from '../../schema/report-results.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { implementationOf } from '../artifacts/proxies.ts'
import { storageLayout, type StorageBytes, type StorageLayout } from '../artifacts/storage-layout.ts'
import type { StorageMapping, StorageType, StorageValue } from '../artifacts/storage-layout.ts'
import type { ContractFinder } from './implementations.ts'
import { mappedCode } from './mapped-code.ts'
import { listedSources } from '../artifacts/source-unit.ts'
import {
  textValue,
  valueText,
  StorageWalk,
  bytesIn,
  hashOf,
  type StorageItems,
  type StoragePlace,
} from './storage-variables.ts'

export interface DescribedContract {
  readonly address: Address
  /** Undefined if only the contract behind it is known. */
  readonly name?: string | undefined
  /** The source's path, as the compiler names it; undefined for a contract named by its address. */
  readonly file?: string | undefined
  readonly compiler?: string | undefined
  readonly abi: readonly AbiFragment[]
}

export interface AccountContract extends DescribedContract {
  /** The contract that a proxy or a clone runs, if it is known. */
  readonly implementation: DescribedContract | undefined
}

type SearchedContract = ContractSearch['contracts'][number]

type CodeReader = Pick<StateRoot, 'code' | 'storageAt'>

interface AccountCode {
  readonly address: Address
  readonly code: Uint8Array
}

export class AccountContracts {
  readonly #contracts: ContractFinder

  constructor(contracts: ContractFinder) {
    this.#contracts = contracts
  }

  /** The contract of an account; undefined if neither it nor the contract behind it is known. */
  at(address: Address, state: CodeReader): AccountContract | undefined {
    const [own, implementation] = codesOf(address, state).map((one) => this.#describe(one))
    if (own === undefined && implementation === undefined) return undefined
    return { ...(own ?? { address, abi: [] }), implementation }
  }

  /** The sources that an account runs: first the file of each contract, then the others. Undefined if no contract is known. */
  sources(address: Address, state: CodeReader): readonly ListedSource[] | undefined {
    const sources = this.#compiled(address, state).flatMap(({ code, contract }) => [
      ...contract.compilation.sources.filter(({ path }) => path === contract.path),
      ...mappedCode(contract, 'runtime', code).sources(),
    ])
    return sources.length === 0 ? undefined : listedSources(sources)
  }

  /**
   * The state variables of an account's own contract and of the one behind a proxy. Mappings are read at the keys. Undefined if
   * neither layout is known.
   */
  variables(address: Address, state: CodeReader, keys: readonly bigint[]): StoredVariables | undefined {
    const layouts = this.#compiled(address, state)
      .map(({ contract }) => storageLayout(contract))
      .filter((layout) => layout !== undefined)
    if (layouts.length === 0) return undefined
    return new VariableList(layouts, { read: (slot) => state.storageAt(address, slot), keys })
  }

  /**
   * Finds contracts whose own name, function names or event names contain a text (case is ignored), or whose address or selectors
   * begin with it. On a fork only accounts that differ from the forked chain are searched.
   */
  search(text: string, state: StateRoot, limit: number): ContractSearch {
    const found: SearchedContract[] = []
    for (const [address] of state.accounts()) {
      const match = matchOf(text.toLowerCase(), this.at(address, state))
      if (match === undefined) continue
      if (found.length === limit) return { contracts: found, hasMore: true }
      found.push(match)
    }
    return { contracts: found, hasMore: false }
  }

  #compiled(address: Address, state: CodeReader) {
    return codesOf(address, state).flatMap(({ address: at, code }) => {
      const contract = this.#contracts.contractOf(code, 'runtime', at)
      return contract === undefined ? [] : [{ code, contract }]
    })
  }

  #describe({ address, code }: AccountCode): DescribedContract | undefined {
    const named = this.#contracts.contractAt(address)
    if (named !== undefined) return { address, name: named.name, abi: named.abi }
    const compiled = this.#contracts.contractOf(code, 'runtime', address)
    if (compiled === undefined) return undefined
    const { name, abi, path: file, compilation } = compiled
    return { address, name, abi, file, compiler: compilation.compiler }
  }
}

/** The codes that an account runs: its own, and the one behind a proxy or a clone. */
function codesOf(address: Address, state: CodeReader): readonly AccountCode[] {
  const code = state.code(address)
  const target = implementationOf(code, (slot) => state.storageAt(address, slot))
  const behind = target === undefined ? [] : [{ address: target, code: state.code(target) }]
  return [{ address, code }, ...behind]
}

/** @param text in lower case */
function matchOf(text: string, contract: AccountContract | undefined): SearchedContract | undefined {
  if (contract === undefined) return undefined
  const { address, implementation } = contract
  const names = [contract.name, implementation?.name].filter((name) => name !== undefined)
  const name = names[0] ?? ''
  const isNamed = names.some((one) => one.toLowerCase().includes(text))
  if (isNamed || (text.startsWith('0x') && address.startsWith(text)))
    return { address, name, functions: [], events: [] }
  const items = [contract.abi, implementation?.abi ?? []].flatMap((abi) => searchAbi(abi, text))
  const named = (kind: string): readonly string[] => [
    ...new Set(items.filter(({ type }) => type === kind).map((item) => item.name ?? '')),
  ]
  return items.length === 0
    ? undefined
    : { address, name, functions: named('function'), events: named('event') }
}

const MAX_LISTED = 100n

const MAX_VARIABLES = 2000

const MAX_TEXT_BYTES = 4096

/** Maximum number of values of mappings that are read. Most are zero, and on a fork each takes a request. */
const MAX_MAPPED = 1024

interface StorageReading {
  readonly read: (slot: Hash) => Hash
  /** Words to try as keys of mappings. Zero values are left out. */
  readonly keys: readonly bigint[]
}

/** The variables of some layouts, in order, within the limits above. */
class VariableList extends StorageWalk implements StoredVariables {
  readonly #read: StorageReading['read']
  readonly #keys: readonly Uint8Array[]
  readonly variables: StoredVariables['variables'][number][] = []

  constructor(layouts: readonly StorageLayout[], { read, keys }: StorageReading) {
    super()
    this.#read = read
    this.#keys = keys.map(bigIntToBytes32)
    this.valuesLeft = MAX_MAPPED
    for (const layout of layouts) this.walk(layout)
  }

  protected override visit(type: StorageType, place: StoragePlace): void {
    if (this.variables.length >= MAX_VARIABLES) this.isWhole = false
    else super.visit(type, place)
  }

  protected put(type: StorageValue | StorageBytes, place: StoragePlace): void {
    this.#add(type, place, valueText(type, bytesIn(this.#word(place.slot), type, place.offset)))
  }

  protected visitBytes(type: StorageBytes, place: StoragePlace): void {
    const word = this.#word(place.slot)
    const isLong = (word[31] ?? 0) % 2 === 1
    if (!isLong) return this.put(type, place)
    const length = (bytesToBigInt(word) - 1n) / 2n
    const kept = Number(length < MAX_TEXT_BYTES ? length : MAX_TEXT_BYTES)
    const first = hashOf(place.slot)
    const words = Array.from({ length: Math.ceil(kept / 32) }, (_, index) =>
      this.#word(first + BigInt(index)),
    )
    const text = textValue(type, Buffer.concat(words).subarray(0, kept))
    if (kept < length) this.isWhole = false
    this.#add(type, place, kept < length ? `${text} (${length} bytes)` : text)
  }

  protected countAt(slot: bigint): bigint {
    return bytesToBigInt(this.#word(slot))
  }

  protected *indexesOf({ count }: StorageItems): Generator<bigint> {
    if (count > MAX_LISTED) this.isWhole = false
    for (let index = 0n; index < count && index < MAX_LISTED; index++) yield index
  }

  protected override visitMapping(type: StorageMapping, place: StoragePlace): void {
    if (this.depth === 0) this.#add(type, place, undefined)
    super.visitMapping(type, place)
  }

  protected keysFor(): readonly Uint8Array[] {
    return this.#keys
  }

  protected wants(): boolean {
    return true
  }

  #word(slot: bigint): Uint8Array {
    return fromHex(this.#read(toWord(BigInt.asUintN(256, slot))))
  }

  #add({ label }: StorageType, { slot, offset, path }: StoragePlace, value: string | undefined): void {
    // Most tried keys were never written, so their values are zero and left out.
    if (this.depth > 0 && bytesToBigInt(this.#word(slot)) === 0n) return
    const at = toWord(BigInt.asUintN(256, slot))
    this.variables.push({ variable: path, type: label, slot: at, offset, value })
  }
}
