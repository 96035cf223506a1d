/** Reads an extended public key that a contract was given. */

import { parseExtendedKey } from '../../../../crypto/extended-key.ts'
import type { ExtendedKey } from '../../../../crypto/extended-key.ts'
import { PrecompileFailure } from '../../precompile.ts'

/** Characters of a text that is shown in an error. */
const SHOWN = 120

/** The key that the text writes. @throws NativeFailure */
export function extendedPublicKey(text: string): ExtendedKey {
  const key = parseExtendedKey(text)
  if (key === undefined) throw new PrecompileFailure(`'${text.slice(0, SHOWN)}' is no extended public key`)
  return key
}
