/** Simulates blocks: of calls, each after the effects of earlier ones (eth_simulateV1), and of bundles (eth_callBundle). */

import { NodeError } from '../../base/errors.ts'
import { asAddress } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { TransactionCodec } from '../../evm/codec.ts'
import type { Engine } from '../../evm/engine.ts'
import type { EnterEvent, ExitEvent, SyncObserver, Observer } from '../../evm/observer.ts'
import { transferLog, type Log, type Outcome } from '../../evm/outcome.ts'
import { effectiveTip, type Transaction } from '../../evm/transaction.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import { checkCarriesWithdrawals } from '../../networks/consensus/withdrawals.ts'
import { State } from '../../state/state.ts'
import { headerContext } from '../ancestors.ts'
import { BlockProcessor } from '../block-processor.ts'
import type { Receipt } from '../block.ts'
import { ChainEntry } from '../chain-entry.ts'
import type { ObserverOf } from '../execution-timers.ts'
import { nextExcessBlobGas, nextBaseFee } from '../fees.ts'
import { ZERO_HASH, nextSlotNumber } from '../header.ts'
import type { ResolvedBlock } from '../miner/block-resolver.ts'
import { sealBlock } from '../miner/seal.ts'
import {
  buildCallTransaction,
  uncheckedRun,
  overrideBlock,
  overrideState,
  type Overrides,
} from './call-transaction.ts'
import { contextIn, type SimulatorDependencies } from './simulator.ts'
import type { TransactionRequest } from './transaction-request.ts'

/** The request of a simulation (execution-apis, eth_simulateV1). */
interface SimulationRequest {
  readonly blockStateCalls: readonly BlockRequest[]
  /** Whether calls are checked as transactions are: base fee, nonces, and senders without code. */
  readonly validation?: boolean | undefined
  /** Whether transfers of the native coin are shown as logs. */
  readonly traceTransfers?: boolean | undefined
}

/** A call that ran. Its logs may include transfers. */
export interface SimulatedCall {
  readonly outcome: Outcome
  readonly receipt: Receipt
  readonly logs: readonly Log[]
  /** Index of its first log in the block. */
  readonly firstLogIndex: number
}

interface SimulatedBlock {
  readonly resolved: ResolvedBlock
  readonly calls: readonly SimulatedCall[]
}

interface BlockSimulatorDependencies extends SimulatorDependencies {
  readonly codec: TransactionCodec
}

export class BlockSimulator {
  readonly #dependencies: BlockSimulatorDependencies
  /** An engine that allows contracts as senders. It is made once, because tables of instructions are cached by its rules. */
  readonly #unvalidated: Engine

  constructor(dependencies: BlockSimulatorDependencies) {
    this.#dependencies = dependencies
    this.#unvalidated = dependencies.engine.with({ refusesSenderWithCode: false })
  }

  /** Simulates blocks on top of a block. @throws NodeError for an invalid block or call, not for one that fails */
  *run(
    base: ResolvedBlock,
    request: SimulationRequest,
    observerOf: ObserverOf = () => undefined,
  ): Routine<readonly SimulatedBlock[]> {
    const { block, state } = base
    const parent = this.#dependencies.chain.byHash(block.header.parentHash)
    const engine = request.validation === true ? this.#dependencies.engine : this.#unvalidated
    const entry = new ChainEntry({ block, state, parent })
    const simulation = new Simulation({ ...this.#dependencies, engine }, entry, request, observerOf)
    const simulated: SimulatedBlock[] = []
    for (const planned of planBlocks(block.header, request.blockStateCalls)) {
      simulated.push(yield* simulation.add(planned))
    }
    return simulated
  }

  /**
   * Begins calls in an existing block, each on the state after the calls before it. They are not checked as transactions are.
   * @throws NodeError in `run` for an invalid call, not for one that fails
   */
  sequence(resolved: ResolvedBlock, overrides: Overrides) {
    const { codec, network } = this.#dependencies
    const engine = this.#unvalidated
    const state = new State(resolved.state)
    overrideState(state, overrides.stateOverrides)
    const context = contextIn(resolved, this.#dependencies)
    const running = engine.open(overrideBlock(engine.rules, context, overrides))
    const block = {
      engine,
      codec,
      state,
      running,
      blockGasLeft: running.context.gasLimit,
      isValidated: false,
    }
    let requestGasLeft = network.callGasCap
    const run = function* (call: TransactionRequest, observer: Observer) {
      const transaction = buildCallTransaction(call, { ...block, requestGasLeft })
      const unchecked = uncheckedRun(transaction, block)
      const outcome = yield* engine.execute(state, unchecked.running, unchecked.executedTransaction, observer)
      requestGasLeft -= outcome.gasUsed
      return { transaction, outcome }
    }
    return { state, run }
  }
}

/** One simulation: the state, which every call changes, and the newest block. */
class Simulation {
  readonly #dependencies: BlockSimulatorDependencies
  readonly #observerOf: ObserverOf
  readonly #request: SimulationRequest
  readonly #state: State
  #parent: ChainEntry
  #requestGasLeft: bigint
  #callCount = 0

  /** `engine` is the one for the request, with or without validation. */
  constructor(
    dependencies: BlockSimulatorDependencies,
    base: ChainEntry,
    request: SimulationRequest,
    observerOf: ObserverOf,
  ) {
    this.#dependencies = dependencies
    this.#observerOf = observerOf
    this.#request = request
    this.#state = new State(base.state)
    this.#parent = base
    this.#requestGasLeft = dependencies.network.callGasCap
  }

  *add(planned: PlannedBlock): Routine<SimulatedBlock> {
    const { stateOverrides, blockOverrides, calls = [] } = planned
    const { network, engine } = this.#dependencies
    const parent = this.#parent
    const { withdrawals = [], beaconRoot: parentBeaconBlockRoot } = blockOverrides ?? {}
    if (withdrawals.length > 0) checkCarriesWithdrawals(network, 'blockOverrides.withdrawals')
    const context = this.#contextOf(planned)
    overrideState(this.#state, stateOverrides)
    const parentHash = parent.block.hash
    const input = { state: this.#state, context, parentHash, parentBeaconBlockRoot }
    const processor = new BlockProcessor(engine, network, input)
    const results: SimulatedCall[] = []
    for (const call of calls) results.push(yield* this.#runOne(call, processor, results.at(-1)))
    const { receipts, requests, accessList } = yield* processor.close(withdrawals)
    const state = this.#state.commitRoot()
    const content = { receipts, withdrawals, requests, accessList, state, parentBeaconBlockRoot }
    const block = sealBlock(network, { parent, context, ...content })
    this.#parent = new ChainEntry({ block, state, parent })
    return { resolved: { block, state, isPending: false }, calls: results }
  }

  #contextOf({ stateOverrides, blockOverrides, number, timestamp }: PlannedBlock): BlockContext {
    const { settings, engine } = this.#dependencies
    const parent = this.#parent
    const { header } = parent.block
    const context = {
      // The lookup does not use the chain, which may change during a pause.
      ...headerContext(header, () => parent, settings.chainId, parent.hash),
      number,
      timestamp,
      baseFeePerGas: this.#request.validation === true ? (nextBaseFee(header) ?? 0n) : 0n,
      mixHash: ZERO_HASH,
      excessBlobGas: nextExcessBlobGas(header, engine.rules.blobs),
      slotNumber: nextSlotNumber(header),
    }
    return overrideBlock(engine.rules, context, { blockOverrides, stateOverrides })
  }

  *#runOne(
    call: TransactionRequest,
    block: BlockProcessor,
    previous?: SimulatedCall,
  ): Routine<SimulatedCall> {
    const { engine, codec } = this.#dependencies
    const { running } = block
    const { validation: isValidated = false, traceTransfers = false } = this.#request
    const transaction = buildCallTransaction(call, {
      engine,
      codec,
      state: this.#state,
      running,
      blockGasLeft: running.context.gasLimit - block.gasUsed,
      requestGasLeft: this.#requestGasLeft,
      isValidated,
    })
    // If the rules log transfers (EIP-7708), they must not be shown twice.
    const transfers = traceTransfers && !engine.rules.transferLogs ? new TransferLogs() : undefined
    const observer = { ...this.#observerOf(this.#callCount++), ...transfers?.observer }
    const unchecked = isValidated ? {} : uncheckedRun(transaction, { state: this.#state, running })
    const receipt = yield* block.execute(transaction, { observer, ...unchecked })
    const { outcome } = receipt
    this.#requestGasLeft -= outcome.gasUsed
    return {
      outcome,
      receipt,
      logs: transfers?.logs ?? outcome.logs,
      firstLogIndex: previous === undefined ? 0 : previous.firstLogIndex + previous.logs.length,
    }
  }
}

/** The address of the logs that show transfers of the native coin (ERC-7528; geth, internal/ethapi/logtracer.go). */
const NATIVE_COIN = asAddress(`0x${'ee'.repeat(20)}`)

const MOVING: ReadonlySet<EnterEvent['kind']> = new Set(['call', 'create', 'create2', 'selfdestruct'])

/** Collects the logs and the transfers of one execution in their order, without those of failed frames. */
class TransferLogs {
  /** Logs of each running frame, with those of its calls that succeeded. */
  readonly #frames: Log[][] = []
  /** The logs and transfers; complete when the execution has ended. */
  logs: readonly Log[] = []

  readonly observer: SyncObserver = {
    onEnter: (event) => this.#frames.push(transferIn(event)),
    onExit: ({ status }) => this.#exit(status),
    onLog: (log) => this.#frames.at(-1)?.push(log),
  }

  #exit(status: ExitEvent['status']): void {
    const logs = this.#frames.pop() ?? []
    const kept = status === 'success' ? logs : []
    const caller = this.#frames.at(-1)
    if (caller === undefined) this.logs = kept
    else for (const log of kept) caller.push(log)
  }
}

function transferIn({ kind, from, to, value }: EnterEvent): Log[] {
  if (value === 0n || !MOVING.has(kind)) return []
  return [{ ...transferLog(from, to, value), address: NATIVE_COIN }]
}

/** A simulated block as a request describes it; absent members follow from the parent. */
export interface BlockRequest extends Overrides {
  readonly calls?: readonly TransactionRequest[] | undefined
}

interface PlannedBlock extends BlockRequest {
  readonly number: bigint
  readonly timestamp: bigint
}

/** Seconds between a block and its parent, if the request sets no time (execution-apis, eth_simulateV1). */
const DEFAULT_GAP = 12n

/** Maximum number of calls in one block (geth, maxSimulateCallsPerBlock). */
const MAX_CALLS = 5000

/** Maximum number of blocks of one simulation, with those that fill gaps (geth, maxSimulateBlocks). */
const MAX_SIMULATED_BLOCKS = 256n

/**
 * Determines number and timestamp of every block: the requested ones, and empty blocks that fill the gaps between their numbers.
 * @throws NodeError 'blockNumberOrder' or 'blockTimeOrder' if they do not increase; 'limitExceeded'
 */
function planBlocks(base: Header, requests: readonly BlockRequest[]): readonly PlannedBlock[] {
  const planned: PlannedBlock[] = []
  let last = { number: base.number, timestamp: base.timestamp }
  const plan = (request: BlockRequest, number: bigint) => {
    const timestamp = request.blockOverrides?.time ?? last.timestamp + DEFAULT_GAP
    if (timestamp <= last.timestamp) {
      throw new NodeError(
        'blockTimeOrder',
        `block timestamps must be in order: ${timestamp} <= ${last.timestamp}`,
      )
    }
    last = { number, timestamp }
    planned.push({ ...request, ...last })
  }
  for (const request of requests) {
    const number = request.blockOverrides?.number ?? last.number + 1n
    checkNumber(number, last.number, base.number)
    const { calls = [] } = request
    if (calls.length > MAX_CALLS)
      throw limitExceeded(`too many calls in block: ${calls.length} > ${MAX_CALLS}`)
    while (last.number + 1n < number) plan({}, last.number + 1n)
    plan(request, number)
  }
  return planned
}

function checkNumber(number: bigint, last: bigint, base: bigint): void {
  if (number <= last) {
    throw new NodeError('blockNumberOrder', `block numbers must be in order: ${number} <= ${last}`)
  }
  if (number - base > MAX_SIMULATED_BLOCKS) {
    throw limitExceeded(`too many blocks: ${number - base}, the limit is ${MAX_SIMULATED_BLOCKS}`)
  }
}

const limitExceeded = (message: string): NodeError => new NodeError('limitExceeded', message)

/** Gas and wei of one transaction of a bundle. */
export interface BundledReceipt extends Receipt {
  /** Fees above the base fee, in wei. */
  readonly gasFees: bigint
  /** Increase of the balance of the block's coinbase, in wei. */
  readonly coinbaseDiff: bigint
  /** The part of `coinbaseDiff` that is not a fee, in wei. */
  readonly sentToCoinbase: bigint
}

/**
 * Begins a block of signed transactions that is not mined; `context` is that of a child of `parent`. Transactions are run one after the
 * other, and checked as in a mined block.
 * @throws NodeError in `run`: 'transactionRejected' or 'gasLimitTooHigh' for a transaction that cannot be in the block
 */
export function bundleOn(
  parent: ChainEntry,
  context: BlockContext,
  { engine, network }: Pick<SimulatorDependencies, 'engine' | 'network'>,
) {
  const state = new State(parent.state)
  const processor = new BlockProcessor(engine, network, { state, context, parentHash: parent.block.hash })
  const { coinbase, gasLimit, baseFeePerGas } = context
  const run = function* (transaction: Transaction, observer: Observer): Routine<BundledReceipt> {
    const gasLeft = gasLimit - processor.gasUsed
    if (transaction.gasLimit > gasLeft) {
      throw new NodeError(
        'gasLimitTooHigh',
        `exceeds block gas limit: transaction ${transaction.hash} has gas ${transaction.gasLimit}, left ${gasLeft}`,
      )
    }
    const before = state.account(coinbase)?.balance ?? 0n
    const receipt = yield* processor.execute(transaction, { observer })
    const coinbaseDiff = (state.account(coinbase)?.balance ?? 0n) - before
    const gasFees = receipt.outcome.gasUsed * effectiveTip(transaction, baseFeePerGas)
    const isPaid = engine.rules.transaction.feesGoTo === 'coinbase'
    return { ...receipt, gasFees, coinbaseDiff, sentToCoinbase: coinbaseDiff - (isPaid ? gasFees : 0n) }
  }
  return { state, run }
}
