/**
 * The hashes and ids of the reference node and those of this node that stand for the same thing: blocks and what contains their
 * hashes differ by nature, because the state tries do. A pair is learned where both stand at the same place of an answer.
 */

const HASH_DIGITS = 64

/** Texts beyond this length contain no hash that matters. */
const LONGEST = 400_000

/** Pairs in both directions. */
export class HashPairs {
  readonly #own = new Map<string, string>()
  readonly #recorded = new Map<string, string>()

  /** This node's value for a recorded one. */
  ownOf(recorded: string): string | undefined {
    return this.#own.get(recorded)
  }

  /** Learns a pair. Returns false if one of both belongs to another already. */
  learn(recorded: string, own: string): boolean {
    const known = this.#own.get(recorded)
    if (known !== undefined) return known === own
    if (this.#recorded.has(own)) return false
    this.#own.set(recorded, own)
    this.#recorded.set(own, recorded)
    return true
  }

  /** Whether both are known as a pair, or neither is known. */
  arePossible(recorded: string, own: string): boolean {
    return this.#own.get(recorded) === own || !(this.#own.has(recorded) || this.#recorded.has(own))
  }

  /** A recorded value with all known hashes replaced by this node's, also within long data. */
  translate(value: unknown): unknown {
    if (typeof value === 'string') return this.#translateText(value)
    if (Array.isArray(value)) return value.map((item) => this.translate(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.translate(item)]))
  }

  #translateText(text: string): string {
    const whole = this.#own.get(text)
    if (whole !== undefined) return whole
    if (text.length < HASH_DIGITS || text.length > LONGEST) return text
    if (!/^(0x)?[0-9a-f]+$/.test(text))
      return text.replace(/0x[0-9a-f]{64}/g, (hash) => this.#own.get(hash) ?? hash)
    let translated = text
    const from = text.startsWith('0x') ? 2 : 0
    for (let at = from; at + HASH_DIGITS <= text.length; at += 2) {
      const own = this.#own.get(`0x${text.slice(at, at + HASH_DIGITS)}`)
      if (own !== undefined)
        translated = translated.slice(0, at) + own.slice(2) + translated.slice(at + HASH_DIGITS)
    }
    return translated
  }
}
