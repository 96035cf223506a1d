/** The executions of all chains of a node by contract. Contracts are looked up when a report is made, or when many codes wait. */

import type { ContractCatalog } from '../artifacts/catalog.ts'
import { gasReport } from './gas-report.ts'
import type { GasReport } from './gas-report.ts'
import { ContractTally } from './gas-tally.ts'
import { functionRun, functionTitle } from '../../abi/fragments.ts'
import type { AbiFragment } from '../../abi/fragments.ts'
import { fromHex, toAddress } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import type { CodeKind } from '../artifacts/code.ts'
import type { NamedContract } from '../artifacts/named-contracts.ts'
import { implementationOf } from '../artifacts/proxies.ts'
import { NotLoadedError } from '../../base/not-loaded.ts'
import { delegationOf } from '../../evm/delegation.ts'
import type { AccountFields } from '../../state/account.ts'
import type { StateRoot } from '../../state/state-root.ts'

/** Number of codes after which their contracts are looked up; the unknown ones among them are then summed up. */
const MAX_CODES = 500

/** Titles of rows that stand for several accounts. */
const UNKNOWN = 'unknown contracts'
const CODELESS = 'accounts without code'

/** Title of the function of a transaction without data to an account without code. */
const TRANSFER = 'transfer of value'

/** Tallies by the title of the contract. */
type ByTitle = Map<string, ContractTally>

/** Executions by contract. */
export class GasLedger {
  readonly #catalog: ContractCatalog
  /** By their codes. */
  #recorded = new Map<string, RecordedContract>()
  /** Contracts that were looked up. */
  #known: ByTitle = new Map()
  #isLookingUp = false

  constructor(catalog: ContractCatalog) {
    this.#catalog = catalog
  }

  /** The tally of a code. */
  tallyOf(code: RecordedCode): ContractTally {
    const { codes, named } = code
    const key = `${codes.own.codeHash} ${codes.implementation?.codeHash ?? ''} ${named?.name ?? ''}`
    const known = this.#recorded.get(key)
    if (known !== undefined) return known
    const recorded = new RecordedContract(code)
    this.#recorded.set(key, recorded)
    if (this.#recorded.size > MAX_CODES && !this.#isLookingUp) void this.#makeRoom()
    return recorded
  }

  /** The tally of an account without code: transfers of value, and calls of precompiles. */
  codelessTally(selector: string): { readonly tally: ContractTally; readonly name: string } {
    return selector === NO_DATA
      ? { tally: tallyIn(this.#known, CODELESS), name: TRANSFER }
      : { tally: tallyIn(this.#known, UNKNOWN), name: selector }
  }

  /** Forgets all executions. */
  reset(): void {
    this.#recorded = new Map()
    this.#known = new Map()
  }

  /** The report on all executions so far. */
  async report(): Promise<GasReport> {
    await this.#catalog.refresh()
    const all: ByTitle = new Map()
    for (const [title, tally] of this.#known) tallyIn(all, title).merge(tally)
    for (const one of this.#recorded.values()) sumUp(one, all, this.#find)
    return gasReport(all)
  }

  readonly #find: FindContract = (code, kind) => this.#catalog.contractOf(code, kind)

  /** Sums up the executions, so that their codes need not be kept. */
  async #makeRoom(): Promise<void> {
    this.#isLookingUp = true
    await this.#catalog.refresh()
    for (const one of this.#recorded.values()) sumUp(one, this.#known, this.#find)
    this.#recorded = new Map()
    this.#isLookingUp = false
  }
}

function tallyIn(tallies: ByTitle, title: string): ContractTally {
  const known = tallies.get(title)
  if (known !== undefined) return known
  const tally = new ContractTally()
  tallies.set(title, tally)
  return tally
}

/** Adds the executions of a code to the tallies of its contracts. */
function sumUp(
  { recorded, deployments, codeSize, functions }: RecordedContract,
  all: ByTitle,
  find: FindContract,
): void {
  const contracts = contractsOf(recorded, find)
  if (deployments.isUsed) {
    const tally = tallyIn(all, contracts[0]?.title ?? UNKNOWN)
    tally.mergeDeployments(deployments, codeSize)
  }
  for (const [selector, executions] of functions) {
    const named = functionOf(contracts, selector)
    const tally = tallyIn(all, named?.contract.title ?? UNKNOWN)
    tally.functionTally(named?.signature ?? selector).merge(executions)
  }
}

/** Code that was executed. */
interface RecordedCode {
  readonly codes: ExecutedCodes
  /** Init code stands for a contract whose creation left no code. */
  readonly kind: CodeKind
  /** The contract that the user named at the address. */
  readonly named: NamedContract | undefined
}

/** The executions of one code, by selector. */
class RecordedContract extends ContractTally {
  readonly recorded: RecordedCode

  constructor(recorded: RecordedCode) {
    super()
    this.recorded = recorded
  }
}

/** A contract of a report with its functions. */
interface ReportedContract {
  /** Path and name, such as `contracts/Token.sol:Token`. */
  readonly title: string
  readonly abi: readonly AbiFragment[]
}

/** Finds the contract of a code. */
type FindContract = (code: Uint8Array, kind: CodeKind) => CompiledContract | undefined

/** The contracts of a recorded code: its own, and the contract behind a proxy. */
function contractsOf(
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
interface ReportedFunction {
  readonly contract: ReportedContract
  readonly signature: string
}

/**
 * The function that a selector names in the first contract which declares it; else the function without a name in the last
 * contract that has one. Undefined if no contract is known.
 */
function functionOf(contracts: readonly ReportedContract[], selector: string): ReportedFunction | undefined {
  const found = contracts.map((contract) => ({ contract, run: functionRun(contract.abi, fromHex(selector)) }))
  const chosen =
    found.find(({ run }) => run?.type === 'function') ??
    found.findLast(({ run }) => run !== undefined) ??
    found.at(-1)
  return chosen && { contract: chosen.contract, signature: chosen.run ? functionTitle(chosen.run) : selector }
}

/** The selector of a call without data. */
const NO_DATA = '0x'

/** Code of an account. */
type ExecutedCode = Pick<AccountFields, 'code' | 'codeHash'>

/** The code of an account, and that of the contract which runs in its place. */
interface ExecutedCodes {
  readonly own: ExecutedCode
  /** The code that a clone (EIP-1167), a proxy (EIP-1967) or a delegated account (EIP-7702) runs. */
  readonly implementation: ExecutedCode | undefined
}

/** The codes that a call to an account runs; undefined for an account without code. */
export function executedCodes(state: StateRoot, to: Address): ExecutedCodes | undefined {
  const own = codeAt(state, to)
  if (own === undefined) return undefined
  const delegated = delegationOf(own.code)
  const target =
    delegated === undefined
      ? implementationOf(own.code, (slot) => ifLoaded(() => state.storageAt(to, slot)))
      : toAddress(delegated)
  return { own, implementation: target === undefined ? undefined : codeAt(state, target) }
}

/** The code at an address; undefined if there is none, or if it was never read on a fork. */
function codeAt(state: StateRoot, address: Address): ExecutedCode | undefined {
  const account = ifLoaded(() => state.account(address))
  return account === undefined || account.code.length === 0 ? undefined : account
}

/** What an execution has read is loaded. */
function ifLoaded<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotLoadedError) return undefined
    throw error
  }
}
