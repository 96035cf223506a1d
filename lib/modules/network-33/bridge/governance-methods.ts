/** Methods of the Bridge for fee, locking cap, smallest peg-in and lock whitelist, and their votes (node-chain 10.4, 10.8, 11.3). */

import { bigIntToBytes, equalBytes, type Address } from '../../../base/hex.ts'
import { toBase58Check } from '../../../crypto/base58.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { readAuxAddress } from './aux-address.ts'
import { isAuxAmount } from './aux-transaction.ts'
import type { BridgeHandlers, BridgeCall } from './bridge-call.ts'
import {
  StoredList,
  numberField,
  rawField,
  addressField,
  type BridgeStorage,
  type Stored,
} from './bridge-storage.ts'
import {
  AUTHORIZERS,
  INITIAL_FEE_PER_KB,
  INITIAL_LOCKING_CAP,
  MINIMUM_PEGIN_SAT,
  MAX_FEE_PER_KB,
} from './constants.ts'
import { HeaderChain } from './header-chain.ts'

/** Fee per 1,000 bytes of a transaction of the auxiliary chain, in sat. */
export const feePerKb = (storage: BridgeStorage): bigint => storage.number('feePerKb') ?? INITIAL_FEE_PER_KB

/** Maximum amount of coins that may be in circulation outside of the Bridge, in sat. */
export const lockingCap = (storage: BridgeStorage): bigint =>
  storage.number('lockingCap') ?? INITIAL_LOCKING_CAP

/** Return values of voteFeePerKbChange; `negative` also for a fee of 0. */
const FEE_VOTE = { done: 1n, negative: -1n, excessive: -2n, refused: -10n }

/** Maximum factor by which one call can raise the cap, from the reference node; node-chain does not give it. */
const MAX_CAP_GROWTH = 2n

export const governanceMethods = {
  getFeePerKb: ({ storage }) => feePerKb(storage),

  voteFeePerKbChange: ({ storage, caller }, [fee]) => {
    const election = electionOf(storage, 'feePerKb', AUTHORIZERS.feePerKb)
    if (!isAuxAmount(fee) || !election.mayVote(caller)) return FEE_VOTE.refused
    if (fee <= 0n) return FEE_VOTE.negative
    if (fee > MAX_FEE_PER_KB) return FEE_VOTE.excessive
    if (election.vote({ proposal: bigIntToBytes(fee), voter: caller })) storage.putNumber('feePerKb', fee)
    return FEE_VOTE.done
  },

  getLockingCap: ({ storage }) => lockingCap(storage),
  getMinimumLockTxValue: () => MINIMUM_PEGIN_SAT,

  increaseLockingCap: ({ storage, caller }, [cap]) => {
    if (!isAuxAmount(cap)) throw new PrecompileFailure(`a locking cap of ${cap} sat has more than 64 bits`)
    if (cap <= 0n) throw new PrecompileFailure(`the locking cap must be above zero, not ${cap}`)
    const before = lockingCap(storage)
    if (!AUTHORIZERS.lockingCap.has(caller)) return false
    if (cap < before || cap > before * MAX_CAP_GROWTH) return false
    storage.putNumber('lockingCap', cap)
    return true
  },
} satisfies Partial<BridgeHandlers>

/** Return values of the methods. -1 means that an entry to add exists, or that one to remove does not. */
const CODE = { done: 1n, missing: -1n, present: -1n, badAddress: -2n, unauthorized: -10n }

/** This limit means any amount, any number of times. On the network, a lock uses up an entry with another limit. */
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

  /** Disables the whitelist from the auxiliary chain's current height plus the delay on. */
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

const VOTE = {
  /** The proposal as bytes, equal for equal proposals. */
  proposal: rawField,
  voter: addressField,
}

type Vote = Stored<typeof VOTE>

/** An election that lasts until a proposal has the votes of more than half of the voters. */
export function electionOf(storage: BridgeStorage, name: string, voters: ReadonlySet<Address>) {
  const list = new StoredList(`election/${name}`, VOTE)
  const hasVoted = ({ proposal, voter }: Vote): boolean =>
    list.read(storage).some((vote) => vote.voter === voter && equalBytes(vote.proposal, proposal))
  return {
    mayVote: (voter: Address): boolean => voters.has(voter),
    hasVoted,
    /** Counts a vote. Returns whether the proposal has won, which removes its votes. */
    vote: (vote: Vote): boolean => {
      const votes = [...list.read(storage), ...(hasVoted(vote) ? [] : [vote])]
      const others = votes.filter(({ proposal }) => !equalBytes(proposal, vote.proposal))
      const isWon = votes.length - others.length > voters.size / 2
      list.write(storage, isWon ? others : votes)
      return isWon
    },
    clear: (): void => list.write(storage, []),
  }
}
