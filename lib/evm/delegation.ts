/** The code of a delegated account: a prefix and the address whose code runs instead (EIP-7702). */

import { fromHex, toAddress, type Address } from '../base/hex.ts'

const PREFIX = [0xef, 0x01, 0x00] as const

/** Length of the prefix and the address in bytes. */
const LENGTH = 23

export const encodeDelegation = (to: Address): Uint8Array => Uint8Array.of(...PREFIX, ...fromHex(to))

/** The address in a delegation; absent for other code (geth, ParseDelegation). */
export function delegationOf(code: Uint8Array): Address | undefined {
  const isDelegation =
    code.length === LENGTH && code[0] === PREFIX[0] && code[1] === PREFIX[1] && code[2] === PREFIX[2]
  return isDelegation ? toAddress(code.subarray(PREFIX.length)) : undefined
}

/**
 * Whether an account with this code can send transactions: it has no code (EIP-3607), or only a delegation to another account
 * (EIP-7702).
 */
export const isExternallyOwned = (code: Uint8Array): boolean =>
  code.length === 0 || delegationOf(code) !== undefined
