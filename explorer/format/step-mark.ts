/** The part of a source that the stepper marks for an instruction, and what kind of code it is. */

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

const ADDED =
  'Added by the compiler, such as ABI coding or a check of arithmetic. The source stays where it was.'
const UNKNOWN = 'The node has no artifacts of the contract that runs. The source stays at the call.'

/** `relation` says whether the place is of the instruction itself, of one before it, or of the calling contract. */
export function stepMark(
  content: string,
  { start, end }: SourceMark,
  relation: 'own' | 'before' | 'caller',
): StepMark {
  const text = new TextDecoder().decode(new TextEncoder().encode(content).subarray(start, end))
  for (const [pattern, own] of DECLARATIONS) {
    const head = pattern.exec(text)?.[0].trimEnd()
    if (head === undefined) continue
    const mark = { start, end: start + new TextEncoder().encode(head).length }
    return { mark, note: noteOf(relation, own) }
  }
  return { mark: { start, end }, note: noteOf(relation, undefined) }
}

function noteOf(relation: 'own' | 'before' | 'caller', own: string | undefined): string | undefined {
  if (relation === 'own') return own
  return relation === 'before' ? ADDED : UNKNOWN
}
