/** Traces transactions, blocks and calls. Traces run on immutable states, so they need no lock. */

import { NodeError, invalidParams } from '../../base/errors.ts'
import { finish } from '../../base/routine.ts'
import { TextStream, type TextSink } from '../../base/text-stream.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { Observer } from '../../evm/observer.ts'
import { effectiveTip } from '../../evm/transaction.ts'
import { CallTree, type CallNode } from '../../insight/replay/call-tree.ts'
import { flatItems, type ShowsCall } from './parity-trace.ts'
import { recordOpcodeGas, type OpcodeGas } from '../../insight/replay/opcode-gas.ts'
import type {
  Recorded,
  Recorder,
  Replayer,
  ReplayedTransaction,
  ReplayTracer,
} from '../../insight/replay/replay.ts'
import { withPauses } from './tracer.ts'
import type { TracedExecution, TraceOptions, Tracer, TracerInput } from './tracer.ts'
import { createTracer, type TimeLimit } from './tracers.ts'

/** The tracer of a request, and its decoder of revert data. */
interface TracingOptions extends TraceOptions, Pick<TracerInput, 'reasonOf'> {}

export interface FlatSelection {
  readonly wants: (receipt: Receipt) => boolean
  /** Selects calls of these transactions; all by default. */
  readonly shows?: ShowsCall | undefined
  /** Number of items to skip. */
  readonly after: number
  readonly count: number
}

/** Traces executions. Traces for clients are JSON streams that are produced while they are read; records for modules are values. */
export class Tracing {
  readonly #replayer: Replayer
  readonly #isParity: boolean
  readonly #limit: TimeLimit

  constructor(replayer: Replayer, { tracesAsParity }: Pick<Network, 'tracesAsParity'>, limit: TimeLimit) {
    this.#replayer = replayer
    this.#isParity = tracesAsParity
    this.#limit = limit
  }

  /** One transaction of a block. */
  transaction(entry: ChainEntry, { index }: Receipt, options: TracingOptions): TextStream {
    return new TextStream(async (sink) => {
      const tracerOf = (replayed: ReplayedTransaction): Promise<ReplayTracer> | undefined =>
        replayed.receipt.index === index ? this.#createReplayTracer(options, replayed, sink) : undefined
      // A tracer may read what the execution did not read. The transaction then runs again after the load.
      await finish(() => this.#replayer.run(entry, { count: index + 1, tracerOf }))
    })
  }

  /** Every transaction of a block, each with its hash. */
  block(entry: ChainEntry, options: TracingOptions): TextStream {
    return new TextStream(async (sink) => {
      // The block runs again after a load. What was written stays: the beginnings of `begun` items, and `done` complete ones.
      let [begun, done] = [0, 0]
      const tracerOf = async (replayed: ReplayedTransaction): Promise<ReplayTracer | undefined> => {
        const { index, transaction } = replayed.receipt
        if (index < done) return undefined
        // A named tracer may write its result before it ends. A script ends with a result or an error, so the member's name is
        // known only then.
        const member = options.script === undefined ? '"result":' : ''
        if (index === begun) {
          begun++
          await sink.write(`${index === 0 ? '' : ','}{"txHash":"${transaction.hash}",${member}`)
        }
        return this.#createReplayTracer(options, replayed, sink, (end) => {
          const text = options.script === undefined ? end() : scriptMember(end)
          done++
          return `${text}}`
        })
      }
      await sink.write('[')
      await finish(() => this.#replayer.run(entry, { count: entry.block.receipts.length, tracerOf }))
      await sink.write(']')
    })
  }

  /** A simulated call. It is prepared again if the tracer reads data that must be loaded. */
  call(prepare: () => PreparedCall, options: TracingOptions, timer: Pick<Observer, 'onSlice'>): TextStream {
    return new TextStream(async (sink) => {
      const { engine } = this.#replayer
      await finish(async () => {
        const call = prepare()
        const { state, context, message } = call
        const { observer, end } = await this.#createTracer(options, callOf(call), sink)
        const outcome = await finish(
          engine.simulate(state, engine.open(context), message, withPauses(observer, sink, timer)),
        )
        await sink.write(end(outcome))
      })
    })
  }

  /** Calls of the selected transactions of several blocks, as one list of flat items. */
  flat(entries: readonly ChainEntry[], { wants, shows, after, count }: FlatSelection): TextStream {
    return new TextStream(async (sink) => {
      await sink.write('[')
      let seen = 0
      for (const entry of entries) {
        if (seen >= after + count) break
        const items = await this.#flatItems(entry, wants, sink, shows)
        // `after` and `count` apply to the items of all blocks together.
        const taken = items.slice(Math.max(after - seen, 0), Math.max(after + count - seen, 0))
        const separator = seen > after ? ',' : ''
        seen += items.length
        if (taken.length > 0)
          await sink.write(separator + taken.map((item) => JSON.stringify(item)).join(','))
      }
      await sink.write(']')
    })
  }

  /** One flat item of a transaction. The stream fails with 'invalidParams' if there is no item at the position. */
  flatItem(entry: ChainEntry, { index }: Receipt, position: number): TextStream {
    return new TextStream(async (sink) => {
      const items = await this.#flatItems(entry, (receipt) => receipt.index === index, sink)
      const item = items[position]
      if (item !== undefined) return sink.write(JSON.stringify(item))
      throw invalidParams(
        `params[1] (positions): the transaction has ${items.length} traces, there is none at position ${position}`,
      )
    })
  }

  /** Counts and gas of instructions in the selected transactions of a block. */
  opcodeGas(entry: ChainEntry, wants: FlatSelection['wants']): Promise<readonly Recorded<OpcodeGas[]>[]> {
    return this.#replayer.record(entry, wants, recordOpcodeGas)
  }

  callTree(entry: ChainEntry, receipt: Receipt): Promise<CallNode> {
    return this.#replayer.recordOne(entry, receipt, recordCalls)
  }

  callTrees(entry: ChainEntry, wants: FlatSelection['wants']): Promise<readonly Recorded<CallNode>[]> {
    return this.#replayer.record(entry, wants, recordCalls)
  }

  #createTracer(options: TracingOptions, traced: TracedExecution, sink: TextSink): Promise<Tracer> {
    const { precompiles } = this.#replayer.engine.rules
    return createTracer(options, { ...options, traced, sink, precompiles }, this.#limit)
  }

  /** The tracer of a replayed transaction. At its end it writes its text, which `textOf` may extend. */
  async #createReplayTracer(
    options: TracingOptions,
    replayed: ReplayedTransaction,
    sink: TextSink,
    textOf = (end: () => string): string => end(),
  ): Promise<ReplayTracer> {
    const { observer, end } = await this.#createTracer(options, tracedOf(replayed), sink)
    return {
      observer: withPauses(observer, sink),
      end: (outcome) => sink.write(textOf(() => end(outcome))),
    }
  }

  /** The flat items of the selected transactions of a block. */
  async #flatItems(
    entry: ChainEntry,
    wants: FlatSelection['wants'],
    sink: TextSink,
    shows?: ShowsCall,
  ): Promise<readonly object[]> {
    const record = (): Recorder<CallNode> => {
      const { observer, end } = recordCalls()
      return { observer: withPauses(observer, sink), end }
    }
    const records = await this.#replayer.record(entry, wants, record)
    return records.flatMap(({ receipt, record: root }) =>
      flatItems(root, entry.block, receipt, { isParity: this.#isParity, shows }),
    )
  }
}

function tracedOf({ block, receipt, before, state }: ReplayedTransaction): TracedExecution {
  const { transaction: message, firstLogIndex, index } = receipt
  const { coinbase, number, baseFeePerGas = 0n } = block.header
  return {
    message,
    coinbase,
    firstLogIndex,
    before,
    state,
    block: { number, hash: block.hash },
    tip: effectiveTip(message, baseFeePerGas),
    transactionHash: message.hash,
    transactionIndex: index,
  }
}

function callOf({ state, context, message }: PreparedCall): TracedExecution {
  const { coinbase, number, baseFeePerGas } = context
  // A call's price may be below the base fee, or zero.
  const aboveBaseFee = message.gasPrice - baseFeePerGas
  const tip = aboveBaseFee > 0n ? aboveBaseFee : 0n
  const before = state.intermediateRoot()
  return { message, coinbase, firstLogIndex: 0, state, before, block: { number }, tip }
}

/** The result of a script for one transaction of a block, or its error (geth, txTraceResult). */
function scriptMember(end: () => string): string {
  try {
    return `"result":${end()}`
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return `"error":${JSON.stringify(error.message)}`
  }
}

function recordCalls(): Recorder<CallNode> {
  const tree = new CallTree()
  return { observer: tree.observer, end: () => tree.root }
}
