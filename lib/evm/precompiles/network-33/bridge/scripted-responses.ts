/** Stores scripted responses of the Bridge for tests, in its storage so that reverts include them. */

import type { Hex } from '../../../../base/hex.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'

/** A response that replaces a method: return data or revert data. */
export interface ScriptedResponse {
  readonly isRevert: boolean
  readonly data: Uint8Array
}

const nameOfResponse = (selector: Hex): string => `script/${selector}`

/** The scripted response of a selector. */
export function scriptedResponse(storage: BridgeStorage, selector: Hex): ScriptedResponse | undefined {
  const record = storage.record(nameOfResponse(selector))
  if (record === undefined) return undefined
  const [kind, data] = listOf(record).map(bytesOf)
  return { isRevert: kind?.[0] === 1, data: bytesOf(data) }
}

/** Sets or removes the scripted response of a selector. */
export function putScriptedResponse(
  storage: BridgeStorage,
  selector: Hex,
  response: ScriptedResponse | undefined,
): void {
  storage.putRecord(
    nameOfResponse(selector),
    response && [response.isRevert ? Uint8Array.of(1) : new Uint8Array(0), response.data],
  )
}
