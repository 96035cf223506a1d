/** Makes blocks: on demand, at once for every transaction, or at intervals. */

import { NodeError } from '../base/errors.ts'
import type { Hash } from '../base/hex.ts'
import type { Outside } from '../base/outside.ts'
import type { Block } from '../chain/block.ts'
import type { Chain, ChainEntry } from '../chain/chain.ts'
import { nextBaseFee } from '../chain/fees.ts'
import type { Network } from '../config/network.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import type { Mempool, Waiting } from '../mempool/mempool.ts'
import { inBlockOrder } from '../mempool/order.ts'
import { State } from '../state/state.ts'
import type { Cell, World } from '../world/world.ts'
import { assemble } from './assemble.ts'
import type { Assembly } from './assemble.ts'
import type { Clock } from './clock.ts'
import { planNextBlock } from './next-block.ts'
import type { NextBlockSettings } from './next-block.ts'

/** When blocks are made without being asked for. */
export type MiningMode =
  | { readonly kind: 'instant' }
  | { readonly kind: 'interval'; readonly everyMs: number }
  | { readonly kind: 'manual' }

/** What the miner works with. */
export interface MinerParts {
  readonly world: World
  readonly chain: Chain
  readonly mempool: Mempool
  readonly engine: Engine
  readonly network: Network
  readonly clock: Clock
  readonly outside: Outside
  readonly mode: MiningMode
  readonly allowSameTimestamp: boolean
}

/** The block maker of one world. */
export class Miner {
  readonly #parts: MinerParts
  readonly #mode: Cell<MiningMode>
  readonly #nextBlock: Cell<NextBlockSettings>
  readonly #state: State
  #cancelTimer: () => void = () => undefined

  constructor(parts: MinerParts) {
    this.#parts = parts
    this.#mode = parts.world.cell('miningMode', 'restore', parts.mode)
    this.#nextBlock = parts.world.cell('nextBlock', 'restore', {})
    this.#state = new State(parts.chain.head.state)
    parts.world.reverted.on(() => this.#restartTimer())
    this.#restartTimer()
  }

  get mode(): MiningMode {
    return this.#mode.value
  }

  /** Starts making blocks in the way the node was started with; manual mining becomes instant. */
  start(): void {
    const { mode } = this.#parts
    this.#setMode(mode.kind === 'manual' ? { kind: 'instant' } : mode)
  }

  /** Makes no block any more unless asked to. */
  stop(): void {
    this.#setMode({ kind: 'manual' })
  }

  /** Stops the timer for good. */
  close(): void {
    this.#cancelTimer()
  }

  /** Base fee of the next block in wei; zero on a network without one. */
  get nextBaseFee(): bigint {
    return nextBaseFee(this.#parts.chain.head.block.header) ?? 0n
  }

  /**
   * Gives the next block a time, in seconds. Time goes on from there.
   * @throws NodeError 'invalidParams' when it does not come after the head's
   */
  setNextTimestamp(timestamp: bigint): void {
    this.#checkTimestamp(timestamp)
    this.#nextBlock.value = { ...this.#nextBlock.value, timestamp }
  }

  /** Mines one block of what waits in the pool. */
  async mine(): Promise<Block> {
    const { chain, mempool, clock } = this.#parts
    const { head } = chain
    const { timestamp } = this.#nextBlock.value
    this.#state.reset(head.state)
    const { block, state, rejected } = await this.#assemble(head, this.#state)
    this.#nextBlock.value = {}
    if (timestamp !== undefined) clock.set(timestamp)
    mempool.remove(block.receipts.map(({ transaction }) => transaction.hash))
    mempool.remove(rejected.map(({ executable }) => executable.transaction.hash))
    chain.append(block, state)
    return block
  }

  /** Mines several blocks; their times are `gapSeconds` apart where given. */
  async mineMany(count: bigint, gapSeconds?: bigint): Promise<void> {
    for (let mined = 0n; mined < count; mined++) {
      if (mined > 0n && gapSeconds !== undefined) {
        this.setNextTimestamp(this.#parts.chain.head.block.header.timestamp + gapSeconds)
      }
      await this.mine()
    }
  }

  /** Mines until the transaction is in a block, or no block takes anything any more. */
  async mineUntil(hash: Hash): Promise<void> {
    const { chain, mempool } = this.#parts
    while (mempool.get(hash) !== undefined) {
      const { sender, nonce } = mempool.get(hash)?.transaction ?? {}
      if (sender === undefined || nonce === undefined) return
      // Behind a gap: no block can take it.
      if (nonce >= mempool.nextNonce(sender, chain.head.state.nonce(sender))) return
      const block = await this.mine()
      if (block.receipts.length === 0) return
    }
  }

  /** The block that would be mined now, without mining it. */
  async preview(): Promise<ChainEntry> {
    const { head } = this.#parts.chain
    const { block, state } = await this.#assemble(head, new State(head.state))
    return { block, state, parent: head }
  }

  /** Header fields of the block that would be mined now. */
  plan(): BlockContext {
    const { chain, network, clock, allowSameTimestamp } = this.#parts
    return planNextBlock(chain.head, {
      network,
      clock,
      allowSameTimestamp,
      settings: this.#nextBlock.value,
      hashAt: (number) => chain.at(number)?.block.hash,
    })
  }

  #assemble(parent: ChainEntry, state: State): Promise<Assembly> {
    const { engine, network } = this.#parts
    const context = this.plan()
    return assemble(engine, network, {
      parent,
      context,
      state,
      candidates: this.#candidates(context.baseFeePerGas),
    })
  }

  #candidates(baseFeePerGas: bigint): Iterable<Waiting> {
    const { mempool, chain } = this.#parts
    const { state } = chain.head
    const ready = [...mempool.senders()].map((sender) => mempool.ready(sender, state.nonce(sender)))
    return inBlockOrder(ready, baseFeePerGas)
  }

  #checkTimestamp(timestamp: bigint): void {
    const { chain, allowSameTimestamp } = this.#parts
    const last = chain.head.block.header.timestamp
    const least = allowSameTimestamp ? last : last + 1n
    if (timestamp >= least) return
    throw new NodeError('invalidParams', `timestamp ${timestamp} is not after the head's timestamp ${last}`)
  }

  #setMode(mode: MiningMode): void {
    this.#mode.value = mode
    this.#restartTimer()
  }

  #restartTimer(): void {
    this.#cancelTimer()
    const mode = this.#mode.value
    if (mode.kind !== 'interval') return
    const { outside, world } = this.#parts
    this.#cancelTimer = outside.schedule(mode.everyMs, () => {
      void Promise.resolve(world.lock.run('write', () => this.mine())).finally(() => this.#restartTimer())
    })
  }
}
