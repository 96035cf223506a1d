/** Scripted answers: what a test wants the Bridge to say, kept in its storage so that it comes and goes with the state. */

import type { Hex } from '../../../../base/hex.ts'
import { bytesOf, listOf } from './cells.ts'
import type { Cells } from './cells.ts'

/** An answer that takes the place of a method: return data, or data to revert with. */
export interface ScriptedAnswer {
  readonly isRevert: boolean
  readonly data: Uint8Array
}

const cellOf = (selector: Hex): string => `script/${selector}`

/** The answer a selector was given. */
export function scriptedAnswer(cells: Cells, selector: Hex): ScriptedAnswer | undefined {
  const record = cells.record(cellOf(selector))
  if (record === undefined) return undefined
  const [kind, data] = listOf(record).map(bytesOf)
  return { isRevert: kind?.[0] === 1, data: bytesOf(data) }
}

/** Gives a selector an answer, or its own meaning back. */
export function putScriptedAnswer(cells: Cells, selector: Hex, answer: ScriptedAnswer | undefined): void {
  cells.putRecord(
    cellOf(selector),
    answer && [answer.isRevert ? Uint8Array.of(1) : new Uint8Array(0), answer.data],
  )
}
