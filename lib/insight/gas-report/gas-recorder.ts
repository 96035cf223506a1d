/** Records the gas of the transactions and calls of all chains of a node. */

import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import type { ContractCatalog } from '../artifacts/catalog.ts'
import type { NamedContracts } from '../artifacts/named-contracts.ts'
import { toHash, toHex } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Chain } from '../../chain/chain.ts'
import { RemoteEntry } from '../../chain/remote-history.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { isSystemTransaction } from '../../evm/system-transaction.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { executedCodes, GasLedger } from './gas-ledger.ts'
import type { GasReport } from './gas-report.ts'
import type { ContractTally, FunctionTally } from './gas-tally.ts'
import { writeReportFile } from './report-file.ts'
import { gasReportText } from './report-text.ts'

/** Where an execution took place. */
export interface ExecutionPlace {
  /** The state after the execution. */
  readonly state: StateRoot
  readonly namedContracts: NamedContracts
}

/** The account and the data that a transaction or a call is sent to. */
interface SentData {
  readonly to?: Address | undefined
  readonly data?: Uint8Array | undefined
}

/** Records executions. They outlive reverts, resets and worlds, because they have used their gas. */
export class GasRecorder {
  readonly #ledger: GasLedger
  /** A block that a reorganization removes and adds again is recorded once. */
  readonly #recorded = new WeakSet<Outcome>()

  constructor(catalog: ContractCatalog) {
    this.#ledger = new GasLedger(catalog)
  }

  /** Records the transactions in the blocks that join a chain from now on. */
  watch(chain: Chain, namedContracts: NamedContracts): void {
    chain.headChanged.on(({ added }) => {
      // A new genesis means that the chain was loaded: its transactions ran elsewhere.
      if (added[0]?.number === 0) return
      for (const entry of added) if (!(entry instanceof RemoteEntry)) this.#addBlock(entry, namedContracts)
    })
  }

  /** Records a call that succeeded. */
  addCall({ to, data }: SentData, { gasUsed }: Outcome, place: ExecutionPlace): void {
    if (to !== undefined) this.#functionTally(to, data, [place]).calls.add(Number(gasUsed))
  }

  /** Forgets all executions. */
  reset(): void {
    this.#ledger.reset()
  }

  /** The report on all executions so far. */
  async report(): Promise<GasReport> {
    return this.#ledger.report()
  }

  /** The report as Markdown. */
  async reportText(): Promise<string> {
    return gasReportText(await this.report())
  }

  /** Writes the report to a file. @throws NodeError 'invalidOption' */
  async writeReport(path: string): Promise<void> {
    await writeReportFile(path, await this.report())
  }

  #addBlock({ block, keptState, parent }: ChainEntry, namedContracts: NamedContracts): void {
    // An old block that joins the chain again was recorded when it was new.
    if (keptState === undefined) return
    const after = { state: keptState, namedContracts }
    const before = parent?.keptState
    // A contract that destroyed itself is in the state before the block.
    const places = before === undefined ? [after] : [after, { state: before, namedContracts }]
    for (const receipt of block.receipts) {
      const { transaction, outcome } = receipt
      if (this.#recorded.has(outcome) || isSystemTransaction(transaction)) continue
      this.#recorded.add(outcome)
      const tally =
        transaction.to === undefined
          ? this.#deployed(receipt, after)
          : this.#functionTally(transaction.to, transaction.data, places).transactions
      tally.add({ gasUsed: Number(outcome.gasUsed), isSuccess: outcome.status === 'success' })
    }
  }

  #functionTally(
    to: Address,
    data: Uint8Array | undefined,
    places: readonly ExecutionPlace[],
  ): FunctionTally {
    const selector = toHex(data?.subarray(0, SELECTOR_LENGTH) ?? new Uint8Array())
    for (const place of places) {
      const tally = this.#contractTally(to, place)
      if (tally !== undefined) return tally.functionTally(selector)
    }
    const { tally, name } = this.#ledger.codelessTally(selector)
    return tally.functionTally(name)
  }

  #contractTally(at: Address, { state, namedContracts }: ExecutionPlace): ContractTally | undefined {
    const codes = executedCodes(state, at)
    return codes && this.#ledger.tallyOf({ codes, kind: 'runtime', named: namedContracts.at(at) })
  }

  /** The deployments of the contract that a transaction created. If it left no code, it is known by its init code. */
  #deployed(
    { transaction: { data }, outcome }: Receipt,
    place: ExecutionPlace,
  ): ContractTally['deployments'] {
    const { contractAddress, status, returnData } = outcome
    const isCreated = status === 'success' && contractAddress !== undefined
    const created = isCreated ? this.#contractTally(contractAddress, place) : undefined
    if (created !== undefined) {
      created.codeSize = returnData.length
      return created.deployments
    }
    const own = { code: data, codeHash: toHash(keccak256(data)) }
    const codes = { own, implementation: undefined }
    return this.#ledger.tallyOf({ codes, kind: 'creation', named: undefined }).deployments
  }
}
