/** Reads the beginning of a JSON text. */

/** A value of which only the beginning is known. */
export interface JsonPrefix {
  readonly value: unknown
  /** The arrays and objects in it that go on after the end of the text. */
  readonly open: ReadonlySet<unknown>
}

/** The value up to the last item that is surely whole. */
export function parsePrefix(text: string): JsonPrefix {
  const { end, closers } = lastItemEnd(text)
  const value: unknown = JSON.parse(text.slice(0, end) + [...closers].reverse().join(''))
  const open = new Set<unknown>()
  let container = value
  for (let depth = closers.length; depth > 0; depth--) {
    open.add(container)
    container = Object.values(container as object).at(-1)
  }
  return { value, open }
}

function lastItemEnd(text: string): { end: number; closers: readonly string[] } {
  const stack: string[] = []
  let last: { end: number; closers: readonly string[] } = { end: 0, closers: [] }
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isText && character === '\\') at++
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '{') stack.push('}')
    else if (character === '[') stack.push(']')
    else if (character === '}' || character === ']') stack.pop()
    else if (character === ',') last = { end: at, closers: [...stack] }
  }
  return last
}
