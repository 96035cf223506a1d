/** Values of the debugger compared with those that the code itself reports, for pipelines of the compiler. */

import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { PIPELINES, outputOf } from './corpus/compiler.ts'
import type { Pipeline } from './corpus/compiler.ts'
import type { Tally } from './corpus/comparison.ts'
import { cellsOf, tableOf, tallyOf } from './corpus/report.ts'

const isUpdate = process.env['UPDATE_SHARES'] === '1'
const pipelines = PIPELINES.filter(({ isOptional = false }) => isUpdate || !isOptional)

const rows: (readonly [Pipeline, Tally])[] = []

test.each(pipelines)('$version, $name: no value is wrong, and enough are known', async (pipeline) => {
  const tally = await tallyOf(pipeline, outputOf)
  rows.push([pipeline, tally])
  expect(tally.wrong).toEqual([])
  expect(tally.share).toBeGreaterThanOrEqual(pipeline.floor)
})

/** The table in the guide. */
const GUIDE = 'docs/debugging.md'
const TABLE = /^\| solc .*\n(?:\|.*\n)+/m

// With UPDATE_SHARES=1 all pipelines run and the table is written; `npx oxfmt docs` aligns it.
test('the guide has these shares', () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const table = tableOf(rows)
  if (isUpdate)
    writeFileSync(
      GUIDE,
      guide.replace(TABLE, () => `${table}\n`),
    )
  else expect(cellsOf(TABLE.exec(guide)![0])).toEqual(expect.arrayContaining([...cellsOf(table)]))
})
