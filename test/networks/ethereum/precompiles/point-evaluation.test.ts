import { expect, test } from '@jest/globals'
import { fromHex } from '../../../../lib/base/hex.ts'
import { pointEvaluation } from '../../../../lib/networks/ethereum/precompiles/precompiles.ts'
import { precompileCall, runPrecompile } from '../../../support/precompile-calls.ts'

/** The input of go-ethereum's test. */
const INPUT =
  '0x01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b' +
  '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306' +
  '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1' +
  '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7' +
  '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a'

test('a valid proof returns the length of a blob and the modulus', () => {
  expect(runPrecompile(pointEvaluation, INPUT)).toBe(
    `0x${(4096).toString(16).padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`,
  )
  expect(pointEvaluation.gas(precompileCall(fromHex(INPUT)))).toBe(50_000)
})

test.each([
  ['an input that is too short', INPUT.slice(0, -2), 'invalid input length'],
  ['another version', INPUT.replace('0x01', '0x02'), 'kzg commitment does not match versioned hash'],
  ['another value', INPUT.replace('24d25032', '24d25033'), 'kzg proof invalid'],
])('%s is rejected', (_what, input, message) => {
  expect(() => runPrecompile(pointEvaluation, input)).toThrow(message)
})
