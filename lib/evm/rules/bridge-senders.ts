/** Senders whose calls of the Bridge are free: federators and change authorizers (node-chain 7.3, 11.3). */

import type { Address } from '../../base/hex.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS, FEDERATORS } from '../precompiles/network-33/bridge/constants.ts'

const { federation, feePerKb, whitelist, lockingCap, unionAddress } = AUTHORIZERS

// Not the authorizer of the union contract, which is a contract and sends no transactions.
const SENDERS: ReadonlySet<Address> = new Set([
  ...FEDERATORS,
  ...federation,
  ...feePerKb,
  ...whitelist,
  ...lockingCap,
  ...unionAddress,
])

/** Whether a transaction is a free call of the Bridge. */
export const isFreeBridgeCall = (sender: Address, to: Address | undefined): boolean =>
  to === BRIDGE_ADDRESS && SENDERS.has(sender)
