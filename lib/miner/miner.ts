/** Makes blocks: on demand, for every transaction, or at intervals. */

import { Emitter } from '../base/events.ts'
import type { Hash } from '../base/hex.ts'
import { isEmpty, proveWork, withHash } from '../chain/block.ts'
import type { Block } from '../chain/block.ts'
import { ChainEntry } from '../chain/chain-entry.ts'
import type { HeadChange } from '../chain/chain.ts'
import { unclesAfter } from '../chain/uncles.ts'
import type { MiningMode } from '../config/mining-mode.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Cell } from '../instance/chain-instance.ts'
import { followHead } from '../mempool/follow-head.ts'
import { inBlockOrder } from '../mempool/order.ts'
import { isPending, pendingTransactions } from '../mempool/pending.ts'
import { State } from '../state/state.ts'
import { assemble } from './assemble.ts'
import type { Assembly } from './assemble.ts'
import { mineRun } from './block-run.ts'
import { BlockSettings } from './block-settings.ts'
import { BlockTimer } from './block-timer.ts'
import { reserveEmptyBlocks } from './empty-blocks.ts'
import type { EmptyRun } from './empty-blocks.ts'
import type { MinerParts } from './miner-parts.ts'
import { checkMines, minesAtOnce } from './mining-mode.ts'
import { checkTimestamp, nextBlockContext } from './next-block.ts'
import type { FinishBlock } from './seal.ts'

/** The miner of one chain instance. */
export class Miner {
  /** Emitted with the error when the timer failed to make a block. The timer continues. */
  readonly failed = new Emitter<unknown>()
  readonly #parts: MinerParts
  readonly #chosenMode: Cell<MiningMode | undefined>
  /** The mode set by a request, now or in a capture; absent while the start mode applies. */
  readonly chosenMode: Readonly<Pick<Cell<MiningMode | undefined>, 'value' | 'in'>>
  /** Settings of future blocks. */
  readonly settings: BlockSettings
  /** Empty blocks that `mineMany` has reserved and `makeReserved` will make. */
  readonly #reserved: Cell<EmptyRun | undefined>
  readonly #state: State
  readonly #timer: BlockTimer

  constructor(parts: MinerParts) {
    this.#parts = parts
    this.#chosenMode = parts.instance.cell<MiningMode | undefined>('miningMode', 'restore', undefined)
    this.chosenMode = this.#chosenMode
    this.settings = new BlockSettings(parts.instance, parts.network)
    this.#reserved = parts.instance.cell<EmptyRun | undefined>('reservedBlocks', 'restore', undefined)
    this.#state = new State(parts.chain.head.state)
    parts.clock.advanceTo(parts.chain.head.block.header.timestamp)
    this.#timer = new BlockTimer(parts, { make: () => this.#mineAtInterval(), failed: this.failed })
    parts.instance.reverted.on(() => this.#restartTimer())
    this.#restartTimer()
  }

  get mode(): MiningMode {
    return this.#chosenMode.value ?? this.#parts.mode
  }

  /** Returns to the start mode, or to instant mining if that is manual, and mines the pending transactions. */
  start(): void {
    this.#choose(this.#parts.mode.kind === 'manual' ? { kind: 'instant' } : undefined)
    this.#minePending()
  }

  /** Changes to manual mining. Has no effect if mining is external. */
  stop(): void {
    if (this.mode.kind !== 'external') this.#choose({ kind: 'manual' })
  }

  /** Changes the mining mode. An instant mode mines the pending transactions at once. @throws NodeError 'miningRefused' */
  setMode(mode: MiningMode): void {
    checkMines(this.mode)
    this.#choose(mode)
    this.#minePending()
  }

  /** Restores the mining mode of a loaded state. Has no effect if mining is external. */
  restoreMode(chosen: MiningMode | undefined): void {
    if (this.mode.kind !== 'external') this.#choose(chosen)
  }

  /** Stops the timer permanently, and ends `mineMany`. */
  close(): void {
    this.#timer.close()
  }

  /** Base fee of the next block in wei; zero on a network without a base fee. */
  get nextBaseFee(): bigint {
    return this.nextBlockContext().baseFeePerGas
  }

  /** Blob base fee of the next block in wei; zero if the hard fork has no blobs. */
  get nextBlobBaseFee(): bigint {
    return this.#parts.engine.open(this.nextBlockContext()).blobBaseFee
  }

  /**
   * Sets the timestamp of the next block, in seconds. The clock continues from there.
   * @throws NodeError 'invalidParams' when it is not after the head's timestamp
   */
  setNextTimestamp(timestamp: bigint): void {
    const { chain, allowSameTimestamp } = this.#parts
    checkTimestamp(timestamp, chain.head.block.header, allowSameTimestamp)
    this.settings.setNext({ timestamp })
  }

  /** Mines one block of pending transactions. @throws NodeError 'miningRefused' */
  mine(): Block {
    checkMines(this.mode)
    return this.#mine().block
  }

  /**
   * Mines several blocks. `gapSeconds`, if given, is the time between them, but not less than the network's minimum.
   * The last blocks of very many may only be reserved. The caller holds the lock.
   * @throws NodeError 'miningRefused', also when the node is closed meanwhile; 'limitExceeded'
   */
  mineMany(count: bigint, gapSeconds?: bigint): Promise<void> {
    const { instance } = this.#parts
    const run = {
      settings: this.settings,
      mine: () => this.mine(),
      reserve: (blocks: EmptyRun) => (this.#reserved.value = blocks),
      lock: instance.lock,
      isClosed: () => this.#timer.isClosed,
    }
    return mineRun({ ...this.#parts, ...run }, count, gapSeconds)
  }

  /**
   * Makes the blocks that `mineMany` has reserved. Every task that uses the chain calls it first; the node's methods are
   * called after it.
   */
  makeReserved(): void {
    const run = this.#reserved.value
    if (run === undefined) return
    this.#reserved.value = undefined
    reserveEmptyBlocks({ ...this.#parts, settings: this.settings }, run)
  }

  /**
   * Mines until the transaction is in a block, or a block is empty.
   * @throws NodeError 'transactionRejected' when the transaction is invalid; it is then removed from the pool
   */
  mineUntil(hash: Hash): void {
    for (;;) {
      // It is mined, or queued behind a nonce gap.
      if (!isPending(this.#parts, hash)) return
      const { block, rejected } = this.#mine()
      const rejection = rejected.find(({ transaction }) => transaction.hash === hash)
      if (rejection !== undefined) throw rejection.error
      if (isEmpty(block)) return
    }
  }

  /** The pending block. It is not added to the chain. */
  preview(): ChainEntry {
    const { head } = this.#parts.chain
    const { block, state } = this.#assemble(head, new State(head.state), withHash)
    return new ChainEntry({ block, state, parent: head })
  }

  /**
   * Imports a block and the state after it, and updates pool and clock for a new head.
   * Answers whether the block became the head; otherwise it is a side block.
   */
  importBlock(entry: ChainEntry): boolean {
    const change = this.#add(entry)
    // Transactions of removed blocks are pending again; an instant mode mines them at once.
    if (change !== undefined && change.removed.length > 0) this.#minePending()
    return change !== undefined
  }

  /** Header fields of the pending block. */
  nextBlockContext(): BlockContext {
    const { chain, network, clock, allowSameTimestamp } = this.#parts
    return nextBlockContext(chain.head, {
      network,
      clock,
      allowSameTimestamp,
      settings: this.settings.value,
      uncleCount: unclesAfter(chain.head, chain.sideBlocks).length,
      hashAt: (number) => chain.at(number)?.hash,
    })
  }

  #mineAtInterval(): void {
    this.makeReserved()
    this.mine()
  }

  #mine(): Assembly {
    const { chain, mempool } = this.#parts
    const { head } = chain
    this.#state.reset(head.state)
    const { block, state, rejected } = this.#assemble(head, this.#state, proveWork)
    mempool.remove(rejected.map(({ transaction }) => transaction.hash))
    this.#add(new ChainEntry({ block, state, parent: head }))
    return { block, state, rejected }
  }

  #add(entry: ChainEntry): HeadChange | undefined {
    const { chain, mempool, clock } = this.#parts
    const change = chain.add(entry)
    if (change === undefined) return undefined
    const { timestamp } = this.settings.value.next
    this.settings.clearNext(entry.block)
    // Blocks in quick succession are ahead of the wall clock. The clock continues from the newest block, so that an
    // increase by a minute always leads to a minute after the head.
    if (timestamp === undefined) clock.advanceTo(entry.block.header.timestamp)
    else clock.set(entry.block.header.timestamp)
    followHead(mempool, change, chain)
    return change
  }

  /** Mines the pending transactions if the mode is instant. */
  #minePending(): void {
    while (minesAtOnce(this.mode) && pendingTransactions(this.#parts).length > 0) {
      const { block } = this.#mine()
      if (isEmpty(block)) return
    }
  }

  #assemble(parent: ChainEntry, state: State, finish: FinishBlock): Assembly {
    const { engine, network, chain, order } = this.#parts
    const context = this.nextBlockContext()
    return assemble(engine, network, {
      parent,
      context,
      state,
      finish,
      uncles: unclesAfter(parent, chain.sideBlocks),
      withdrawals: this.settings.value.next.withdrawals,
      candidates: inBlockOrder(pendingTransactions(this.#parts), context.baseFeePerGas, order),
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
