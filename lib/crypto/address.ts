/** Derives addresses from keys and signatures. */

import { addressIn, type Address } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import type { Signature } from './curve.ts'
import { keccak256 } from './keccak.ts'
import { curve } from './secp256k1.ts'

/** Address of a 64-byte public key: the last 20 bytes of its hash (Yellow Paper, appendix F). */
export function addressOfPublicKey(publicKey: Uint8Array): Address {
  if (publicKey.length !== 64) throw new InvariantError(`a public key has 64 bytes, not ${publicKey.length}`)
  return addressIn(keccak256(publicKey))
}

/** Address of the account that a private key controls. @throws NodeError 'invalidParams' if the key is invalid. */
export const addressOfPrivateKey = (privateKey: Uint8Array): Address =>
  addressOfPublicKey(curve.publicKey(privateKey))

/** Address of the account that signed the hash. @throws NodeError 'invalidParams' if no key can have signed it. */
export const recoverAddress = (hash: Uint8Array, signature: Signature): Address =>
  addressOfPublicKey(curve.recover(hash, signature))
