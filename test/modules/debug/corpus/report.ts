/** Runs the corpus by a pipeline; and the table of the shares of known values. */

import type { Pipeline } from './compiler.ts'
import { Tally } from './comparison.ts'
import { debugged } from './debugged.ts'
import { prove } from './proven.ts'
import type { Compile } from './proven.ts'
import { corpusSources } from './source.ts'

/** Compares all values of the corpus, or of some sources. */
export async function tallyOf(
  pipeline: Pipeline,
  compile: Compile,
  names?: readonly string[],
): Promise<Tally> {
  const sources = corpusSources(pipeline.version, names)
  const marks = sources.flatMap((source) => source.marks)
  const { run, transactions, close } = await prove(sources, pipeline, compile)
  try {
    const tally = new Tally()
    for (const { hash, reports } of transactions) {
      const { visits, stuck } = await debugged(run.node, hash, marks)
      tally.add(reports, visits)
      if (stuck !== undefined) tally.wrong.push(stuck)
    }
    return tally
  } finally {
    await close()
  }
}

/** A table in Markdown. */
export function tableOf(rows: readonly (readonly [Pipeline, Tally])[]): string {
  const lines = rows.map(([{ version, name, floor }, { right, unknown, wrong, share }]) => {
    const values = right + unknown + wrong.length
    return `| ${version} | ${name} | ${values} | ${percent(share)} | ${floor === 0 ? '' : percent(floor)} | ${wrong.length} |`
  })
  return [
    '| solc | pipeline | values | known | at least | wrong |',
    '|---|---|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
}

/** The cells of a table in Markdown by row, without those that only align. */
export const cellsOf = (table: string): readonly (readonly string[])[] =>
  table
    .split('\n')
    .filter((line) => /[^|\s:-]/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
