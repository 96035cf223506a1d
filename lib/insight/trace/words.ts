/** Renders stack, memory and storage as JSON text. Words that did not change since the last step are not rendered again. */

import { getOrAdd } from '../../base/get-or-add.ts'
import { toHex, type Address } from '../../base/hex.ts'

/** Renders the stacks of consecutive steps. */
export class StackTexts {
  readonly #word: (value: bigint) => string
  #stack: readonly bigint[] = []
  /** Text of the words up to and including each position. */
  #upTo: string[] = []

  /** `word` returns the JSON text of one word. */
  constructor(word: (value: bigint) => string) {
    this.#word = word
  }

  /** The words as a JSON list, bottom first. */
  textOf(stack: readonly bigint[]): string {
    const upTo = this.#upTo
    let same = 0
    while (same < stack.length && same < upTo.length && stack[same] === this.#stack[same]) same++
    upTo.length = same
    for (let position = same; position < stack.length; position++) {
      const text = this.#word(stack[position] ?? 0n)
      upTo.push(position === 0 ? text : `${upTo[position - 1] ?? ''},${text}`)
    }
    this.#stack = stack
    return `[${upTo.at(-1) ?? ''}]`
  }
}

/** Renders the memories of consecutive steps. */
export class MemoryTexts {
  readonly #prefix: string
  #memory: Uint8Array = new Uint8Array(0)
  #text = '[]'

  /** `prefix` precedes the 64 hex digits of each word. */
  constructor(prefix: '0x' | '') {
    this.#prefix = prefix
  }

  /** The words as a JSON list. */
  textOf(memory: Uint8Array): string {
    if (Buffer.compare(memory, this.#memory) === 0) return this.#text
    const digits = toHex(memory)
    const words: string[] = []
    for (let start = 2; start < digits.length; start += 64) {
      words.push(`"${this.#prefix}${digits.slice(start, start + 64)}"`)
    }
    // A copy, because the next instructions change the memory.
    this.#memory = memory.slice()
    this.#text = `[${words.join(',')}]`
    return this.#text
  }
}

/** The storage slots that were touched, by account, in the order of their first access. */
export class TouchedStorage {
  readonly #slots = new Map<Address, Map<string, string>>()

  /** Records the value of a slot. Both are hex texts in the format of the tracer. */
  touch(account: Address, slot: string, value: string): void {
    getOrAdd(this.#slots, account, () => new Map<string, string>()).set(slot, value)
  }

  /** The touched slots of an account as a JSON object. */
  textOf(account: Address): string {
    return `{${[...this.of(account)].map(([slot, value]) => `"${slot}":"${value}"`).join(',')}}`
  }

  /** The touched slots of an account, with their values. */
  of(account: Address): ReadonlyMap<string, string> {
    return this.#slots.get(account) ?? new Map<string, string>()
  }
}
