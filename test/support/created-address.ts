/** Computes addresses of created contracts independently of the engine. */

import { getContractAddress } from 'viem'
import { asAddress } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'

/** Address of the contract that a transaction of the sender creates (Yellow Paper, 7). */
export function createContractAddress(from: Address, nonce: bigint): Address {
  return asAddress(getContractAddress({ from, nonce }))
}
