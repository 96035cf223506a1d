/** Mining, snapshots, accounts and keys as on the reference node (node-rpc 5.11 and 5.12). */

import { toQuantity } from '../../../base/hex.ts'
import { converted } from '../../../base/routine.ts'
import type { FaithfulChain } from './scope.ts'
import { answering, type FaithfulCall } from './results.ts'
import { refused, serverError } from './values.ts'

/** Mining cannot be stopped. */
export const nothing = (): unknown => null

export const isMining = (): unknown => true

/** The snapshot's id is its position among those that are left. */
export function takeSnapshot(_: FaithfulCall, { snapshots }: FaithfulChain): unknown {
  snapshots.take()
  return toQuantity(snapshots.count)
}

/** Later snapshots are dropped and the pool is emptied; keys and time stay (node-rpc 5.11). */
export function revert({ run, params: [id] }: FaithfulCall, node: FaithfulChain): unknown {
  const snapshot = node.snapshots.all[Number(id) - 1]
  return snapshot === undefined ? false : keepingKeys(node, () => run([toQuantity(snapshot.id)]))
}

export const reset = ({ run }: FaithfulCall, node: FaithfulChain): unknown => keepingKeys(node, run)

function keepingKeys({ keystore, clock, mempool, chain }: FaithfulChain, change: () => unknown): unknown {
  const [keys, time] = [keystore.capture(), clock.capture()]
  return converted(change(), (result) => {
    keystore.restore(keys)
    clock.restore(time)
    mempool.replace([], chain.head.block.header.number)
    return result
  })
}

const NO_KEY = ['unknownAccount', 'lockedAccount', 'wrongPassphrase'] as const

/** A missing key is an error of the node. */
export const withKey = answering(NO_KEY, serverError)

/** A missing account is neither unlocked nor locked. */
export const lock = answering(NO_KEY, ({ kind }) => kind !== 'unknownAccount' && serverError())

/** The sender of a signature. */
export const sign = answering(NO_KEY, () => refused('Account not found'))

/** The accounts without a passphrase, then the miner's, then the others. */
export const listAccounts = (_: FaithfulCall, { keystore, network }: FaithfulChain): unknown => {
  const { accounts } = keystore.capture()
  const others = [...accounts].filter(([address]) => address !== network.coinbase)
  const withPassphrase = ([, account]: (typeof others)[number]) => account.encrypted !== undefined
  const addressesOf = (entries: typeof others) => entries.map(([address]) => address)
  const [own, stored] = [others.filter((entry) => !withPassphrase(entry)), others.filter(withPassphrase)]
  return [...addressesOf(own), network.coinbase, ...addressesOf(stored)]
}
