/** Methods of the Bridge for fee, locking cap and smallest peg-in (node-chain 10.4, 10.8, 11.3). Terms: bridge.ts. */

import { bigIntToBytes } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeHandlers } from './bridge-call.ts'
import { isAuxAmount } from './aux-encoding.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import {
  AUTHORIZERS,
  INITIAL_FEE_PER_KB,
  INITIAL_LOCKING_CAP,
  MINIMUM_PEGIN_SAT,
  MAX_FEE_PER_KB,
} from './constants.ts'
import { electionOf } from './election.ts'

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
