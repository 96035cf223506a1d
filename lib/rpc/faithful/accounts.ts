/** Accounts and keys as the reference node answers them (node-rpc 5.12). */

import { recovered } from '../../base/routine.ts'
import type { Node } from '../../node/node.ts'
import { hasKind, type FaithfulCall } from './results.ts'
import { refused, serverError } from './values.ts'

const NO_KEY = ['unknownAccount', 'lockedAccount', 'wrongPassphrase'] as const

/** A key that is not there is an error of the node. */
export const withKey = ({ run }: FaithfulCall): unknown =>
  recovered(run, (error) => {
    throw hasKind(error, NO_KEY) ? serverError() : error
  })

/** An account that is not there is not unlocked and not locked. */
export const lock = ({ run }: FaithfulCall): unknown =>
  recovered(run, (error) => {
    if (hasKind(error, ['unknownAccount'])) return false
    throw hasKind(error, NO_KEY) ? serverError() : error
  })

/** The sender of a signature. */
export const sign = ({ run }: FaithfulCall): unknown =>
  recovered(run, (error) => {
    throw hasKind(error, NO_KEY) ? refused('Account not found') : error
  })

/** The accounts without a passphrase, the miner's, then the others. */
export const list = (_: FaithfulCall, { keystore, network }: Node): unknown => {
  const { accounts } = keystore.capture()
  const others = [...accounts].filter(([address]) => address !== network.coinbase)
  const withPassphrase = ([, account]: (typeof others)[number]) => account.encrypted !== undefined
  const addressesOf = (entries: typeof others) => entries.map(([address]) => address)
  const [own, stored] = [others.filter((entry) => !withPassphrase(entry)), others.filter(withPassphrase)]
  return [...addressesOf(own), network.coinbase, ...addressesOf(stored)]
}
