/** Writes a hash as an address of the auxiliary chain (IP-106). */

import { toHex } from '../../../../base/hex.ts'
import { toBase58Check as write } from '../../../../crypto/base58.ts'
import { bytes, int256, string } from '../../../../abi/types.ts'
import { precompileMethod } from '../methods.ts'
import { PrecompileFailure } from '../../precompile.ts'

const HASH_BYTES = 20

/** Encodes the version byte, the hash and a checksum in base 58. */
export const toBase58Check = precompileMethod({
  name: 'toBase58Check',
  inputs: [bytes, int256],
  output: string,
  gas: () => 13_000,
  run: ([hash, version]) => {
    if (hash.length !== HASH_BYTES) {
      throw new PrecompileFailure(`hash ${toHex(hash)} has ${hash.length} bytes, expected ${HASH_BYTES}`)
    }
    if (version < 0n || version > 255n) {
      throw new PrecompileFailure(`version ${version} is not between 0 and 255`)
    }
    return write(Uint8Array.of(Number(version), ...hash))
  },
})
