/** Accounts and keys as the reference node answers them (node-rpc 5.12). */

import type { Node } from '../../node/node.ts'
import { answering, type FaithfulCall } from './results.ts'
import { refused, serverError } from './values.ts'

const NO_KEY = ['unknownAccount', 'lockedAccount', 'wrongPassphrase'] as const

/** A key that is not there is an error of the node. */
export const withKey = answering(NO_KEY, serverError)

/** An account that is not there is not unlocked and not locked. */
export const lock = answering(NO_KEY, ({ kind }) => kind !== 'unknownAccount' && serverError())

/** The sender of a signature. */
export const sign = answering(NO_KEY, () => refused('Account not found'))

/** The accounts without a passphrase, the miner's, then the others. */
export const list = (_: FaithfulCall, { keystore, network }: Node): unknown => {
  const { accounts } = keystore.capture()
  const others = [...accounts].filter(([address]) => address !== network.coinbase)
  const withPassphrase = ([, account]: (typeof others)[number]) => account.encrypted !== undefined
  const addressesOf = (entries: typeof others) => entries.map(([address]) => address)
  const [own, stored] = [others.filter((entry) => !withPassphrase(entry)), others.filter(withPassphrase)]
  return [...addressesOf(own), network.coinbase, ...addressesOf(stored)]
}
