/** A result that is JSON text already: what is rendered once and sent often need not become objects again. */

import { TextStream } from '../base/text-stream.ts'

/** JSON text in the place of a value. The dispatcher sends it as it is; whoever wants the value reads `toJSON`. */
export class RawJson {
  readonly text: string

  /** The caller vouches that the text is JSON. */
  constructor(text: string) {
    this.text = text
  }

  /** The value, parsed anew: for logs and tests, which go through `JSON.stringify`. */
  toJSON(): unknown {
    const value: unknown = JSON.parse(this.text)
    return value
  }
}

/** JSON of a value that is made after the lock is left. */
export function jsonStream(make: () => Promise<unknown>): TextStream {
  return new TextStream(async (sink) => {
    await sink.write(JSON.stringify(await make()))
  })
}

/** An array of values whose texts are there already. */
export function rawArray(texts: readonly string[]): RawJson {
  return new RawJson(`[${texts.join(',')}]`)
}

/** Text of a result, whichever it is. */
export function textOfResult(result: unknown): string {
  return result instanceof RawJson ? result.text : JSON.stringify(result ?? null)
}
