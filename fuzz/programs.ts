/** Byte code to deploy, call and damage: random programs, and programs that are expensive for their gas. */

import fc from 'fast-check'
import { PRECOMPILE_INPUTS } from '../bench/precompile-inputs.ts'
import { toHex } from '../lib/base/hex.ts'
import { anyProgram } from '../test/support/random-programs.ts'
import { anyNoise, anyStraightProgram } from '../test/support/random-words.ts'
import { rulesOf } from '../test/support/machine-runs.ts'
import type { Choices } from './choices.ts'

/** Programs that use much time, memory or depth. */
export const EXPENSIVE: Readonly<Record<string, string>> = {
  loop: '0x5b600056',
  'calls itself twice': `0x${'60006000600060006000305af150'.repeat(2)}`,
  'creates itself': '0x5b3860006000393860006000f050600056',
  'grows memory': '0x5b595952600056',
  'hashes a megabyte': '0x5b62100000600020506000565b',
  'writes storage': '0x5b5a5a55600056',
  'logs 60 kB': '0x5b61f0006000a0600056',
  'copies its code': '0x5b61f00060006000396000565b',
  'returns a megabyte': '0x621000006000f3',
  'reverts with a megabyte': '0x621000006000fd',
  'reads cold storage': '0x5b5a5450600056',
  'reads cold balances': '0x5b5a3150600056',
  'reads cold code': '0x5b5a3b50600056',
  'raises to powers': `0x5b7f${'ff'.repeat(32)}7f${'fe'.repeat(32)}0a50600056`,
  'multiplies by a modulus': `0x5b7f${'ff'.repeat(31)}fd7f${'fe'.repeat(32)}7f${'ff'.repeat(32)}0950600056`,
  'hashes a word': '0x5b602060002050600056',
  'calls an account without code': '0x5b600060006000600060005a5af150600056',
  'reads blocks': '0x5b43600190034050600056',
  'destroys itself': '0x30ff',
  'init code of 24 kB': '0x6160006000f3',
}

/** Code that calls a precompile with call data as the input, in a loop. */
export const callsPrecompile = (address: number): string =>
  `0x3660006000375b6000600036600060${address.toString(16).padStart(2, '0')}5afa50600656`

/** Programs and inputs of a seed, as hex. */
export function programsOf(seed: number, count: number): readonly string[] {
  const options = { seed, numRuns: count }
  const random = [
    ...fc.sample(anyProgram('prague'), options),
    ...fc.sample(anyProgram('london'), options),
    ...fc.sample(anyStraightProgram(rulesOf('osaka')), options),
    ...fc.sample(anyNoise, options),
  ]
  const precompiles = Array.from({ length: 0x12 }, (_, index) => callsPrecompile(index + 1))
  const inputs = PRECOMPILE_INPUTS.map(({ input }) => toHex(input)).filter((input) => input.length < 4000)
  return [...random.map(toHex), ...inputs, ...precompiles, ...Object.values(EXPENSIVE)]
}

/** The same bytes with changes: flipped, cut, doubled, or longer. */
export function damaged(bytes: string, choices: Choices): string {
  const digits = bytes.slice(2)
  const at = 2 * choices.draw(digits.length / 2 + 1)
  const byte = choices.draw(256).toString(16).padStart(2, '0')
  return choices.any<() => string>([
    () => `0x${digits.slice(0, at)}${byte}${digits.slice(at + 2)}`,
    () => `0x${digits.slice(0, at)}${byte}${digits.slice(at)}`,
    () => `0x${digits.slice(0, at)}`,
    () => `0x${digits.slice(at)}`,
    () => `0x${digits}${digits.slice(at)}`,
  ])()
}
