/** Reads the extended public key in an argument. */

import { parseExtendedKey } from '../../../../crypto/extended-key.ts'
import type { ExtendedKey } from '../../../../crypto/extended-key.ts'
import { PrecompileFailure } from '../../precompile.ts'

/** Maximum characters of a text in an error. */
const MAX_SHOWN = 120

/** Parses an extended public key. @throws PrecompileFailure */
export function extendedPublicKey(text: string): ExtendedKey {
  const key = parseExtendedKey(text)
  if (key === undefined)
    throw new PrecompileFailure(`'${text.slice(0, MAX_SHOWN)}' is not an extended public key`)
  return key
}
