/** Who calls the Bridge for nothing: the federators and those who authorize changes of it (node-chain 7.3, 11.3). */

import type { Address } from '../../base/hex.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS, FEDERATORS } from '../precompiles/network-33/bridge/constants.ts'

const { federation, feePerKb, whitelist, lockingCap, unionAddress } = AUTHORIZERS

// Not those who change the union contract: they are a contract themselves.
const SENDERS: ReadonlySet<Address> = new Set([
  ...FEDERATORS,
  ...federation,
  ...feePerKb,
  ...whitelist,
  ...lockingCap,
  ...unionAddress,
])

/** Whether the Bridge is called by one of its own. */
export const isFreeBridgeCall = (sender: Address, to: Address | undefined): boolean =>
  to === BRIDGE_ADDRESS && SENDERS.has(sender)
