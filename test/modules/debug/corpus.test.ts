/** Values of the debugger compared with those that the code itself reports; corpus.slow.test.ts has all pipelines. */

import { expect, test } from '@jest/globals'
import { NEWEST, compiled } from '../../support/solc.ts'
import { PIPELINES } from './corpus/compiler.ts'
import { tallyOf } from './corpus/report.ts'

test('shows the values of variables in loops and blocks', async () => {
  const pipeline = PIPELINES.find(({ version }) => version === NEWEST)!
  const { wrong, share } = await tallyOf(pipeline, compiled, ['Flow.sol'])
  expect(wrong).toEqual([])
  expect(share).toBeGreaterThan(pipeline.floor)
})

test('keeps the order of functions that the optimizer has joined', async () => {
  // Without these steps of the optimizer, a statement may go on after its effect.
  const details = { cse: false, constantOptimizer: false }
  const settings = { optimizer: { enabled: true, runs: 200, details } }
  const pipeline = { version: NEWEST, name: 'legacy, some of the optimizer', settings, floor: 0.8 }
  const { wrong, share } = await tallyOf(pipeline, compiled, ['Newest.sol'])
  expect(wrong).toEqual([])
  expect(share).toBeGreaterThan(pipeline.floor)
})

test('knows the stack around numbers that the optimizer reads from the code', async () => {
  const settings = { optimizer: { enabled: true, runs: 1 } }
  const pipeline = { version: NEWEST, name: 'legacy, optimizer for size', settings, floor: 0.75 }
  const { wrong, share } = await tallyOf(pipeline, compiled, ['Constants.sol'])
  expect(wrong).toEqual([])
  expect(share).toBeGreaterThan(pipeline.floor)
})
