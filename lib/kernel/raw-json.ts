/** Results that are already JSON text, so that a text that is sent often is rendered once. */

import { jsonText } from '../base/json-text.ts'
import { finish } from '../base/routine.ts'
import { TextStream } from '../base/text-stream.ts'

/** JSON text in place of a value. The dispatcher sends the text; `toJSON` returns the value. */
export class RawJson {
  readonly text: string

  /** The text is not checked, so pass only JSON. */
  constructor(text: string) {
    this.text = text
  }

  /** Parses the text, for logs and tests, which use `JSON.stringify`. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** JSON of a value that is produced after the lock is released. `make` only reads, and is called again after each load. */
export function jsonStream(make: () => Promise<unknown>): TextStream {
  return new TextStream(async (sink) => {
    await sink.write(jsonText(await finish(make)))
  })
}

export const rawArray = (texts: readonly string[]): RawJson => new RawJson(`[${texts.join(',')}]`)

export const textOfResult = (result: unknown): string =>
  result instanceof RawJson ? result.text : jsonText(result ?? null)
