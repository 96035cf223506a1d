/** Immutable answers of a remote about one block, in memory. fork-cache.ts opens stores that are on disk, too. */

import { invariant } from '../base/invariant.ts'

/** Stores facts about one block of a chain: its state, and history up to it. */
export interface FactStore {
  /** The value of a fact; undefined if the store does not have it. */
  get(key: string): unknown
  /** Adds a fact whose value is JSON. The first value of a key stays, because facts are immutable. */
  put(key: string, value: unknown): void
  /** Writes what is not on disk yet. The store must not be used afterwards. */
  close(): Promise<void>
}

/** Keeps the new facts of a store. */
interface FactSink {
  /** Adds a fact, whose value is JSON as text. */
  readonly add: (key: string, value: string) => void
  readonly close: () => Promise<void>
}

/** A store in memory only. */
export function memoryFactStore(): FactStore {
  return new LoadedFactStore(new Map())
}

/**
 * A store with the facts of a map, which it extends. It keeps the text of each value: a start need not parse them, a
 * caller cannot change them, and a value is the same whether it comes from the remote or from the disk.
 */
export class LoadedFactStore implements FactStore {
  readonly #facts: Map<string, string>
  readonly #sink: FactSink | undefined

  constructor(facts: Map<string, string>, sink?: FactSink) {
    this.#facts = facts
    this.#sink = sink
  }

  get(key: string): unknown {
    const text = this.#facts.get(key)
    return text === undefined ? undefined : JSON.parse(text)
  }

  put(key: string, value: unknown): void {
    if (this.#facts.has(key)) return
    // A key and a value are a line each.
    invariant(!key.includes('\n'), 'a key of a fact contains a line break')
    const text = JSON.stringify(value)
    this.#facts.set(key, text)
    this.#sink?.add(key, text)
  }

  async close(): Promise<void> {
    await this.#sink?.close()
  }
}
