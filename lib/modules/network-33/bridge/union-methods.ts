/**
 * Methods of the Bridge for the union contract, which borrows coins from it. They also store the super event and the base event,
 * bytes of which headers contain the latter (node-chain 6.3, 10.4, 10.8, 11.3). Terms: bridge.ts.
 */

import { EMPTY_BYTES, ZERO_ADDRESS, fromHex, toAddress, type Address } from '../../../base/hex.ts'
import type { State } from '../../../state/state.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { bridgeStorageOf, type BridgeCall, type BridgeHandlers } from './bridge-call.ts'
import { slotOf, type BridgeStorage } from './bridge-storage.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS, INITIAL_UNION_CAP, MAX_BASE_EVENT } from './constants.ts'
import type { EventValues } from './events.ts'

/** Return values of the methods. */
const CODE = { done: 0n, unauthorized: -1n, invalidValue: -2n, disabled: -3n }

/** Maximum factor by which one call can raise the cap. */
const MAX_CAP_GROWTH = 2n

/** Address of the union contract, if it is set. */
function unionContract(storage: BridgeStorage): Address | undefined {
  const stored = storage.bytes('union/address')
  return stored === undefined ? undefined : toAddress(stored)
}

const unionCap = (storage: BridgeStorage): bigint => storage.number('union/cap') ?? INITIAL_UNION_CAP

/** Wei that the union contract has borrowed and not returned. */
const lent = (storage: BridgeStorage): bigint => storage.number('union/lent') ?? 0n

// Both directions are initially open.
const isOpen = (storage: BridgeStorage, direction: 'request' | 'release'): boolean =>
  storage.number(`union/${direction}`) !== 0n

type Permissions = Omit<EventValues<'union_bridge_transfer_permissions_updated'>, 'caller'>

function setPermissions(bridge: BridgeCall, caller: Address, permissions: Permissions): void {
  bridge.storage.putNumber('union/request', permissions.requestEnabled ? 1n : 0n)
  bridge.storage.putNumber('union/release', permissions.releaseEnabled ? 1n : 0n)
  bridge.emit('union_bridge_transfer_permissions_updated', { caller, ...permissions })
}

/** @throws PrecompileFailure */
function requireAuthorizer(authorizers: ReadonlySet<Address>, caller: Address): void {
  if (authorizers.has(caller)) return
  throw new PrecompileFailure(`only ${[...authorizers].join(', ')} may call this, not ${caller}`)
}

type EventName = 'super' | 'base'

const nameOfEvent = (name: EventName): string => `event/${name}`

const BASE_EVENT = slotOf(nameOfEvent('base'))

/** The base event after a block, which the next header contains; empty if it is not set. */
export function baseEventOf(state: State): Uint8Array {
  const storage = bridgeStorageOf(state)
  const isRemote = state.source?.callPrecompile !== undefined
  return (isRemote ? storage.bytes(nameOfEvent('base')) : storage.bytesAt(BASE_EVENT)) ?? EMPTY_BYTES
}

export const unionMethods = {
  setUnionBridgeContractAddressForTestnet: ({ storage, caller }, [contract]) => {
    requireAuthorizer(AUTHORIZERS.unionAddress, caller)
    storage.putBytes('union/address', fromHex(contract))
    return CODE.done
  },

  getUnionBridgeContractAddress: ({ storage }) => unionContract(storage) ?? ZERO_ADDRESS,
  getUnionBridgeLockingCap: ({ storage }) => unionCap(storage),

  increaseUnionBridgeLockingCap: (bridge, [cap]) => {
    const { storage, caller } = bridge
    requireAuthorizer(AUTHORIZERS.unionChange, caller)
    const before = unionCap(storage)
    if (cap <= before || cap > before * MAX_CAP_GROWTH) return CODE.invalidValue
    storage.putNumber('union/cap', cap)
    bridge.emit('union_bridge_locking_cap_increased', { caller, previous: before, new: cap })
    return CODE.done
  },

  requestUnionBridgeCoin: (bridge, [amount]) => {
    const { storage, caller } = bridge
    if (caller !== unionContract(storage)) return CODE.unauthorized
    if (!isOpen(storage, 'request')) return CODE.disabled
    const total = lent(storage) + amount
    if (amount === 0n || total > unionCap(storage)) return CODE.invalidValue
    storage.putNumber('union/lent', total)
    bridge.pay(caller, amount)
    bridge.emit('union_coin_requested', { requester: caller, amount })
    return CODE.done
  },

  releaseUnionBridgeCoin: (bridge) => {
    const code = release(bridge)
    // Returns the value if the release fails.
    if (code !== CODE.done) bridge.pay(bridge.caller, bridge.call.value)
    return code
  },

  setUnionBridgeTransferPermissions: (bridge, [requestEnabled, releaseEnabled]) => {
    const { storage, caller } = bridge
    requireAuthorizer(AUTHORIZERS.unionChange, caller)
    const isSame =
      requestEnabled === isOpen(storage, 'request') && releaseEnabled === isOpen(storage, 'release')
    if (!isSame) setPermissions(bridge, caller, { requestEnabled, releaseEnabled })
    return CODE.done
  },

  getSuperEvent: ({ storage }) => storage.bytes(nameOfEvent('super')) ?? EMPTY_BYTES,
  setSuperEvent: (bridge, [event]) => putEvent(bridge, 'super', event),
  clearSuperEvent: (bridge) => putEvent(bridge, 'super'),
  getBaseEvent: ({ storage }) => storage.bytes(nameOfEvent('base')) ?? EMPTY_BYTES,
  setBaseEvent: (bridge, [event]) => putEvent(bridge, 'base', event),
  clearBaseEvent: (bridge) => putEvent(bridge, 'base'),
} satisfies Partial<BridgeHandlers>

function release(bridge: BridgeCall): bigint {
  const { storage, caller } = bridge
  const { value } = bridge.call
  if (caller !== unionContract(storage)) return CODE.unauthorized
  if (!isOpen(storage, 'release')) return CODE.disabled
  // A release of more than was lent closes both directions.
  if (value > lent(storage))
    setPermissions(bridge, BRIDGE_ADDRESS, { requestEnabled: false, releaseEnabled: false })
  if (value === 0n || value > lent(storage)) return CODE.invalidValue
  storage.putNumber('union/lent', lent(storage) - value)
  bridge.emit('union_coin_released', { receiver: caller, amount: value })
  return CODE.done
}

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
