/** The compiled contracts in fixtures/compiled are what the compiler makes of their sources. */

import { expect, test } from '@jest/globals'
import { allCompiled, compileNow, fileOf, installedSolc } from './support/solc.ts'
import type { SolcInput } from './support/solc.ts'

/** The same input without a contract's code, which takes nine tenths of the time. Yul has no other outputs. */
function withoutCode(input: SolcInput): SolcInput {
  if (input.language === 'Yul') return input
  const files = Object.keys(input.settings.outputSelection)
  const outputSelection = Object.fromEntries(files.map((file) => [file, { '*': ['abi', 'metadata'] }]))
  return { ...input, settings: { ...input.settings, outputSelection } }
}

// Metadata have the version of the compiler, the settings and the hashes of all sources, imported ones too: all that code depends on.
test.each(allCompiled())('%s is fresh', (file, { version, input, output }) => {
  expect(file).toBe(fileOf(input, version))
  const { contracts } = compileNow(withoutCode(input), installedSolc(version))
  expect(output.contracts).toMatchObject(contracts)
})
