/** Records the gas of all chains of a node. Contracts are looked up when a report is made or when many codes wait. */

import * as z from 'zod'
import { functionRun, functionTitle, type AbiFragment } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { getOrAdd } from '../../base/once.ts'
import { EMPTY_BYTES, toHash, toHex, fromHex, type Address } from '../../base/hex.ts'
import { ifLoaded } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Chain } from '../../chain/chain.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { delegationOf } from '../../evm/delegation.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import type { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import type { CodeKind, ContractOf } from '../../insight/artifacts/code.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import type { NamedContracts, NamedContract } from '../../insight/artifacts/named-contracts.ts'
import { implementationOf } from '../../insight/artifacts/proxies.ts'
import type { AccountFields } from '../../state/account.ts'
import type { StateRoot } from '../../state/state-root.ts'
import {
  gasReport,
  ContractTally,
  isUsed,
  type ContractContent,
  type FunctionTally,
  type GasTally,
} from './gas-tally.ts'
import { compareReports, comparisonText } from './comparison.ts'
import { writeReportFile, gasReportText } from './report-text.ts'
import type { GasReport } from './results.ts'

/** After this many codes, their contracts are looked up. Unknown ones are then summed up. */
const MAX_CODES = 500

/** Titles of rows that stand for several accounts. */
const UNKNOWN = 'unknown contracts'
const CODELESS = 'accounts without code'

/** Function title for a transaction without data to an account without code. */
const TRANSFER = 'transfer of value'

interface ExecutionPlace {
  readonly state: StateRoot
  readonly namedContracts: NamedContracts
}

interface SentData {
  readonly to?: Address | undefined
  readonly data?: Uint8Array | undefined
}

type ByTitle = Map<string, ContractTally>

/** Executions by contract and function title. */
type GasContent = Iterable<readonly [title: string, ContractContent]>

const gasContent = z.custom<GasContent>()

/** Records executions. They outlive reverts, resets and worlds, because their gas has been used. */
export class GasRecorder {
  readonly #catalog: ContractCatalog
  readonly #gasLimit: bigint
  readonly #base: GasReport | undefined
  /** Outcomes that were recorded. A block that a reorganization removes and adds again is recorded once. */
  readonly #seen = new WeakSet<Outcome>()
  /** Contracts that have not been looked up yet, by code. */
  #recorded = new Map<string, { readonly contract: ExecutedContract; readonly tally: ContractTally }>()
  #known: ByTitle = new Map()
  #isLookingUp = false

  /** `base` is an earlier report that texts compare with. */
  constructor(catalog: ContractCatalog, gasLimit: bigint, base?: GasReport) {
    this.#catalog = catalog
    this.#gasLimit = gasLimit
    this.#base = base
  }

  /** Records the transactions in the blocks that join a chain from now on. */
  watch(chain: Chain, namedContracts: NamedContracts): void {
    chain.onNewBlock((entry) => this.#addBlock(entry, namedContracts))
  }

  /** Records a call that succeeded. */
  addCall({ to, data }: SentData, { gasUsed }: Outcome, place: ExecutionPlace): void {
    if (to !== undefined) this.#functionTally(to, data, [place]).calls.add(Number(gasUsed))
  }

  /** Forgets all executions. */
  reset(): void {
    this.#recorded = new Map()
    this.#known = new Map()
  }

  async report(): Promise<GasReport> {
    return gasReport(await this.#tallies())
  }

  /** All executions as JSON, for the recorder of another process. */
  async json(): Promise<string> {
    return JSON.stringify([...(await this.#tallies())], (_, value: unknown) =>
      value instanceof Map ? [...value] : value,
    )
  }

  /** Adds the JSON of another process's recorder. */
  add(json: string): void {
    addByTitle(gasContent.parse(JSON.parse(json)), this.#known)
  }

  async #tallies(): Promise<ByTitle> {
    await this.#catalog.refresh()
    const all: ByTitle = new Map()
    addByTitle(this.#known, all)
    this.#lookUp(all)
    return all
  }

  /** The report as Markdown, after its changes. */
  async reportText(): Promise<string> {
    const report = await this.report()
    const changes = this.#base && `# Gas changes\n\n${comparisonText(compareReports(this.#base, report))}\n`
    return `${changes ?? ''}${gasReportText(report, this.#gasLimit)}`
  }

  /** Writes the report to a file: as JSON if its name ends in `.json`, else as Markdown. @throws NodeError 'invalidOption' */
  async writeReport(path: string): Promise<void> {
    const isJson = path.endsWith('.json')
    const text = isJson ? `${JSON.stringify(await this.report(), undefined, 2)}\n` : await this.reportText()
    await writeReportFile(path, text)
  }

  #addBlock({ block, keptState, parent }: ChainEntry, namedContracts: NamedContracts): void {
    // An old block that joins the chain again was recorded when it was new.
    if (keptState === undefined) return
    const after = { state: keptState, namedContracts }
    const before = parent?.keptState
    // A contract that destroyed itself is only in the state before the block.
    const places = before === undefined ? [after] : [after, { state: before, namedContracts }]
    for (const receipt of block.receipts) {
      const { transaction, outcome } = receipt
      if (this.#seen.has(outcome) || isSystemTransaction(transaction)) continue
      this.#seen.add(outcome)
      const tally =
        transaction.to === undefined
          ? this.#deployed(receipt, after)
          : this.#functionTally(transaction.to, transaction.data, places).transactions
      if (outcome.status === 'success') tally.add(Number(outcome.gasUsed))
      else tally.failed++
    }
  }

  #functionTally(
    to: Address,
    data: Uint8Array | undefined,
    places: readonly ExecutionPlace[],
  ): FunctionTally {
    const selector = toHex(data?.subarray(0, SELECTOR_LENGTH) ?? EMPTY_BYTES)
    for (const { state, namedContracts } of places) {
      const contract = executedContract(state, to, namedContracts.at(to))
      if (contract !== undefined) return this.#tallyOf(contract).functionTally(selector)
    }
    return selector === '0x'
      ? tallyIn(this.#known, CODELESS).functionTally(TRANSFER)
      : tallyIn(this.#known, UNKNOWN).functionTally(selector)
  }

  /** The deployment of the contract that a transaction created. If it left no code, its init code identifies it. */
  #deployed(
    { transaction: { data }, outcome: { contractAddress, status, returnData } }: Receipt,
    { state, namedContracts }: ExecutionPlace,
  ): GasTally {
    const created =
      status === 'success' && contractAddress !== undefined
        ? executedContract(state, contractAddress, namedContracts.at(contractAddress))
        : undefined
    const init = { code: data, codeHash: toHash(keccak256(data)) }
    const { deployments } = this.#tallyOf(created ?? { own: init, kind: 'creation' })
    if (created !== undefined) deployments.codeSize = returnData.length
    return deployments
  }

  #tallyOf(contract: ExecutedContract): ContractTally {
    const { own, implementation, named } = contract
    const key = `${own.codeHash} ${implementation?.codeHash ?? ''} ${named?.name ?? ''}`
    const { tally } = getOrAdd(this.#recorded, key, () => ({ contract, tally: new ContractTally() }))
    if (this.#recorded.size > MAX_CODES && !this.#isLookingUp) void this.#makeRoom()
    return tally
  }

  /** Sums up the executions, so that their codes can be dropped. */
  async #makeRoom(): Promise<void> {
    this.#isLookingUp = true
    await this.#catalog.refresh()
    this.#lookUp(this.#known)
    this.#recorded = new Map()
    this.#isLookingUp = false
  }

  /** Adds the recorded executions to the tallies of their contracts. */
  #lookUp(all: ByTitle): void {
    for (const { contract, tally } of this.#recorded.values()) {
      const contracts = reportedContracts(contract, this.#catalog.contractOf)
      sumUp(tally, all, contracts[0]?.title ?? UNKNOWN, (selector) => reportedFunction(contracts, selector))
    }
  }
}

const tallyIn = (tallies: ByTitle, title: string): ContractTally =>
  getOrAdd(tallies, title, () => new ContractTally())

function addByTitle(content: GasContent, all: ByTitle): void {
  for (const [title, contract] of content) sumUp(contract, all, title, (name) => ({ title, name }))
}

/** Adds a contract's executions to the contracts that declare its functions. */
function sumUp(
  { deployments, functions }: ContractContent,
  all: ByTitle,
  title: string,
  rowOf: (selector: string) => ReportedFunction | undefined,
): void {
  if (isUsed(deployments)) tallyIn(all, title).deployments.merge(deployments)
  for (const [selector, { transactions, calls }] of functions) {
    const row = rowOf(selector) ?? { title: UNKNOWN, name: selector }
    const tally = tallyIn(all, row.title).functionTally(row.name)
    tally.transactions.merge(transactions)
    tally.calls.merge(calls)
  }
}

type ExecutedCode = Pick<AccountFields, 'code' | 'codeHash'>

interface ExecutedContract {
  readonly own: ExecutedCode
  /** Init code stands for a contract whose creation left no code. */
  readonly kind: CodeKind
  /** The code that a clone (EIP-1167), a proxy (EIP-1967) or a delegated account (EIP-7702) runs. */
  readonly implementation?: ExecutedCode | undefined
  /** The contract that the user named at the address. */
  readonly named?: NamedContract | undefined
}

/** The contract that a call to an account runs; undefined for an account without code. */
function executedContract(
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

/** The code at an address; undefined for an account without code, and on a fork for code that was never read. */
function codeAt(state: StateRoot, address: Address): ExecutedCode | undefined {
  const account = ifLoaded(() => state.account(address))
  return account === undefined || account.code.length === 0 ? undefined : account
}

interface ReportedContract {
  /** Path and name, such as `contracts/Token.sol:Token`. */
  readonly title: string
  readonly abi: readonly AbiFragment[]
}

/** The names of an executed contract: the user's name for its address, and the contract behind a proxy. */
function reportedContracts(
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

interface ReportedFunction {
  readonly title: string
  /** Its signature, or its selector. */
  readonly name: string
}

/**
 * The function that a selector names in the first contract that declares it; else the unnamed function of the last contract that
 * has one. Undefined if no contract is known.
 */
function reportedFunction(
  contracts: readonly ReportedContract[],
  selector: string,
): ReportedFunction | undefined {
  const candidates = contracts.map(({ title, abi }) => ({ title, run: functionRun(abi, fromHex(selector)) }))
  const chosen =
    candidates.find(({ run }) => run?.type === 'function') ??
    candidates.findLast(({ run }) => run !== undefined) ??
    candidates.at(-1)
  return chosen && { title: chosen.title, name: chosen.run ? functionTitle(chosen.run) : selector }
}
