/** The corpus itself: each mark is reached, and its values are known. */

import { expect, test } from '@jest/globals'
import { PIPELINES, outputOf } from './compiler.ts'
import { prove } from './proven.ts'
import { corpusSources } from './source.ts'

test.each(['0.7.6', '0.8.26', '0.8.37'])(
  'each mark is reached: %s',
  async (version) => {
    const sources = corpusSources(version)
    const pipeline = PIPELINES.find((one) => one.version === version)!
    const { transactions } = await prove(sources, pipeline, outputOf)
    const reached = new Set(transactions.flatMap(({ reports }) => reports.map(({ mark }) => mark)))
    const missed = sources.flatMap(({ marks }) => marks.map(({ id }) => id)).filter((id) => !reached.has(id))
    expect(missed).toEqual([])
  },
  120000,
)
