/** Adapts our functions to the signatures that the EVM library calls (`Common.customCrypto`). */

import { padTo32 } from '../base/hex.ts'
import { asRecovery } from './curve.ts'
import { keccak256 } from './keccak.ts'
import { curve } from './secp256k1.ts'

/** Offset of the parity bit in the `v` of signatures without chain id (Yellow Paper, appendix F). */
const LEGACY_V_OFFSET = 27n

/** Offset of the parity bit, in addition to twice the chain id (EIP-155). */
const EIP155_V_OFFSET = 35n

/**
 * Signs a hash; returns the recovery bit, r and s in 65 bytes, in this order.
 * It ignores the extra entropy that the library requests, because a transaction must have the same hash in every run.
 */
export function ecsign(hash: Uint8Array, privateKey: Uint8Array): Uint8Array<ArrayBuffer> {
  const { r, s, recovery } = curve.sign(hash, privateKey)
  const signature = new Uint8Array(65)
  signature[0] = recovery
  signature.set(r, 1)
  signature.set(s, 33)
  return signature
}

/**
 * Public key of the signer, 64 bytes; `r` and `s` may lack leading zeros.
 * @throws NodeError 'invalidParams' if `v` does not fit the chain id or no key can have made the signature.
 */
// eslint-disable-next-line max-params -- the library's signature
export function ecrecover(
  hash: Uint8Array,
  v: bigint,
  r: Uint8Array,
  s: Uint8Array,
  chainId?: bigint,
): Uint8Array {
  const recovery = asRecovery(parityOf(v, chainId))
  return curve.recover(hash, { r: padTo32(r), s: padTo32(s), recovery })
}

function parityOf(v: bigint, chainId: bigint | undefined): bigint {
  // Typed transactions carry the parity bit itself.
  if (v === 0n || v === 1n) return v
  return chainId === undefined ? v - LEGACY_V_OFFSET : v - (chainId * 2n + EIP155_V_OFFSET)
}

/** The functions under the names of `Common.customCrypto`. */
export const customCrypto = { keccak256, ecsign, ecrecover }
