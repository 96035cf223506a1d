/** Stores scripted responses of the Bridge for tests, in its storage so that reverts include them. */

import type { Hex } from '../../../../base/hex.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'

/** A response that replaces a method: return data or revert data. */
export interface ScriptedAnswer {
  readonly isRevert: boolean
  readonly data: Uint8Array
}

const slotOfAnswer = (selector: Hex): string => `script/${selector}`

/** The scripted response of a selector. */
export function scriptedAnswer(cells: BridgeStorage, selector: Hex): ScriptedAnswer | undefined {
  const record = cells.record(slotOfAnswer(selector))
  if (record === undefined) return undefined
  const [kind, data] = listOf(record).map(bytesOf)
  return { isRevert: kind?.[0] === 1, data: bytesOf(data) }
}

/** Sets or removes the scripted response of a selector. */
export function putScriptedAnswer(
  cells: BridgeStorage,
  selector: Hex,
  answer: ScriptedAnswer | undefined,
): void {
  cells.putRecord(
    slotOfAnswer(selector),
    answer && [answer.isRevert ? Uint8Array.of(1) : new Uint8Array(0), answer.data],
  )
}
