/** The interface of tracers: a tracer observes one execution and writes JSON. */

import type { Address, Hash } from '../../base/hex.ts'
import type { TextSink } from '../../base/text-stream.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Message } from '../../evm/run.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { State } from '../../state/state.ts'
import type { Recorder } from '../../insight/replay/replay.ts'

export interface TracedExecution {
  /** The transaction or the call. */
  readonly message: Pick<Message, 'sender' | 'to' | 'gasLimit'>
  readonly coinbase: Address
  /** The hash is absent for a simulated call. */
  readonly block: { readonly number: bigint; readonly hash?: Hash }
  /** Wei per gas above the base fee. */
  readonly tip: bigint
  /** Absent for a simulated call, as is the index. */
  readonly transactionHash?: Hash
  readonly transactionIndex?: number
  /** Index of its first log in the block. */
  readonly firstLogIndex: number
  readonly before: StateRoot
  /** The working copy that it runs on. */
  readonly state: State
}

/** Settings that are true or false. */
export const TRACE_FLAGS = [
  'disableMemory',
  'disableStack',
  'disableStorage',
  'disableCode',
  'enableReturnData',
  'onlyTopCall',
  'withLog',
  'diffMode',
  'includeEmpty',
  'includePrecompiles',
] as const

/** Settings of all tracers; each tracer reads its own. */
export interface TracerConfig extends Readonly<
  Record<Exclude<(typeof TRACE_FLAGS)[number], 'disableMemory'>, boolean>
> {
  /** If the request leaves it undefined, the dialect decides. */
  readonly disableMemory: boolean | undefined
  /** Maximum number of steps; absent for all. */
  readonly limit: number | undefined
  /** Opcodes that the erc7562Tracer does not count; geth's by default. */
  readonly ignoredOpcodes: ReadonlySet<number> | undefined
}

export const TRACERS = [
  'callTracer',
  'flatCallTracer',
  'prestateTracer',
  '4byteTracer',
  'noopTracer',
  'nodeTracer',
  'erc7562Tracer',
  'opcodeGasTracer',
] as const

/** Name of a tracer. A request without a name gets struct logs. */
export type TracerName = (typeof TRACERS)[number] | 'structLogs'

export interface TraceOptions {
  readonly tracer: TracerName
  readonly config: TracerConfig
  /** A JavaScript tracer that runs instead of the named one. */
  readonly script?: ScriptOptions | undefined
}

export interface ScriptOptions {
  readonly code: string
  /** JSON text for its `setup` function. */
  readonly config: string
  /** Time of one execution; absent for the default. */
  readonly timeoutMs: number | undefined
}

/** Observes one execution. Its end returns the trace's JSON text, or the rest if the tracer has written to the sink. */
export type Tracer = Recorder<string>

export interface TracerInput {
  readonly traced: TracedExecution
  readonly config: TracerConfig
  /** Receives JSON text while the execution runs. */
  readonly sink: TextSink
  readonly precompiles: ReadonlyMap<Address, unknown>
  /** Decodes the revert reason in revert data; returns undefined if it has none. */
  readonly reasonOf: (data: string) => string | undefined
}

/** Number of instructions between two pauses, a few milliseconds of work. */
const STEPS_PER_TURN = 1024

/**
 * Adds pauses to the observer that let other requests run. The result has a hook for steps only if the observer has one, because
 * executions are much slower with it. `timer` may end the execution.
 */
export function withPauses(
  observer: Observer,
  sink: TextSink,
  timer: Pick<Observer, 'onSlice'> = {},
): Observer {
  const { onOpcode } = observer
  let steps = 0
  return {
    ...observer,
    onSlice: () => {
      void timer.onSlice?.()
      return sink.pause()
    },
    onOpcode:
      onOpcode &&
      ((step) => {
        const pause = onOpcode(step)
        steps++
        if (pause !== undefined || steps % STEPS_PER_TURN !== 0) return pause
        return sink.pause()
      }),
  }
}
