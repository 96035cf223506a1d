/** Lines of a source, and the part of them that is marked. */

import { printable } from '../../lib/config/request-log.ts'

/** A piece of a line. */
export interface SourceToken {
  readonly text: string
  /** Its kind in the grammar, such as `keyword`; undefined for other text. */
  readonly kind: string | undefined
}

export type SourceLine = readonly SourceToken[]

/** A part of a source in bytes of its UTF-8 text, as in source maps; `end` is after the last byte. */
export interface SourceMark {
  readonly start: number
  readonly end: number
}

/** A marked part of one line, in UTF-16 units. */
export interface LineMark {
  readonly from: number
  readonly to: number
}

/** Lines without kinds of tokens, for sources in other languages, and until the grammar is loaded. */
export const plainLines = (content: string): readonly SourceLine[] =>
  content.split('\n').map((text) => (text === '' ? [] : [{ text, kind: undefined }]))

/** The marked part of each line, by the line's index. A number marks a whole line, from 1. */
export function lineMarks(
  content: string,
  mark: SourceMark | number | undefined,
): ReadonlyMap<number, LineMark> {
  if (mark === undefined) return new Map()
  if (typeof mark === 'number') return new Map([[mark - 1, { from: 0, to: Infinity }]])
  const bytes = new TextEncoder().encode(content)
  const textTo = (end: number): string => new TextDecoder().decode(bytes.subarray(0, end))
  const [before, marked] = [textTo(mark.start), textTo(mark.end)]
  const first = before.split('\n').length - 1
  const from = before.length - (before.lastIndexOf('\n') + 1)
  const parts = marked.slice(before.length).split('\n')
  return new Map(
    parts.map((part, index) => {
      const begin = index === 0 ? from : 0
      return [first + index, { from: begin, to: begin + part.length }]
    }),
  )
}

/** Splits a line where its mark begins and ends. */
export function markedTokens(
  line: SourceLine,
  { from, to }: LineMark,
): readonly (SourceToken & { readonly isMarked: boolean })[] {
  let at = 0
  return line.flatMap(({ text, kind }) => {
    const [start, end] = [at, at + text.length]
    at = end
    const cuts = [start, ...[from, to].filter((cut) => cut > start && cut < end), end]
    return cuts.slice(1).map((cut, index) => {
      const begin = cuts[index] ?? start
      return { text: text.slice(begin - start, cut - start), kind, isMarked: begin >= from && cut <= to }
    })
  })
}

/** A piece of a line: control characters and marks of text direction are written out, tabs are not. */
export const shownSource = (text: string): string =>
  text
    .replace(/\r$/, '')
    .split('\t')
    .map((part) => printable(part))
    .join('\t')
