/** Completes JSON text that ends early. */

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Follows JSON text that arrives in parts. A part ends behind a bracket, a comma, a colon, or a value that is no key. */
export class UnfinishedJson {
  /** The brackets that close what is open, outermost first. */
  readonly #closing: string[] = []
  #last = ''

  /** Returns the part. */
  add(part: string): string {
    for (let at = 0; at < part.length; at++) {
      const char = part.charAt(at)
      const closing = CLOSING[char]
      if (char === '"') at = endOfString(part, at)
      else if (closing !== undefined) this.#closing.push(closing)
      else if (char === '}' || char === ']') this.#closing.pop()
    }
    this.#last = part.at(-1) ?? this.#last
    return part
  }

  /** The text that completes the parts. */
  get end(): string {
    const isObject = this.#closing.at(-1) === '}'
    const missing = this.#last === ',' && isObject ? '"":null' : 'null'
    const value = this.#last === ',' || this.#last === ':' ? missing : ''
    return value + this.#closing.toReversed().join('')
  }
}

/** Position of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
