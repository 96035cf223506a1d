/** Values of the debugger compared with those that the code itself reports; corpus.slow.test.ts has all pipelines. */

import { expect, test } from '@jest/globals'
import { NEWEST, compiled } from '../../support/solc.ts'
import { PIPELINES } from '../../support/debug-corpus/compiler.ts'
import { tallyOf } from '../../support/debug-corpus/report.ts'

test('shows the values of variables in loops and blocks', async () => {
  const pipeline = PIPELINES.find(({ version }) => version === NEWEST)!
  const { wrong, share } = await tallyOf(pipeline, compiled, ['Flow.sol'])
  expect(wrong).toEqual([])
  expect(share).toBeGreaterThan(pipeline.floor)
})
