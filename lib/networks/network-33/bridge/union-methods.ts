/**
 * Methods of the Bridge for the union contract, which borrows coins from it (node-chain 10.4, 10.8, 11.3). Terms: bridge.ts.
 */

import type { Address } from '../../../base/hex.ts'
import { ZERO_ADDRESS, fromHex, toAddress } from '../../../base/hex.ts'
import { address, bool, int256, uint256 } from '../../../abi/types.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { AUTHORIZERS, INITIAL_UNION_CAP } from './constants.ts'
import { BRIDGE_EVENTS } from './events.ts'
import { bridgeMethod } from './method.ts'

/** Return values of the methods. */
const CODE = { done: 0n, unauthorized: -1n, invalidValue: -2n, disabled: -3n }

/** Directions of transfers. */
type Direction = 'request' | 'release'

/** Address of the union contract, if it is set. */
export function unionContract(storage: BridgeStorage): Address | undefined {
  const stored = storage.bytes('union/address')
  return stored === undefined ? undefined : toAddress(stored)
}

const unionCap = (storage: BridgeStorage): bigint => storage.number('union/cap') ?? INITIAL_UNION_CAP

/** Wei that the union contract has borrowed and not returned. */
const lent = (storage: BridgeStorage): bigint => storage.number('union/lent') ?? 0n

// Both directions are initially open.
const isOpen = (storage: BridgeStorage, direction: Direction): boolean =>
  storage.number(`union/${direction}`) !== 0n

const setAddress = bridgeMethod({
  selector: '0xcc55d66f',
  name: 'setUnionBridgeContractAddressForTestnet',
  inputs: [address],
  output: int256,
  gas: 8_000,
  run: ({ storage, caller }, [contract]) => {
    if (!AUTHORIZERS.unionAddress.has(caller)) return CODE.unauthorized
    if (contract === ZERO_ADDRESS || contract === unionContract(storage)) return CODE.invalidValue
    storage.putBytes('union/address', fromHex(contract))
    return CODE.done
  },
})

const getAddress = bridgeMethod({
  selector: '0xd3af747c',
  name: 'getUnionBridgeContractAddress',
  inputs: [],
  output: address,
  gas: 3_000,
  mutability: 'view',
  run: ({ storage }) => unionContract(storage) ?? ZERO_ADDRESS,
})

const getCap = bridgeMethod({
  selector: '0x33e08fed',
  name: 'getUnionBridgeLockingCap',
  inputs: [],
  output: uint256,
  gas: 3_000,
  mutability: 'view',
  run: ({ storage }) => unionCap(storage),
})

const increaseCap = bridgeMethod({
  selector: '0xa57a0ada',
  name: 'increaseUnionBridgeLockingCap',
  inputs: [uint256],
  output: int256,
  gas: 8_000,
  run: (bridge, [cap]) => {
    const { storage, caller } = bridge
    if (!AUTHORIZERS.unionChange.has(caller)) return CODE.unauthorized
    const before = unionCap(storage)
    if (cap <= before) return CODE.invalidValue
    storage.putNumber('union/cap', cap)
    bridge.emit(BRIDGE_EVENTS.unionLockingCapIncreased, [caller], [before, cap])
    return CODE.done
  },
})

const requestCoin = bridgeMethod({
  selector: '0x5521647a',
  name: 'requestUnionBridgeCoin',
  inputs: [uint256],
  output: int256,
  gas: 8_000,
  run: (bridge, [amount]) => {
    const { storage, caller } = bridge
    if (caller !== unionContract(storage)) return CODE.unauthorized
    if (!isOpen(storage, 'request')) return CODE.disabled
    const total = lent(storage) + amount
    if (amount === 0n || total > unionCap(storage)) return CODE.invalidValue
    storage.putNumber('union/lent', total)
    bridge.pay(caller, amount)
    bridge.emit(BRIDGE_EVENTS.unionCoinRequested, [caller], [amount])
    return CODE.done
  },
})

const releaseCoin = bridgeMethod({
  selector: '0x430462a8',
  name: 'releaseUnionBridgeCoin',
  inputs: [],
  output: int256,
  gas: 8_000,
  mutability: 'payable',
  run: (bridge) => {
    const code = release(bridge)
    // Returns the value if the release fails.
    if (code !== CODE.done) bridge.pay(bridge.caller, bridge.call.value)
    return code
  },
})

function release(bridge: BridgeCall): bigint {
  const { storage, caller } = bridge
  const { value } = bridge.call
  if (caller !== unionContract(storage)) return CODE.unauthorized
  if (!isOpen(storage, 'release')) return CODE.disabled
  if (value === 0n || value > lent(storage)) return CODE.invalidValue
  storage.putNumber('union/lent', lent(storage) - value)
  bridge.emit(BRIDGE_EVENTS.unionCoinReleased, [caller], [value])
  return CODE.done
}

const setPermissions = bridgeMethod({
  selector: '0x5fcc6d24',
  name: 'setUnionBridgeTransferPermissions',
  inputs: [bool, bool],
  output: int256,
  gas: 8_000,
  run: (bridge, [requests, releases]) => {
    const { storage, caller } = bridge
    if (!AUTHORIZERS.unionChange.has(caller)) return CODE.unauthorized
    storage.putNumber('union/request', requests ? 1n : 0n)
    storage.putNumber('union/release', releases ? 1n : 0n)
    bridge.emit(BRIDGE_EVENTS.unionPermissionsUpdated, [caller], [requests, releases])
    return CODE.done
  },
})

export const unionMethods = [
  setAddress,
  getAddress,
  getCap,
  increaseCap,
  requestCoin,
  releaseCoin,
  setPermissions,
]
