/** Signs messages and typed data as wallets do. Transactions are signed in evm/codec.ts. */

import { toHex, type Address, type Hex } from '../base/hex.ts'
import { recoverAddress } from '../crypto/address.ts'
import { asRecovery } from '../crypto/curve.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { curve } from '../crypto/secp256k1.ts'

/** Signs a hash: r, s and v (27 or 28), 65 bytes. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Hex {
  const { r, s, recovery } = curve.sign(hash, privateKey)
  return toHex(Buffer.concat([r, s, Uint8Array.of(27 + recovery)]))
}

/** The hash to sign for a message. With the prefix a signed message cannot be a signed transaction (EIP-191, version 0x45). */
export function messageHash(message: Uint8Array): Uint8Array {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`)
  return keccak256(Buffer.concat([prefix, message]))
}

/**
 * Recovers the account that signed a hash from the 65 bytes of `signHash`. `v` is 27 or 28, or 0 or 1 as some wallets write.
 * @throws NodeError 'invalidParams' if no key can have made the signature
 */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array): Address {
  const v = signature[64] ?? 0
  const recovery = asRecovery(v >= 27 ? v - 27 : v)
  return recoverAddress(hash, { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery })
}
