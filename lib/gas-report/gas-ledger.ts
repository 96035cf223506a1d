/** The executions of all chains of a node by contract. Contracts are looked up when a report is made, or when many codes wait. */

import type { ContractCatalog } from '../artifacts/catalog.ts'
import { gasReport } from './gas-report.ts'
import type { GasReport } from './gas-report.ts'
import { ContractTally } from './gas-tally.ts'
import { NO_DATA, RecordedContract, contractsOf, functionOf } from './recorded-contract.ts'
import type { FindContract, RecordedCode } from './recorded-contract.ts'

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

/** Adds the executions of a code to those of the contracts that it is of. */
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
