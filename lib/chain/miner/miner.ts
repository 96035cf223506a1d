/** Makes blocks: on demand, for every transaction, or at intervals. */

import { Emitter } from '../../base/events.ts'
import { bytesToBigInt, type Hash } from '../../base/hex.ts'
import type { Host } from '../../base/host.ts'
import { waitFor, type Routine } from '../../base/routine.ts'
import { checkMines, minesAtOnce, type MiningMode, type IntervalMode } from '../../config/mining-mode.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import { State } from '../../state/state.ts'
import { isEmpty, sealBlockContent, withHash, type Block } from '../block.ts'
import type { ChainEntry, HeadChange } from '../chain-entry.ts'
import type { MinedReceipt } from '../chain-index.ts'
import type { Cell } from '../instance/chain-instance.ts'
import { followHead, isPending, pendingTransactions } from '../mempool/pending.ts'
import { assemble, candidatesFor, isFault, type AssembledBlock, type AssemblyInput } from './assemble.ts'
import { BlockSettings } from './block-settings.ts'
import { reserveEmptyBlocks, mineMany, type EmptyBlockRun } from './mine-many.ts'
import type { BlockFollower, MinerDependencies, MinerWithSettings } from './miner-dependencies.ts'
import { checkTimestamp, nextBlock, nextBlockContext, type NextBlock } from './next-block.ts'

export class Miner {
  /** Emitted with an error that fails no request: a block of the timer failed, or a transaction was dropped. */
  readonly failed = new Emitter<unknown>()
  #dependencies: MinerWithSettings
  /** The mode set by a request; absent while the start mode applies. */
  readonly chosenMode: Cell<MiningMode | undefined>
  readonly settings: BlockSettings
  /** Postponed empty blocks. No capture contains any, because every request makes them first. */
  #postponed: EmptyBlockRun | undefined
  readonly #state: State
  readonly #timer: BlockTimer

  constructor(dependencies: MinerDependencies) {
    this.chosenMode = dependencies.instance.cell<MiningMode | undefined>('miningMode', 'restore', undefined)
    this.settings = new BlockSettings(dependencies.instance, dependencies.network)
    this.#dependencies = { ...dependencies, settings: this.settings }
    this.#state = new State(dependencies.chain.head.state)
    dependencies.clock.advanceTo(dependencies.chain.head.block.header.timestamp)
    const make = (): unknown => {
      this.makePostponedBlocks()
      return dependencies.instance.lock.finish(this.mine())
    }
    this.#timer = new BlockTimer({ ...dependencies, make, failed: this.failed })
    dependencies.instance.reverted.on(() => this.#restartTimer())
    this.#restartTimer()
  }

  /** Sets what acts after each block. */
  follow(follower: BlockFollower): void {
    this.#dependencies = { ...this.#dependencies, follower }
  }

  get mode(): MiningMode {
    return this.chosenMode.value ?? this.#dependencies.mode
  }

  /** Returns to the start mode, or to instant mining if that is manual, and mines the pending transactions. */
  *start(): Routine<void> {
    this.#choose(this.#dependencies.mode.kind === 'manual' ? { kind: 'instant' } : undefined)
    yield* this.#minePending()
  }

  stop(): void {
    if (this.mode.kind !== 'external') this.#choose({ kind: 'manual' })
  }

  /** Changes the mining mode. An instant mode mines the pending transactions at once. @throws NodeError 'miningRefused' */
  *setMode(mode: MiningMode): Routine<void> {
    this.chooseMode(mode)
    yield* this.#minePending()
  }

  /** Changes the mining mode alone: pending transactions wait for the next block. @throws NodeError 'miningRefused' */
  chooseMode(mode: MiningMode): void {
    checkMines(this.mode)
    this.#choose(mode)
  }

  /** Restores the mining mode of a loaded state. Has no effect if mining is external. */
  restoreMode(chosen: MiningMode | undefined): void {
    if (this.mode.kind !== 'external') this.#choose(chosen)
  }

  /** Stops the timer, and ends `mineMany` and running executions. */
  close(): void {
    this.#timer.close()
    this.#dependencies.timers.close()
  }

  /** Base fee of the next block in wei; zero on a network without a base fee. */
  get nextBaseFee(): bigint {
    return this.nextBlockContext().baseFeePerGas
  }

  /** Blob base fee of the next block in wei; zero if the hard fork has no blobs. */
  blobBaseFeeOf({ context }: NextBlock): bigint {
    return this.#dependencies.engine.open(context).blobBaseFee
  }

  /** Sets the timestamp of the next block, in seconds. The clock continues from there. @throws NodeError 'invalidParams' */
  setNextTimestamp(timestamp: bigint): void {
    const { chain, allowSameTimestamp } = this.#dependencies
    checkTimestamp(timestamp, chain.head.block.header, allowSameTimestamp)
    this.settings.setNext({ timestamp })
  }

  /** Mines one block of pending transactions. @throws NodeError 'miningRefused' */
  *mine(): Routine<Block> {
    checkMines(this.mode)
    return (yield* this.#mine()).block
  }

  /**
   * Mines several blocks. `gapSeconds`, if given, is the time between them, but not less than the network's minimum.
   * The last blocks of a long run may be postponed until the next request. The caller holds the lock.
   * @throws NodeError 'miningRefused', even when the node is closed meanwhile; 'limitExceeded'
   */
  mineMany(count: bigint, gapSeconds?: bigint): Promise<void> {
    const run = {
      ...this.#dependencies,
      mine: () => this.mine(),
      postpone: (blocks: EmptyBlockRun) => (this.#postponed = blocks),
      isClosed: () => this.#timer.isClosed,
    }
    return mineMany(run, count, gapSeconds)
  }

  /** Makes the blocks that `mineMany` has postponed. The dispatcher calls it before each method, other code before it uses the chain. */
  makePostponedBlocks(): void {
    const run = this.#postponed
    if (run === undefined) return
    reserveEmptyBlocks(this.#dependencies, run)
    this.#postponed = undefined
  }

  /**
   * Mines blocks until one contains the transaction, and returns its receipt; undefined while it is queued or fits no block.
   * @throws NodeError 'transactionRejected' when the transaction is invalid, or the error of the node itself that ended its
   * execution; the transaction is then removed from the pool
   */
  *mineUntil(hash: Hash, next = this.nextBlock()): Routine<MinedReceipt | undefined> {
    for (let planned = next; isPending(this.#dependencies, hash); planned = this.nextBlock()) {
      const entry = yield* this.#mine(planned, hash)
      const receipt = entry.block.receipts.find(({ transaction }) => transaction.hash === hash)
      if (receipt !== undefined) return { entry, receipt }
      if (isEmpty(entry.block)) return undefined
    }
    return undefined
  }

  /** The pending block. It is not added to the chain. */
  *pendingBlock(next = this.nextBlock()): Routine<ChainEntry> {
    const timer = this.#dependencies.timers.start()
    const run = { state: new State(next.parent.state), finish: withHash, timer }
    return (yield* this.#assemble(next, run)).entry
  }

  /** Imports a block and its state. Returns whether it became the head; otherwise it is a side block. */
  *importBlock(entry: ChainEntry): Routine<boolean> {
    const change = yield* this.#add(entry)
    // Transactions of removed blocks are pending again; an instant mode mines them at once.
    if (change !== undefined && change.removed.length > 0) yield* this.#minePending()
    return change !== undefined
  }

  nextBlock(): NextBlock {
    return nextBlock(this.#dependencies)
  }

  /** Header fields of the pending block, or of a child of another block than the head. */
  nextBlockContext(parent?: ChainEntry): BlockContext {
    const next = this.nextBlock()
    if (parent === undefined || parent === next.parent) return next.context
    return nextBlockContext(parent, this.#dependencies)
  }

  /** Mines a block, and drops the transactions that cannot be executed. @throws the error of the transaction `requested` */
  *#mine(next = this.nextBlock(), requested?: Hash): Routine<ChainEntry> {
    const run = { state: this.#state, finish: sealBlockContent, timer: this.#dependencies.timers.start(0) }
    const { entry, rejected } = yield* this.#assemble(next, run)
    this.#dependencies.mempool.remove(rejected.map(({ transaction }) => transaction.hash))
    yield* this.#add(entry)
    const own = rejected.find(({ transaction }) => transaction.hash === requested)
    for (const other of rejected) if (other !== own && isFault(other)) this.failed.emit(other.error)
    if (own !== undefined) throw own.error
    return entry
  }

  *#add(entry: ChainEntry): Routine<HeadChange | undefined> {
    const { chain, mempool, clock, check, follower } = this.#dependencies
    try {
      if (check !== undefined) yield* check(entry)
    } catch (error) {
      // They would fail the check again.
      mempool.remove(entry.ownReceipts.map(({ transaction }) => transaction.hash))
      throw error
    }
    const change = chain.add(entry)
    if (change === undefined) return undefined
    const { timestamp } = this.settings.value.next
    this.settings.clearNext(entry.block)
    // Fast blocks run ahead of the wall clock: an increase by a minute must lead to a minute after the head.
    if (timestamp === undefined) clock.follow(entry.block.header.timestamp)
    else clock.set(entry.block.header.timestamp)
    const isInstant = minesAtOnce(this.mode) && !isEmpty(entry.block)
    followHead(change, { ...this.#dependencies, isInstant })
    if (follower !== undefined) yield* waitFor(() => follower.act(this))
    return change
  }

  *#minePending(): Routine<void> {
    while (minesAtOnce(this.mode) && pendingTransactions(this.#dependencies).length > 0) {
      const { block } = yield* this.#mine()
      if (isEmpty(block)) return
    }
  }

  #assemble(
    next: NextBlock,
    run: Pick<AssemblyInput, 'state' | 'finish' | 'timer'>,
  ): Routine<AssembledBlock> {
    const { engine, network } = this.#dependencies
    const { withdrawals } = this.settings.value.next
    return waitFor(() => {
      run.state.reset(next.parent.state)
      const candidates = candidatesFor(next, this.#dependencies)
      return assemble(engine, network, { ...next, ...run, withdrawals, candidates })
    })
  }

  #choose(mode: MiningMode | undefined): void {
    this.chosenMode.value = mode
    this.#restartTimer()
  }

  #restartTimer(): void {
    this.#timer.restart(this.mode.kind === 'interval' ? this.mode : undefined)
  }
}

/** Time between two blocks: fixed, or random up to `upToMs`. */
type Interval = Pick<IntervalMode, 'everyMs' | 'upToMs'>

interface BlockTimerDependencies extends Pick<MinerDependencies, 'instance' | 'host'> {
  readonly make: () => unknown
  readonly failed: Emitter<unknown>
}

/** The block timer of one chain instance. It continues after a failure. */
class BlockTimer {
  readonly #dependencies: BlockTimerDependencies
  #cancel: () => void = () => undefined
  #isClosed = false

  constructor(dependencies: BlockTimerDependencies) {
    this.#dependencies = dependencies
  }

  /** Starts a new interval; `undefined` stops the timer. */
  restart(interval: Interval | undefined): void {
    this.#cancel()
    if (this.#isClosed || interval === undefined) return
    let isCurrent = true
    const { host } = this.#dependencies
    const cancel = host.schedule(drawnFrom(interval, host), () => {
      void this.#run(() => isCurrent).then(() => {
        if (isCurrent) this.restart(interval)
      })
    })
    this.#cancel = () => {
      isCurrent = false
      cancel()
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  /** Runs the task when the lock is free, unless the timer was stopped or restarted before that. */
  async #run(isCurrent: () => boolean): Promise<void> {
    const { instance, make, failed } = this.#dependencies
    try {
      await instance.lock.run('write', () => (isCurrent() ? make() : undefined))
    } catch (error) {
      // When the node closes, a block that waited for the remote is no longer wanted.
      if (!this.#isClosed) failed.emit(error)
    }
  }
}

/** An interval in milliseconds; random, both ends included, if they differ. */
function drawnFrom({ everyMs, upToMs = everyMs }: Interval, { random }: Host): number {
  if (upToMs === everyMs) return everyMs
  return everyMs + Number(bytesToBigInt(random(6)) % BigInt(upToMs - everyMs + 1))
}
