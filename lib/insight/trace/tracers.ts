/** The tracers by name. */

import { unreachable } from '../../base/invariant.ts'
import type { Observer, EnterEvent } from '../../evm/observer.ts'
import { isCreation } from './call-tree.ts'
import { callTracer } from './call-tracer.ts'
import { flatCallTracer } from './flat.ts'
import { nodeTracer } from './node-trace.ts'
import { prestateTracer } from './prestate.ts'
import { structLogs } from './struct-logs.ts'
import type { TraceOptions, Tracer, TracerInput } from './tracer.ts'
import { toHex } from '../../base/hex.ts'

/** Makes the requested tracer. */
export function createTracer({ tracer, config }: TraceOptions, given: Omit<TracerInput, 'config'>): Tracer {
  const input = { ...given, config }
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

/** Runs several tracers at once, each under its name. Tracers that write to the sink cannot be members. */
function muxTracer(input: TracerInput): Tracer {
  const members = input.config.mux.map((request) => ({
    name: request.tracer,
    tracer: createTracer(request, input),
  }))
  return {
    observer: combinedObserver(members.map(({ tracer }) => tracer.observer)),
    end: (outcome) => `{${members.map(({ name, tracer }) => `"${name}":${tracer.end(outcome)}`).join(',')}}`,
  }
}

/** Passes events to every observer. It has the hooks that the possible members use. */
function combinedObserver(observers: readonly Observer[]): Observer {
  const each = (notify: (observer: Observer) => void): void => observers.forEach(notify)
  return {
    onFault: (step, exception) => each(({ onFault }) => onFault?.(step, exception)),
    onEnter: (event) => each(({ onEnter }) => onEnter?.(event)),
    onExit: (event) => each(({ onExit }) => onExit?.(event)),
    onLog: (log) => each(({ onLog }) => onLog?.(log)),
    onAccountAccess: (address) => each(({ onAccountAccess }) => onAccountAccess?.(address)),
    onStorageAccess: (address, slot) => each(({ onStorageAccess }) => onStorageAccess?.(address, slot)),
    onBalanceChange: (...change) => each(({ onBalanceChange }) => onBalanceChange?.(...change)),
    onTransactionEnd: () => each(({ onTransactionEnd }) => onTransactionEnd?.()),
  }
}

/** Length of a function selector in bytes. */
const SELECTOR_LENGTH = 4

/** Counts selectors. Creations and calls of precompiles do not count. */
function fourByteTracer(): Tracer {
  const counts = new Map<string, number>()
  const count = (event: EnterEvent): void => {
    const { input, isPrecompile } = event
    if (input.length < SELECTOR_LENGTH || isPrecompile || isCreation(event)) return
    const key = `${toHex(input.subarray(0, SELECTOR_LENGTH))}-${input.length - SELECTOR_LENGTH}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { observer: { onEnter: count }, end: () => JSON.stringify(Object.fromEntries(counts)) }
}
