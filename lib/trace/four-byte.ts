/** The 4byteTracer: counts calls by selector and length of the arguments (go-ethereum, eth/tracers/native/4byte.go). */

import { toHex } from '../base/hex.ts'
import type { EnterEvent } from '../evm/observer.ts'
import type { Tracer } from './tracer.ts'

/** Length of a function selector in bytes. */
const SELECTOR_LENGTH = 4

/** Counts selectors. Creations and calls of precompiles do not count. */
export function fourByteTracer(): Tracer {
  const counts = new Map<string, number>()
  const count = ({ kind, input, isPrecompile }: EnterEvent): void => {
    if (input.length < SELECTOR_LENGTH || isPrecompile || kind === 'create' || kind === 'create2') return
    const key = `${toHex(input.subarray(0, SELECTOR_LENGTH))}-${input.length - SELECTOR_LENGTH}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { observer: { onEnter: count }, end: () => JSON.stringify(Object.fromEntries(counts)) }
}
