/** Addresses of the auxiliary regtest chain, which belong to a key or a script. */

import { equalBytes } from '../../../base/hex.ts'
import { fromBase58Check, toBase58Check } from '../../../crypto/base58.ts'
import { hash160 } from '../../../crypto/ripemd160.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import { KEY_ADDRESS_VERSION, SCRIPT_ADDRESS_VERSION, scriptHashOutput } from './federation.ts'

/** Length in bytes of a version and a hash. */
const ADDRESS_BYTES = 21

/** Version and hash of an address; absent if the text is not an address of this chain. */
export function readAuxAddress(text: string): Uint8Array | undefined {
  const payload = fromBase58Check(text)
  return payload !== undefined && isAuxAddress(payload) ? payload : undefined
}

/** Whether bytes are the version and the hash of an address. */
export const isAuxAddress = ({ length, 0: version }: Uint8Array): boolean =>
  length === ADDRESS_BYTES && (version === KEY_ADDRESS_VERSION || version === SCRIPT_ADDRESS_VERSION)

/** Address of a public key, which is given as x and y (64 bytes). */
export const addressOfKey = (key: Uint8Array): string =>
  toBase58Check(Uint8Array.of(KEY_ADDRESS_VERSION, ...hash160(curve.encodePoint(key))))

/** The script that pays an address. */
export function outputScript(address: Uint8Array): Uint8Array {
  const hash = address.subarray(1)
  if (address[0] === SCRIPT_ADDRESS_VERSION) return scriptHashOutput(hash)
  // DUP HASH160 <hash> EQUALVERIFY CHECKSIG
  return Uint8Array.of(0x76, 0xa9, hash.length, ...hash, 0x88, 0xac)
}

/** The address that a script pays; absent if it is not the script of an address. */
export function addressOfScript(script: Uint8Array): string | undefined {
  const paid = [
    Uint8Array.of(SCRIPT_ADDRESS_VERSION, ...script.subarray(2, -1)),
    Uint8Array.of(KEY_ADDRESS_VERSION, ...script.subarray(3, -2)),
  ].find((address) => isAuxAddress(address) && equalBytes(outputScript(address), script))
  return paid && toBase58Check(paid)
}
