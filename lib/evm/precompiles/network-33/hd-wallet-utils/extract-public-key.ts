/** Extracts the public key of an extended public key (IP-106). */

import { curve } from '../../../../crypto/secp256k1.ts'
import { bytes, string } from '../../../../abi/types.ts'
import { precompileMethod } from '../methods.ts'
import { extendedPublicKey } from './extended-public-key.ts'

/** Returns the compressed public key: 33 bytes. */
export const extractPublicKey = precompileMethod({
  name: 'extractPublicKeyFromExtendedPublicKey',
  inputs: [string],
  output: bytes,
  gas: () => 11_300,
  run: ([text]) => curve.encodePoint(extendedPublicKey(text).point),
})
