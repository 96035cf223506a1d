/** The tracers by name. */

import { unreachable } from '../base/invariant.ts'
import type { Observer } from '../evm/observer.ts'
import { callTracer } from './call-tracer.ts'
import { flatCallTracer } from './flat.ts'
import { fourByteTracer } from './four-byte.ts'
import { nodeTracer } from './node-trace.ts'
import { prestateTracer } from './prestate.ts'
import { structLogs } from './struct-logs.ts'
import type { TraceRequest, Tracer, TracerInput, TracerName } from './tracer.ts'

/** Makes the tracer that is asked for. */
export function createTracer({ tracer, config }: TraceRequest, input: Omit<TracerInput, 'config'>): Tracer {
  return create(tracer, { ...input, config })
}

function create(tracer: TracerName, input: TracerInput): Tracer {
  switch (tracer) {
    case 'structLogs':
      return structLogs(input)
    case 'callTracer':
      return callTracer(input)
    case 'flatCallTracer':
      return flatCallTracer(input)
    case 'prestateTracer':
      return prestateTracer(input)
    case '4byteTracer':
      return fourByteTracer()
    case 'nodeTracer':
      return nodeTracer(input)
    case 'noopTracer':
      return { observer: {}, end: () => '{}' }
    case 'muxTracer':
      return muxTracer(input)
    default:
      return unreachable(tracer)
  }
}

/** Several tracers at once, each under its name. Those that write before the end are not among them. */
function muxTracer(input: TracerInput): Tracer {
  const members = input.config.mux.map((request) => ({
    name: request.tracer,
    tracer: createTracer(request, input),
  }))
  return {
    observer: together(members.map(({ tracer }) => tracer.observer)),
    end: (outcome) => `{${members.map(({ name, tracer }) => `"${name}":${tracer.end(outcome)}`).join(',')}}`,
  }
}

/** Observers that write nothing before the end never ask to wait. */
function together(observers: readonly Observer[]): Observer {
  return {
    onStep: (step) => {
      for (const observer of observers) void observer.onStep?.(step)
      return undefined
    },
    onEnter: (frame) => {
      for (const observer of observers) observer.onEnter?.(frame)
    },
    onExit: (end) => {
      for (const observer of observers) observer.onExit?.(end)
    },
    onAccount: (address) => {
      for (const observer of observers) observer.onAccount?.(address)
    },
    onSlot: (address, slot) => {
      for (const observer of observers) observer.onSlot?.(address, slot)
    },
    onEnd: () => {
      for (const observer of observers) observer.onEnd?.()
    },
  }
}
