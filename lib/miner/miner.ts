/** Makes blocks: on demand, at once for every transaction, or at intervals. */

import type { MinerParts } from './miner-parts.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import { Event } from '../base/events.ts'
import type { Hash } from '../base/hex.ts'
import { isEmpty, withHash } from '../chain/block.ts'
import type { Block } from '../chain/block.ts'
import type { HeadChange } from '../chain/chain.ts'
import { unclesAfter } from '../chain/uncles.ts'
import type { MiningMode } from '../config/mining-mode.ts'
import type { BlockContext } from '../evm/block-context.ts'
import { followHead } from '../mempool/follow-head.ts'
import { inBlockOrder } from '../mempool/order.ts'
import { isReady, readyTransactions } from '../mempool/ready.ts'
import { State } from '../state/state.ts'
import type { Cell } from '../instance/chain-instance.ts'
import { assemble } from './assemble.ts'
import type { Assembly } from './assemble.ts'
import { mineRun } from './block-run.ts'
import { BlockTimer } from './block-timer.ts'
import { BlockSettings } from './block-settings.ts'
import { checkMines, minesAtOnce } from './mining-mode.ts'
import { checkTimestamp, planNextBlock } from './next-block.ts'
import { proveWork } from './own-work.ts'
import type { FinishBlock } from './seal.ts'

/** The block maker of one world. */
export class Miner {
  /** Emitted with the error when the timer could not make a block; the timer goes on. */
  readonly failed = new Event<unknown>()
  readonly #parts: MinerParts
  readonly #chosenMode: Cell<MiningMode | undefined>
  /** The mode that was set since the start, now or in a capture; absent where it is the one the node was started with. */
  readonly chosenMode: Readonly<Pick<Cell<MiningMode | undefined>, 'value' | 'in'>>
  /** What tests settle of coming blocks. */
  readonly settings: BlockSettings
  readonly #state: State
  readonly #timer: BlockTimer

  constructor(parts: MinerParts) {
    this.#parts = parts
    this.#chosenMode = parts.instance.cell<MiningMode | undefined>('miningMode', 'restore', undefined)
    this.chosenMode = this.#chosenMode
    this.settings = new BlockSettings(parts.instance, parts.network)
    this.#state = new State(parts.chain.head.state)
    parts.clock.reach(parts.chain.head.block.header.timestamp)
    this.#timer = new BlockTimer(parts, { make: () => this.mine(), failed: this.failed })
    parts.instance.reverted.on(() => this.#restartTimer())
    this.#restartTimer()
  }

  get mode(): MiningMode {
    return this.#chosenMode.value ?? this.#parts.mode
  }

  /** Starts making blocks in the way the node was started with; manual mining becomes instant, and what waits is mined. */
  start(): void {
    this.#choose(this.#parts.mode.kind === 'manual' ? { kind: 'instant' } : undefined)
    this.#mineWaiting()
  }

  /** Makes no block any more unless asked to; where blocks come from outside, none is made anyway. */
  stop(): void {
    if (this.mode.kind !== 'external') this.#choose({ kind: 'manual' })
  }

  /** Makes blocks in another way from now on, and at once what waits where nothing has to. @throws NodeError 'miningRefused' */
  setMode(mode: MiningMode): void {
    checkMines(this.mode)
    this.#choose(mode)
    this.#mineWaiting()
  }

  /** Makes blocks in a way that was chosen in another node, unless miners outside of this one make them. */
  restoreMode(chosen: MiningMode | undefined): void {
    if (this.mode.kind !== 'external') this.#choose(chosen)
  }

  /** Stops the timer for good, and ends a run of many blocks. */
  close(): void {
    this.#timer.close()
  }

  /** Base fee of the next block in wei; zero on a network without one. */
  get nextBaseFee(): bigint {
    return this.plan().baseFeePerGas
  }

  /** Wei per blob gas in the next block; zero where blocks carry no blobs. */
  get nextBlobBaseFee(): bigint {
    return this.#parts.engine.open(this.plan()).blobBaseFee
  }

  /**
   * Gives the next block a time, in seconds. Time goes on from there.
   * @throws NodeError 'invalidParams' when it does not come after the head's
   */
  setNextTimestamp(timestamp: bigint): void {
    const { chain, allowSameTimestamp } = this.#parts
    checkTimestamp(timestamp, chain.head.block.header, allowSameTimestamp)
    this.settings.setNext({ timestamp })
  }

  /** Mines one block of what waits in the pool. @throws NodeError 'miningRefused' */
  mine(): Block {
    checkMines(this.mode)
    return this.#mine().block
  }

  /**
   * Mines several blocks; their times are `gapSeconds` apart where given, but at least as far as blocks must be.
   * The caller holds the lock.
   * @throws NodeError 'miningRefused', also when the node is closed meanwhile; 'limitExceeded'
   */
  mineMany(count: bigint, gapSeconds?: bigint): Promise<void> {
    const { instance } = this.#parts
    const run = {
      settings: this.settings,
      mine: () => this.mine(),
      lock: instance.lock,
      isClosed: () => this.#timer.isClosed,
    }
    return mineRun({ ...this.#parts, ...run }, count, gapSeconds)
  }

  /**
   * Mines until the transaction is in a block, or no block takes anything any more.
   * @throws NodeError 'transactionRejected' when it turns out to be impossible; it is then out of the pool
   */
  mineUntil(hash: Hash): void {
    for (;;) {
      // Behind a gap, or mined: no block can take it.
      if (!isReady(this.#parts, hash)) return
      const { block, rejected } = this.#mine()
      const rejection = rejected.find(({ transaction }) => transaction.hash === hash)
      if (rejection !== undefined) throw rejection.error
      if (isEmpty(block)) return
    }
  }

  /** The block that would be mined now, without mining it. */
  preview(): ChainEntry {
    const { head } = this.#parts.chain
    const { block, state } = this.#assemble(head, new State(head.state), withHash)
    return { block, state, parent: head }
  }

  /**
   * Adds a block, with the state after it, to the chain or beside it, and brings pool and clock in line with the head.
   * Answers whether it became the head.
   */
  importBlock(entry: ChainEntry): boolean {
    const change = this.#add(entry)
    // Transactions that lost their block do not wait for the next one where none has to wait.
    if (change !== undefined && change.removed.length > 0) this.#mineWaiting()
    return change !== undefined
  }

  /** Header fields of the block that would be mined now. */
  plan(): BlockContext {
    const { chain, network, clock, allowSameTimestamp } = this.#parts
    return planNextBlock(chain.head, {
      network,
      clock,
      allowSameTimestamp,
      settings: this.settings.value,
      uncleCount: unclesAfter(chain.head, chain.siblings).length,
      hashAt: (number) => chain.at(number)?.block.hash,
    })
  }

  #mine(): Assembly {
    const { chain, mempool } = this.#parts
    const { head } = chain
    this.#state.reset(head.state)
    const { block, state, rejected } = this.#assemble(head, this.#state, proveWork)
    mempool.remove(rejected.map(({ transaction }) => transaction.hash))
    this.#add({ block, state, parent: head })
    return { block, state, rejected }
  }

  #add(entry: ChainEntry): HeadChange | undefined {
    const { chain, mempool, clock } = this.#parts
    const change = chain.add(entry)
    if (change === undefined) return undefined
    const { timestamp } = this.settings.value.next
    this.settings.nextIsMade(entry.block)
    // Blocks in quick succession are ahead of the wall clock: time goes on from the newest of them, so that
    // moving it by a minute always is a minute after the head.
    if (timestamp === undefined) clock.reach(entry.block.header.timestamp)
    else clock.set(entry.block.header.timestamp)
    followHead(mempool, change, chain)
    return change
  }

  /** Mines what waits, where nothing has to. */
  #mineWaiting(): void {
    while (minesAtOnce(this.mode) && readyTransactions(this.#parts).length > 0) {
      const { block } = this.#mine()
      if (isEmpty(block)) return
    }
  }

  #assemble(parent: ChainEntry, state: State, finish: FinishBlock): Assembly {
    const { engine, network, chain, order } = this.#parts
    const context = this.plan()
    return assemble(engine, network, {
      parent,
      context,
      state,
      finish,
      uncles: unclesAfter(parent, chain.siblings),
      withdrawals: this.settings.value.next.withdrawals,
      candidates: inBlockOrder(readyTransactions(this.#parts), context.baseFeePerGas, order),
    })
  }

  #choose(mode: MiningMode | undefined): void {
    this.#chosenMode.value = mode
    this.#restartTimer()
  }

  #restartTimer(): void {
    this.#timer.restart(this.mode.kind === 'interval' ? this.mode : undefined)
  }
}
