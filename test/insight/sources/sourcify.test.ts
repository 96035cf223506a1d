import { describe, expect, test } from '@jest/globals'
import { readCode, isSameCode } from '../../../lib/insight/artifacts/code.ts'
import { readSourcify } from '../../../lib/insight/sources/sourcify.ts'
import { chainCode, compileProject } from '../../support/artifact-projects.ts'
import { sourcifyAnswer } from '../../support/source-providers.ts'

const project = compileProject()

test('places of libraries, for which the answer has zeros, may have addresses', () => {
  const path = 'contracts/Factory.sol'
  const answer = sourcifyAnswer(project, path, 'Factory')
  const { evm } = project.output.contracts[path]!['Factory']!
  expect(evm.deployedBytecode.object).toMatch(/__\$/)
  expect(JSON.stringify(answer)).not.toMatch(/__\$/)
  const { object }: any = (readSourcify(answer)!.output!.contracts[path]!['Factory'] as any).evm
    .deployedBytecode
  expect(isSameCode(chainCode(evm.deployedBytecode), readCode(object, 'runtime')!)).toBe(true)
})

describe('no contract', () => {
  test.each([
    ['that is not verified', { match: null, chainId: '1', address: `0x${'1b'.repeat(20)}` }],
    [
      'of a chain that Sourcify does not know',
      { customCode: 'unsupported_chain', message: 'x', errorId: 'y' },
    ],
  ])('%s', (_case, answer) => {
    expect(readSourcify(answer)).toBeUndefined()
  })
})

test.each([
  [null],
  [[]],
  ['text'],
  [{}],
  [{ match: 'match' }],
  [{ customCode: 'internal_error' }],
  [
    {
      ...sourcifyAnswer(project, 'contracts/Counter.sol', 'Counter'),
      stdJsonOutput: { sources: {}, contracts: {} },
    },
  ],
])('the answer %# has another form', (answer) => {
  expect(() => readSourcify(answer)).toThrow(/^its answer has another form: /)
})
