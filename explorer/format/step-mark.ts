/** The part of a source that is marked for an instruction, and what kind of code it is. */

import type { SourceMark } from './source-lines.ts'

interface StepMark {
  readonly mark: SourceMark
  /** What the instruction does if it belongs to no statement. */
  readonly note: string | undefined
}

/** Instructions that belong to a whole declaration are the compiler's: they are marked by its first line. */
const DECLARATIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(abstract contract|contract|library)\s[^{]*/,
    'Dispatch: code outside of the functions. It jumps to the function that the selector of the call names; in a creation it surrounds the constructor.',
  ],
  [
    /^(function|constructor|receive|fallback|modifier)\b[^{]*/,
    'Entry or end of the function: checks of the call, decoding of arguments, encoding of results.',
  ],
]

/** The mark of an instruction with a part of a source. */
export function stepMark(content: string, { start, end }: SourceMark): StepMark {
  const text = new TextDecoder().decode(new TextEncoder().encode(content).subarray(start, end))
  for (const [pattern, note] of DECLARATIONS) {
    const head = pattern.exec(text)?.[0].trimEnd()
    if (head !== undefined)
      return { mark: { start, end: start + new TextEncoder().encode(head).length }, note }
  }
  return { mark: { start, end }, note: undefined }
}
