/** Finds lines and columns of positions in a source. */

import type { SourceUnit } from './compilation.ts'
import { oncePer } from '../../base/once.ts'

/** A place in a source as editors show it. */
export interface LinePosition {
  /** From 1. */
  readonly line: number
  /** In UTF-16 units, from 1. */
  readonly column: number
}

const LINE_FEED = 0x0a

/** The lines of a source whose positions are bytes of its UTF-8 text, as in ASTs and source maps. */
export class SourceLines {
  readonly #bytes: Buffer
  /** Position of the first byte of each line. */
  readonly #starts: readonly number[]

  constructor(content: string) {
    this.#bytes = Buffer.from(content)
    const starts = [0]
    for (let at = this.#bytes.indexOf(LINE_FEED); at >= 0; at = this.#bytes.indexOf(LINE_FEED, at + 1))
      starts.push(at + 1)
    this.#starts = starts
  }

  /** Line and column of a byte; those of the end for positions beyond it. */
  positionOf(offset: number): LinePosition {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    const start = this.#starts[low] ?? 0
    return { line: low + 1, column: this.#bytes.toString('utf8', start, offset).length + 1 }
  }

  /** Text of a line, from 1, without its line break; empty for a line that does not exist. */
  textOf(line: number): string {
    const start = this.#starts[line - 1]
    if (start === undefined) return ''
    return this.#bytes.toString('utf8', start, this.#starts[line] ?? this.#bytes.length).replace(/\r?\n$/, '')
  }

  /** Text between two bytes. */
  excerpt(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }
}

/** The lines of a source, read at the first call; undefined if its text is not known. */
export const linesOf = oncePer(({ content }: SourceUnit) =>
  content === undefined ? undefined : new SourceLines(content),
)
