/** The compiled contracts in fixtures/compiled are what the compiler makes of their sources. */

import { expect, test } from '@jest/globals'
import { allCompiled, compileNow, fileOf, installedSolc } from './support/solc.ts'

test.each(allCompiled())('%s is fresh', (file, { version, input, output }) => {
  expect(file).toBe(fileOf(input, version))
  expect(compileNow(input, installedSolc(version))).toEqual(output)
})
