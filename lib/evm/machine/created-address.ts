/** Addresses of new contracts (Yellow Paper, section 7; EIP-1014). */

import { bigIntToBytes, fromHex, toAddress, type Address } from '../../base/hex.ts'
import { encodeRlpInPlace } from '../../base/rlp.ts'
import { keccak256 } from '../../crypto/keccak.ts'

/** First byte of the data that CREATE2 hashes (EIP-1014). */
const SALTED = 0xff

/** Address of a contract that CREATE or a transaction creates, from the nonce of the creator before the creation. */
export const createdByNonce = (creator: Address, nonce: bigint): Address =>
  lastTwentyBytes(keccak256(encodeRlpInPlace([fromHex(creator), bigIntToBytes(nonce)])))

/** Address of a contract that CREATE2 creates, from init code and 32 bytes of salt. */
export function createdBySalt(creator: Address, salt: Uint8Array, initCode: Uint8Array): Address {
  const bytes = new Uint8Array(85)
  bytes[0] = SALTED
  bytes.set(fromHex(creator), 1)
  bytes.set(salt, 21)
  bytes.set(keccak256(initCode), 53)
  return lastTwentyBytes(keccak256(bytes))
}

const lastTwentyBytes = (hash: Uint8Array): Address => toAddress(hash.subarray(12))
