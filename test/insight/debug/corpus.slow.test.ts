/** Values of the debugger compared with those that the code itself reports, for all pipelines of the compiler. */

import { writeSync } from 'node:fs'
import { afterAll, expect, test } from '@jest/globals'
import { PIPELINES, outputOf } from '../../support/debug-corpus/compiler.ts'
import type { Pipeline } from '../../support/debug-corpus/compiler.ts'
import type { Tally } from '../../support/debug-corpus/comparison.ts'
import { tableOf, tallyOf } from '../../support/debug-corpus/report.ts'

const rows: (readonly [Pipeline, Tally])[] = []

test.each(PIPELINES)('$version, $name: no value is wrong, and enough are known', async (pipeline) => {
  const tally = await tallyOf(pipeline, outputOf)
  rows.push([pipeline, tally])
  expect(tally.wrong).toEqual([])
  expect(tally.share).toBeGreaterThanOrEqual(pipeline.floor)
})

afterAll(() => void writeSync(1, `${tableOf(rows)}\n`))
