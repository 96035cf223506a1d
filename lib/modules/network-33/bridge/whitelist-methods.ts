/**
 * Methods of the lock whitelist: addresses of the auxiliary chain that may lock coins (node-chain 10.4, 10.8). The node keeps
 * the list and does not enforce it. Terms: bridge.ts.
 */

import { equalBytes } from '../../../base/hex.ts'
import { toBase58Check } from '../../../crypto/base58.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { readAuxAddress } from './aux-address.ts'
import { isAuxAmount } from './aux-encoding.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { AUTHORIZERS } from './constants.ts'
import { HeaderChain } from './header-chain.ts'
import { StoredList, numberField, rawField } from './stored-list.ts'

/**
 * Return values of the methods; each uses some of them. -1 means both that an added entry exists and that a removed one does
 * not.
 */
const CODE = { done: 1n, missing: -1n, present: -1n, badAddress: -2n, unauthorized: -10n }

/** Limit that means any amount, any number of times. On the network, a lock uses up an entry of the other kind. */
const UNLIMITED = 0n

/** Entries of the list: version and hash of an address, and the limit. */
const ENTRIES = new StoredList('whitelist', { address: rawField, maxSat: numberField })

const hasAddress = (address: Uint8Array) => (entry: { readonly address: Uint8Array }) =>
  equalBytes(entry.address, address)

export const whitelistMethods = {
  addOneOffLockWhitelistAddress: (bridge, [text, maxSat]) => add(bridge, text, maxSat),

  addUnlimitedLockWhitelistAddress: (bridge, [text]) => add(bridge, text, UNLIMITED),

  removeLockWhitelistAddress: ({ storage, caller }, [text]) => {
    if (!AUTHORIZERS.whitelist.has(caller)) return CODE.unauthorized
    const address = readAuxAddress(text)
    if (address === undefined) return CODE.badAddress
    const list = ENTRIES.read(storage)
    const rest = list.filter((entry) => !hasAddress(address)(entry))
    if (rest.length === list.length) return CODE.missing
    ENTRIES.write(storage, rest)
    return CODE.done
  },

  /** Disables the whitelist from the current height of the auxiliary chain plus the delay on. */
  setLockWhitelistDisableBlockDelay: ({ storage, caller }, [delay]) => {
    if (!AUTHORIZERS.whitelist.has(caller)) return CODE.unauthorized
    if (storage.number('whitelist/disabledAt') !== undefined) return DELAY.alreadySet
    if (BigInt.asIntN(32, delay) !== delay)
      throw new PrecompileFailure(`a delay of ${delay} blocks exceeds 32 bits`)
    if (delay <= 0n) return DELAY.notPositive
    storage.putNumber('whitelist/disabledAt', new HeaderChain(storage).best.height + delay)
    return DELAY.done
  },

  getLockWhitelistSize: ({ storage }) => BigInt(ENTRIES.read(storage).length),

  getLockWhitelistAddress: ({ storage }, [index]) => {
    const entry = ENTRIES.read(storage).find((_, position) => BigInt(position) === index)
    return entry === undefined ? '' : toBase58Check(entry.address)
  },

  getLockWhitelistEntryByAddress: ({ storage }, [text]) => {
    const address = readAuxAddress(text)
    return (address && ENTRIES.read(storage).find(hasAddress(address))?.maxSat) ?? CODE.missing
  },
} satisfies Partial<BridgeHandlers>

function add({ storage, caller }: BridgeCall, text: string, maxSat: bigint): bigint {
  const address = readAuxAddress(text)
  if (address === undefined) return CODE.badAddress
  if (!isAuxAmount(maxSat)) throw new PrecompileFailure(`a maximum of ${maxSat} sat has more than 64 bits`)
  if (!AUTHORIZERS.whitelist.has(caller)) return CODE.unauthorized
  const list = ENTRIES.read(storage)
  if (list.some(hasAddress(address))) return CODE.present
  if (maxSat < 0n) throw new PrecompileFailure(`a negative maximum to lock: ${maxSat} sat`)
  ENTRIES.write(storage, [...list, { address, maxSat }])
  return CODE.done
}

/** Return values of setting the delay: done, already set, or not above zero. */
const DELAY = { done: 1n, alreadySet: -1n, notPositive: -2n }
