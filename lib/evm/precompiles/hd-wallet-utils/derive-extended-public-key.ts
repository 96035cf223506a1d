/** Derives an extended public key along a path (IP-106). */

import { childOf, writeExtendedKey } from '../../../crypto/extended-key.ts'
import { string } from '../../../abi/types.ts'
import { nativeMethod } from '../methods.ts'
import { NativeFailure } from '../native-contract.ts'
import { extendedPublicKey } from './extended-public-key.ts'

const MOST_LEVELS = 10

/** A number of a child that a public key can derive. */
const MOST_NUMBER = 2 ** 31 - 1

/** The key at the end of the path: numbers below 2^31 with slashes between them. */
export const deriveExtendedPublicKey = nativeMethod({
  name: 'deriveExtendedPublicKey',
  inputs: [string, string],
  output: string,
  gas: () => 107_000,
  run: ([text, path]) => {
    let key = extendedPublicKey(text)
    for (const number of levelsOf(path)) {
      const child = childOf(key, number)
      if (child === undefined) throw new NativeFailure(`a key of depth ${key.depth} has no child ${number}`)
      key = child
    }
    return writeExtendedKey(key)
  },
})

/** @throws NativeFailure */
function levelsOf(path: string): readonly number[] {
  const levels = path.split('/')
  if (levels.length > MOST_LEVELS) {
    throw new NativeFailure(`a path of ${levels.length} levels, expected at most ${MOST_LEVELS}`)
  }
  return levels.map((level) => {
    if (/^\d+$/.test(level) && Number(level) <= MOST_NUMBER) return Number(level)
    throw new NativeFailure(`'${level}' in the path '${path}' is no number below 2^31`)
  })
}
