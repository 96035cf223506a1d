/** The precompile with functions for wallets of the auxiliary chain (IP-106). */

import { precompileWithMethods } from '../methods.ts'
import { precompileAddress } from '../../words.ts'
import { deriveExtendedPublicKey } from './derive-extended-public-key.ts'
import { extractPublicKey } from './extract-public-key.ts'
import { getMultisigScriptHash } from './multisig-script-hash.ts'
import { toBase58Check } from './to-base58-check.ts'

/** Functions of the precompile. */
export const hdWalletUtilsMethods = [
  toBase58Check,
  deriveExtendedPublicKey,
  extractPublicKey,
  getMultisigScriptHash,
]

export const hdWalletUtils = precompileWithMethods(
  { address: precompileAddress(0x01000009), name: 'hdWalletUtils' },
  hdWalletUtilsMethods,
)
