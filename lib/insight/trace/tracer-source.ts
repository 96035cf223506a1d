/** Makes the tracers of requests: the named ones, and those in JavaScript, which are loaded with the first of them. */

import { NodeError } from '../../base/errors.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import type { TextSink } from '../../base/text-stream.ts'
import type { Rules } from '../../evm/rules.ts'
import type { ScriptOptions, TracedExecution, TraceOptions, Tracer, TracerInput } from './tracer.ts'
import { createTracer } from './tracers.ts'

/** The tracer of a request, and its decoder of revert data. */
export interface TracingOptions extends TraceOptions, Pick<TracerInput, 'reasonOf'> {}

/** Limit of the time of executions; 0 for none. */
export interface TimeLimit {
  readonly now: () => number
  readonly timeoutMs: number
}

/** The tracers of one request, for one execution after the other. */
export interface TracerSource {
  readonly make: (traced: TracedExecution, sink: TextSink) => Tracer
  /** Prepares the next tracer, after an execution. */
  readonly renew: () => Promise<void> | undefined
}

/** Milliseconds of a tracer in JavaScript for one execution (geth, defaultTraceTimeout). */
const SCRIPT_TIMEOUT_MS = 5000

const loadScripts = lazyPart('tracers in JavaScript', async () => {
  const [{ Sandbox }, { javascriptTracer }] = await Promise.all([
    import('./javascript/sandbox.ts'),
    import('./javascript/javascript-tracer.ts'),
  ])
  return { open: () => Sandbox.open(), javascriptTracer }
})

/** Opens the tracers of a request. */
export async function openTracers(
  options: TracingOptions,
  { precompiles }: Pick<Rules, 'precompiles'>,
  limit: TimeLimit,
): Promise<TracerSource> {
  const { script, config, reasonOf } = options
  const inputOf = (traced: TracedExecution, sink: TextSink): TracerInput => ({
    traced,
    sink,
    config,
    reasonOf,
    precompiles,
  })
  if (script === undefined) {
    return { make: (traced, sink) => createTracer(options, inputOf(traced, sink)), renew: () => undefined }
  }
  const { open, javascriptTracer } = await loadScripts()
  const timed = { ...script, startClock: () => startClock(script, limit) }
  // Each execution has a sandbox of its own: a script that was ended leaves it in disorder.
  let sandbox = await open()
  return {
    make: (traced, sink) => javascriptTracer(timed, inputOf(traced, sink), sandbox),
    renew: async () => {
      sandbox = await open()
    },
  }
}

/** Starts the time of a script. The returned function throws NodeError 'callTimeout' when it is over. */
function startClock({ timeoutMs = SCRIPT_TIMEOUT_MS }: ScriptOptions, limit: TimeLimit): () => void {
  const { now } = limit
  const startedAt = now()
  const allowed = limit.timeoutMs === 0 ? timeoutMs : Math.min(timeoutMs, limit.timeoutMs)
  return () => {
    if (now() - startedAt >= allowed) throw new NodeError('callTimeout', 'execution timeout')
  }
}
