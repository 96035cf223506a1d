/** The interface of tracers: a tracer observes one execution and writes JSON. */

import type { Address, Hash } from '../base/hex.ts'
import type { TextSink } from '../base/text-stream.ts'
import type { Observer } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { State } from '../state/state.ts'

/** The execution that is traced. */
export interface TracedExecution {
  readonly from: Address
  /** Absent for a creation. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly gasLimit: bigint
  readonly input: Uint8Array
  readonly coinbase: Address
  /** Absent for a call that is no transaction. */
  readonly transactionHash: Hash | undefined
  /** Position that its first log has in the block. */
  readonly firstLogIndex: number
  readonly before: StateRoot
  /** The working copy it runs on. */
  readonly state: State
}

/** Settings of all tracers; each tracer reads its own. */
export interface TracerConfig {
  readonly disableMemory: boolean
  readonly disableStack: boolean
  readonly disableStorage: boolean
  readonly disableCode: boolean
  readonly enableReturnData: boolean
  /** Maximum number of steps; absent for all. */
  readonly limit: number | undefined
  readonly onlyTopCall: boolean
  readonly withLog: boolean
  readonly diffMode: boolean
  readonly includeEmpty: boolean
  readonly includePrecompiles: boolean
  /** Tracers inside `muxTracer`. */
  readonly mux: readonly TraceOptions[]
}

/** Names of tracers. */
export const TRACERS = [
  'callTracer',
  'flatCallTracer',
  'prestateTracer',
  '4byteTracer',
  'muxTracer',
  'noopTracer',
  'nodeTracer',
] as const

/** Name of a tracer; without a name, the answer has struct logs. */
export type TracerName = (typeof TRACERS)[number] | 'structLogs'

/** A tracer and its settings. */
export interface TraceOptions {
  readonly tracer: TracerName
  readonly config: TracerConfig
}

/** Observes one execution. */
export interface Tracer {
  readonly observer: Observer
  /** The JSON of the trace, or its rest after the text that went to the sink. */
  readonly end: (outcome: Outcome) => string
}

/** What a tracer is created with. */
export interface TracerInput {
  readonly traced: TracedExecution
  readonly config: TracerConfig
  /** Takes text before the end. */
  readonly sink: TextSink
  /** The revert reason in revert data; absent when there is none. */
  readonly reasonOf: (data: string) => string | undefined
}

/** Steps between two pauses, which let other requests run: some milliseconds of work. */
const STEPS_PER_TURN = 1024

/**
 * The observer with pauses, in which other requests run. An observer that hears of no steps still hears of none, which is much
 * faster. `timer` may end the execution.
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
