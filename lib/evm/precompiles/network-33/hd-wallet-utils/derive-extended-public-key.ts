/** Derives an extended public key along a path (IP-106, BIP-32). */

import { childOf, writeExtendedKey } from '../../../../crypto/extended-key.ts'
import { string } from '../../../../abi/types.ts'
import { precompileMethod } from '../methods.ts'
import { PrecompileFailure } from '../../precompile.ts'
import { extendedPublicKey } from './extended-public-key.ts'

const MAX_LEVELS = 10

/** Highest child number that is not hardened: a public key has no hardened children (BIP-32). */
const MAX_CHILD_NUMBER = 2 ** 31 - 1

/** Derives the key of a path: child numbers below 2^31, separated by slashes. */
export const deriveExtendedPublicKey = precompileMethod({
  name: 'deriveExtendedPublicKey',
  inputs: [string, string],
  output: string,
  gas: () => 107_000,
  run: ([text, path]) => {
    let key = extendedPublicKey(text)
    for (const number of levelsOf(path)) {
      const child = childOf(key, number)
      if (child === undefined)
        throw new PrecompileFailure(`a key of depth ${key.depth} has no child ${number}`)
      key = child
    }
    return writeExtendedKey(key)
  },
})

/** @throws PrecompileFailure */
function levelsOf(path: string): readonly number[] {
  const levels = path.split('/')
  if (levels.length > MAX_LEVELS) {
    throw new PrecompileFailure(`a path of ${levels.length} levels, expected at most ${MAX_LEVELS}`)
  }
  return levels.map((level) => {
    if (/^\d+$/.test(level) && Number(level) <= MAX_CHILD_NUMBER) return Number(level)
    throw new PrecompileFailure(`'${level}' in the path '${path}' is not a number below 2^31`)
  })
}
