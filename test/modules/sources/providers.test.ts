import { describe, expect, test } from '@jest/globals'
import { readSourcify } from '../../../lib/modules/sources/remote-sources.ts'
import { compileProject } from '../../support/artifact-projects.ts'
import { sourcifyAnswer } from './source-providers.ts'

const project = compileProject()

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
      stdJsonInput: { sources: [] },
    },
  ],
])('the answer %# has another form', (answer) => {
  expect(() => readSourcify(answer)).toThrow(/^its answer has another form: /)
})
