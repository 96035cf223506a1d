/** Traces transactions, blocks and calls. A trace runs on an immutable state, so it needs no lock. */

import { NodeError } from '../../base/errors.ts'
import { runWithPauses } from '../../base/routine.ts'
import { TextStream } from '../../base/text-stream.ts'
import type { TextSink } from '../../base/text-stream.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { Observer } from '../../evm/observer.ts'
import { CallTree } from './call-tree.ts'
import type { CallNode } from './call-tree.ts'
import { flatItems } from './flat.ts'
import type { Recorded, Recorder, Replayer, ReplayedTransaction, ReplayTracer } from './replay.ts'
import { withPauses } from './tracer.ts'
import type { TracedExecution, TraceOptions, TracerInput } from './tracer.ts'
import { createTracer } from './tracers.ts'

/** The tracer of a request, and its decoder of revert data. */
export interface TracingOptions extends TraceOptions, Pick<TracerInput, 'reasonOf'> {}

/** Selects flat items. */
export interface FlatSelection {
  readonly wants: (receipt: Receipt) => boolean
  /** Number of items to skip. */
  readonly after: number
  readonly count: number
}

/** Traces executions. The traces are JSON streams, which are produced while they are read. */
export class Tracing {
  readonly #replayer: Replayer
  /** Whether flat traces list every call, or only the calls that the reference node lists. */
  readonly #showsAll: boolean

  constructor(replayer: Replayer, { tracesEveryCall }: Pick<Network, 'tracesEveryCall'>) {
    this.#replayer = replayer
    this.#showsAll = tracesEveryCall
  }

  /** One transaction of a block. */
  transaction(entry: ChainEntry, { index }: Receipt, options: TracingOptions): TextStream {
    return new TextStream(async (sink) => {
      await this.#replayer.run(entry, {
        count: index + 1,
        tracerOf: (replayed) =>
          replayed.receipt.index === index ? this.#tracerOf(replayed, options, sink) : undefined,
      })
    })
  }

  /** Every transaction of a block, each with its hash. */
  block(entry: ChainEntry, options: TracingOptions): TextStream {
    return new TextStream(async (sink) => {
      const { receipts } = entry.block
      await sink.write('[')
      await this.#replayer.run(entry, {
        count: receipts.length,
        tracerOf: (replayed) => {
          const { index, transaction } = replayed.receipt
          void sink.write(`${index === 0 ? '' : ','}{"txHash":"${transaction.hash}","result":`)
          const { observer, end } = this.#tracerOf(replayed, options, sink)
          return {
            observer,
            end: async (outcome) => {
              await end(outcome)
              await sink.write('}')
            },
          }
        },
      })
      await sink.write(']')
    })
  }

  /** A simulated call. */
  call(
    { state, context, message }: PreparedCall,
    options: TracingOptions,
    timer: Pick<Observer, 'onSlice'>,
  ): TextStream {
    return new TextStream(async (sink) => {
      const before = state.intermediateRoot()
      const traced = { message, coinbase: context.coinbase, firstLogIndex: 0, state, before }
      const { observer, end } = createTracer(options, { ...options, traced, sink })
      const { engine } = this.#replayer
      const outcome = await runWithPauses(
        engine.simulate(state, engine.open(context), message, withPauses(observer, sink, timer)),
      )
      await sink.write(end(outcome))
    })
  }

  /** Calls of the selected transactions of several blocks, as one list of flat items. */
  flat(entries: readonly ChainEntry[], { wants, after, count }: FlatSelection): TextStream {
    return new TextStream(async (sink) => {
      await sink.write('[')
      let seen = 0
      for (const entry of entries) {
        if (seen >= after + count) break
        await this.#flatBlock(entry, sink, {
          wants,
          take: (items) => {
            const start = Math.max(after - seen, 0)
            const taken = items.slice(start, Math.max(after + count - seen, 0))
            const separator = seen > after ? ',' : ''
            seen += items.length
            return taken.length === 0 ? '' : separator + taken.map((item) => JSON.stringify(item)).join(',')
          },
        })
      }
      await sink.write(']')
    })
  }

  /** One flat item of a transaction. The stream fails with 'invalidParams' if the transaction has no item at the position. */
  flatItem(entry: ChainEntry, { index }: Receipt, position: number): TextStream {
    return new TextStream(async (sink) => {
      await this.#flatBlock(entry, sink, {
        wants: (receipt) => receipt.index === index,
        take: (items) => {
          const item = items[position]
          if (item !== undefined) return JSON.stringify(item)
          throw new NodeError(
            'invalidParams',
            `params[1] (positions): the transaction has ${items.length} traces, there is none at position ${position}`,
          )
        },
      })
    })
  }

  /** The calls of a transaction. */
  callTree(entry: ChainEntry, receipt: Receipt): Promise<CallNode> {
    return this.#replayer.recordOne(entry, receipt, recordCalls)
  }

  /** The calls of the selected transactions of a block. */
  callTrees(entry: ChainEntry, wants: FlatSelection['wants']): Promise<readonly Recorded<CallNode>[]> {
    return this.#replayer.record(entry, wants, recordCalls)
  }

  #tracerOf(replayed: ReplayedTransaction, options: TracingOptions, sink: TextSink): ReplayTracer {
    const { observer, end } = createTracer(options, { ...options, traced: tracedOf(replayed), sink })
    return { observer: withPauses(observer, sink), end: (outcome) => sink.write(end(outcome)) }
  }

  async #flatBlock(
    entry: ChainEntry,
    sink: TextSink,
    { wants, take }: { wants: FlatSelection['wants']; take: (items: readonly object[]) => string },
  ): Promise<void> {
    const { block } = entry
    const wanted = block.receipts.filter(wants)
    if (wanted.length === 0) return
    await this.#replayer.run(entry, {
      count: (wanted.at(-1)?.index ?? -1) + 1,
      tracerOf: ({ receipt }) => {
        if (!wanted.includes(receipt)) return undefined
        const tree = new CallTree()
        const items = () => flatItems(tree.root, block, receipt, this.#showsAll)
        return { observer: withPauses(tree.observer, sink), end: () => sink.write(take(items())) }
      },
    })
  }
}

function tracedOf({ block, receipt, before, state }: ReplayedTransaction): TracedExecution {
  const { transaction: message, firstLogIndex } = receipt
  const { coinbase } = block.header
  return { message, transactionHash: message.hash, coinbase, firstLogIndex, before, state }
}

function recordCalls(): Recorder<CallNode> {
  const tree = new CallTree()
  return { observer: tree.observer, end: () => tree.root }
}
