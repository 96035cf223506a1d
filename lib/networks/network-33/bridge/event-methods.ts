/**
 * Methods of the Bridge for the super event and the base event: bytes that the union contract stores. Headers contain the base
 * event (node-chain 6.3, 10.4). Terms: bridge.ts.
 */

import { EMPTY_BYTES } from '../../../base/hex.ts'
import type { State } from '../../../state/state.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { slotOf } from './bridge-storage.ts'
import { MAX_BASE_EVENT } from './constants.ts'
import { bridgeStorageOf } from './remote-values.ts'
import { unionContract } from './union-methods.ts'

type EventName = 'super' | 'base'

const nameOfEvent = (name: EventName): string => `event/${name}`

const BASE_EVENT = slotOf(nameOfEvent('base'))

/** The base event after a block, which the next header contains; empty if it is not set. */
export function baseEventOf(state: State): Uint8Array {
  const storage = bridgeStorageOf(state)
  const isRemote = state.source?.callPrecompile !== undefined
  return (isRemote ? storage.bytes(nameOfEvent('base')) : storage.bytesAt(BASE_EVENT)) ?? EMPTY_BYTES
}

export const eventMethods = {
  getSuperEvent: ({ storage }) => storage.bytes(nameOfEvent('super')) ?? EMPTY_BYTES,
  setSuperEvent: (bridge, [event]) => putEvent(bridge, 'super', event),
  clearSuperEvent: (bridge) => putEvent(bridge, 'super'),
  getBaseEvent: ({ storage }) => storage.bytes(nameOfEvent('base')) ?? EMPTY_BYTES,
  setBaseEvent: (bridge, [event]) => putEvent(bridge, 'base', event),
  clearBaseEvent: (bridge) => putEvent(bridge, 'base'),
} satisfies Partial<BridgeHandlers>

function putEvent({ storage, caller }: BridgeCall, name: EventName, event?: Uint8Array): void {
  if (event !== undefined && event.length > MAX_BASE_EVENT) {
    throw new PrecompileFailure(`an event of ${event.length} bytes exceeds ${MAX_BASE_EVENT}`)
  }
  const contract = unionContract(storage)
  if (caller !== contract) {
    const known = contract ?? 'which is not set'
    throw new PrecompileFailure(`only the union contract (${known}) sets the ${name} event, not ${caller}`)
  }
  storage.putBytes(nameOfEvent(name), event)
}
