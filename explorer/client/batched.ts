/** Answers about single things, which are asked for together, and again when the chain has changed. */

import { signal } from '@preact/signals'
import { calmVersion } from './calm-version.ts'

/** Things in one request. */
const MAX_ASKED = 1000

/**
 * A function that returns what is known of a thing; undefined until it is loaded. A component that calls it is drawn again when the
 * answer comes. What is known stays while it is asked for again, and if the node does not answer.
 */
export function batched<T>(
  askAll: (keys: readonly string[]) => Promise<readonly T[]>,
): (key: string) => T | undefined {
  const known = signal<ReadonlyMap<string, T>>(new Map())
  const asked = new Map<string, number>()
  let waiting: string[] = []
  const send = async (): Promise<void> => {
    const keys = waiting.slice(0, MAX_ASKED)
    waiting = waiting.slice(MAX_ASKED)
    if (waiting.length > 0) void send()
    const answers = await askAll(keys).catch((): readonly T[] => [])
    const newer = answers.map((answer, index): readonly [string, T] => [keys[index] ?? '', answer])
    if (newer.length > 0) known.value = new Map([...known.peek(), ...newer])
  }
  return (key) => {
    if (asked.get(key) !== calmVersion.value) {
      asked.set(key, calmVersion.value)
      if (waiting.push(key) === 1) queueMicrotask(() => void send())
    }
    return known.value.get(key)
  }
}
