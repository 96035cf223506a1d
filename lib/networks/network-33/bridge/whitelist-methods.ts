/**
 * Methods of the lock whitelist: addresses of the auxiliary chain that may lock coins (node-chain 10.4, 10.8). The node keeps
 * the list and does not enforce it. Terms: bridge.ts.
 */

import { bigIntToBytes, bytesToBigInt, toHex } from '../../../base/hex.ts'
import { toBase58Check } from '../../../crypto/base58.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { readAuxAddress } from './aux-address.ts'
import type { BridgeCall } from './bridge-call.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { AUTHORIZERS } from './constants.ts'
import { HeaderChain } from './header-chain.ts'
import type { BridgeHandlers } from './method-table.ts'

/**
 * Return values of the methods; each uses some of them. -1 means both that an added entry exists and that a removed one does
 * not.
 */
const CODE = { done: 1n, missing: -1n, present: -1n, badAddress: -2n, unauthorized: -10n }

/** Limit that means any amount, any number of times. On the network, a lock uses up an entry with another limit. */
const UNLIMITED = 0n

/** An entry of the list. */
interface Entry {
  /** Version and hash. */
  readonly address: Uint8Array
  readonly maxSat: bigint
}

function entries(storage: BridgeStorage): readonly Entry[] {
  return listOf(storage.record('whitelist')).map((item) => {
    const [address, maxSat] = listOf(item)
    return { address: bytesOf(address), maxSat: bytesToBigInt(bytesOf(maxSat)) }
  })
}

function putEntries(storage: BridgeStorage, list: readonly Entry[]): void {
  storage.putRecord(
    'whitelist',
    list.length === 0 ? undefined : list.map(({ address, maxSat }) => [address, bigIntToBytes(maxSat)]),
  )
}

const hasAddress = (address: Uint8Array) => (entry: Entry) => toHex(entry.address) === toHex(address)

function add({ storage, caller }: BridgeCall, text: string, maxSat: bigint): bigint {
  if (!AUTHORIZERS.whitelist.has(caller)) return CODE.unauthorized
  const address = readAuxAddress(text)
  if (address === undefined) return CODE.badAddress
  const list = entries(storage)
  if (list.some(hasAddress(address))) return CODE.present
  putEntries(storage, [...list, { address, maxSat }])
  return CODE.done
}

/** Return values of setting the delay: done, already set, or not above zero. */
const DELAY = { done: 1n, alreadySet: -1n, notPositive: -2n }

export const whitelistMethods = {
  addOneOffLockWhitelistAddress: (bridge, [text, maxSat]) => {
    if (maxSat <= 0n) throw new PrecompileFailure(`the maximum to lock must be above zero, not ${maxSat}`)
    return add(bridge, text, maxSat)
  },

  addUnlimitedLockWhitelistAddress: (bridge, [text]) => add(bridge, text, UNLIMITED),

  removeLockWhitelistAddress: ({ storage, caller }, [text]) => {
    if (!AUTHORIZERS.whitelist.has(caller)) return CODE.unauthorized
    const address = readAuxAddress(text)
    if (address === undefined) return CODE.badAddress
    const list = entries(storage)
    const rest = list.filter((entry) => !hasAddress(address)(entry))
    if (rest.length === list.length) return CODE.missing
    putEntries(storage, rest)
    return CODE.done
  },

  /** Disables the whitelist from the current height of the auxiliary chain plus the delay on. */
  setLockWhitelistDisableBlockDelay: ({ storage, caller }, [delay]) => {
    if (!AUTHORIZERS.whitelist.has(caller)) return CODE.unauthorized
    if (storage.number('whitelist/disabledAt') !== undefined) return DELAY.alreadySet
    if (delay <= 0n) return DELAY.notPositive
    storage.putNumber('whitelist/disabledAt', new HeaderChain(storage).best.height + delay)
    return DELAY.done
  },

  getLockWhitelistSize: ({ storage }) => BigInt(entries(storage).length),

  getLockWhitelistAddress: ({ storage }, [index]) => {
    const entry = entries(storage).find((_, position) => BigInt(position) === index)
    return entry === undefined ? '' : toBase58Check(entry.address)
  },

  getLockWhitelistEntryByAddress: ({ storage }, [text]) => {
    const address = readAuxAddress(text)
    if (address === undefined) return CODE.badAddress
    return entries(storage).find(hasAddress(address))?.maxSat ?? CODE.missing
  },
} satisfies Partial<BridgeHandlers>
