/**
 * Methods of the Bridge for the super event and the base event: bytes that the union contract stores. Headers contain the base
 * event (node-chain 6.3, 10.4). Terms: bridge.ts.
 */

import type { Hex } from '../../../base/hex.ts'
import { EMPTY_BYTES } from '../../../base/hex.ts'
import type { State } from '../../../state/state.ts'
import { bytes } from '../../../abi/types.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall } from './bridge-call.ts'
import { slotOf } from './bridge-storage.ts'
import { MAX_BASE_EVENT } from './constants.ts'
import { bridgeMethod, nothing } from './method.ts'
import type { BridgeMethod } from './method.ts'
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

/** The methods of one of the two events. */
function methodsOf(
  name: EventName,
  selectors: { readonly get: Hex; readonly set: Hex; readonly clear: Hex },
) {
  const title = name === 'base' ? 'BaseEvent' : 'SuperEvent'
  return [
    bridgeMethod({
      selector: selectors.get,
      name: `get${title}`,
      inputs: [],
      output: bytes,
      gas: 3_000,
      mutability: 'view',
      run: ({ storage }) => storage.bytes(nameOfEvent(name)) ?? EMPTY_BYTES,
    }),
    bridgeMethod({
      selector: selectors.set,
      name: `set${title}`,
      inputs: [bytes],
      output: nothing,
      gas: 8_000,
      run: (bridge, [event]) => {
        if (event.length > MAX_BASE_EVENT) {
          throw new PrecompileFailure(`an event of ${event.length} bytes exceeds ${MAX_BASE_EVENT}`)
        }
        putEvent(bridge, name, event)
      },
    }),
    bridgeMethod({
      selector: selectors.clear,
      name: `clear${title}`,
      inputs: [],
      output: nothing,
      gas: 8_000,
      run: (bridge) => putEvent(bridge, name, undefined),
    }),
  ]
}

function putEvent({ storage, caller }: BridgeCall, name: EventName, event: Uint8Array | undefined): void {
  const contract = unionContract(storage)
  if (caller !== contract) {
    const known = contract ?? 'which is not set'
    throw new PrecompileFailure(`only the union contract (${known}) sets the ${name} event, not ${caller}`)
  }
  storage.putBytes(nameOfEvent(name), event)
}

export const eventMethods: readonly BridgeMethod[] = [
  ...methodsOf('super', { get: '0xf8cfda8e', set: '0x99961ea5', clear: '0xd2ba1e45' }),
  ...methodsOf('base', { get: '0xa25b94cb', set: '0xfe43e2f8', clear: '0x93e7a33b' }),
]
