import { expect, test } from '@jest/globals'
import { environment } from '../../../../lib/modules/network-33/precompiles/block-header.ts'
import { decoded, gasOf, runPrecompile } from '../../../support/precompile-calls.ts'

const GET_DEPTH = '0xe8ce2274'

test.each([
  ['a transaction itself', 0, 1n],
  ['code that a transaction called', 1, 1n],
  ['code that code called', 2, 2n],
  ['the deepest code', 399, 399n],
])('returns the depth of %s', (_caller, depth, answer) => {
  expect(decoded('uint32', runPrecompile(environment, GET_DEPTH, { depth }))).toBe(answer)
})

test('costs nothing', () => {
  expect(gasOf(environment, GET_DEPTH)).toBe(0)
})

test.each(['0x', '0x12345678'])('rejects %s', (input) => {
  expect(() => runPrecompile(environment, input)).toThrow('Invalid data given')
})
