/** Writes the results into docs/performance.md, between the comments of its generated part, and to the terminal. */

import { failureOf, figureOf, noteOf, ratioOf } from './results.ts'
import type { Figure, NodeResult, Results, RowResult } from './results.ts'
import { rounded } from './statistics.ts'
import type { Spread } from './statistics.ts'

/** A document with a generated part renewed. */
export function withReport(document: string, report: string, part = 'performance'): string {
  const start = `<!-- generated: ${part} -->`
  const [from, to] = [document.indexOf(start), document.indexOf(`<!-- end of ${part} -->`)]
  if (from < 0 || to < from) throw new Error(`the document has no generated part "${part}"`)
  return `${document.slice(0, from + start.length)}\n\n${report}\n\n${document.slice(to)}`
}

/** The generated part: machine, versions, tables, and where the node needs more than another one. */
export function reportOf(results: Results, reference: string): string {
  const notes = new Notes()
  const measured = results.nodes.filter(({ missing }) => missing === undefined)
  const others = measured.filter(({ id }) => id !== reference)
  const isMemory = (row: RowResult) => measured.some(({ id }) => figureOf(row, id, 'megabytes') !== undefined)
  const timed = results.rows.filter((row) => !isMemory(row))
  const remembered = results.rows.filter(isMemory)
  const figures = (rows: readonly RowResult[], figure: Figure) =>
    table(rows, measured, (row, { id }) => cell(row, id, notes, inFigures(figureOf(row, id, figure))))
  const ratios = (figure: Figure, rows = timed) =>
    table(rows, others, (row, { id }) => cell(row, id, notes, inRatio(ratioOf(row, [id, reference], figure))))
  const title = measured.find(({ id }) => id === reference)?.title ?? reference
  const sections = [
    conditions(results),
    '## Processor time of the server per operation, in milliseconds',
    figures(timed, 'cpuMs'),
    '## Time on the clock per operation, in milliseconds',
    figures(timed, 'wallMs'),
  ]
  if (remembered.length > 0) sections.push('## Memory, in megabytes', figures(remembered, 'megabytes'))
  sections.push(
    `## Times the processor time of ${title}`,
    `More than 1: the node needs more than ${title}. The range of the rounds is in brackets.`,
    ratios('cpuMs'),
    `## Times the time on the clock of ${title}`,
    ratios('wallMs'),
    `## Where ${title} needs more`,
    losses(results, reference),
    ...notes.text(),
  )
  return sections.join('\n\n')
}

function conditions({ machine, nodeVersion, bareNodeMs, minutes, rounds, nodes }: Results): string {
  const lines = [
    `- Machine: ${machine}, Node.js ${nodeVersion}. \`node -e 0\` takes ${rounded(bareNodeMs)} ms.`,
    `- ${rounds} rounds, ${minutes.toFixed(0)} minutes.`,
    ...nodes.map(({ title, settings, version, missing }) =>
      missing === undefined
        ? `- ${title}: \`${version ?? 'unknown version'}\`, ${settings}.`
        : `- ${title}: absent, ${missing}.`,
    ),
  ]
  return lines.join('\n')
}

function table(
  rows: readonly RowResult[],
  nodes: readonly NodeResult[],
  cellOf: (row: RowResult, node: NodeResult) => string,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...nodes.map(({ title }) => title)]),
    line(['---', ...nodes.map(() => '--:')]),
    ...rows.map((row) => line([row.name, ...nodes.map((node) => cellOf(row, node))])),
  ].join('\n')
}

function cell(row: RowResult, node: string, notes: Notes, figure: string | undefined): string {
  const failure = failureOf(row, node)
  if (failure !== undefined) return `failed ${notes.mark(`${row.name}: ${failure}`)}`
  if (figure === undefined) return ''
  const note = noteOf(row, node)
  return note === undefined ? figure : `${figure} ${notes.mark(`${row.name}: ${note}`)}`
}

const inFigures = (spread: Spread | undefined): string | undefined => spread && rounded(spread.median)

/** The median of ratios, with their range if there is one. */
export function inRatio(spread: Spread | undefined): string | undefined {
  if (spread === undefined) return undefined
  const { median, min, max } = spread
  return min === max ? rounded(median) : `${rounded(median)} [${rounded(min)}–${rounded(max)}]`
}

/** Rows in which another node needs less, the worst first. */
function losses({ rows, nodes }: Results, reference: string): string {
  const others = nodes.filter(({ id, missing }) => missing === undefined && !id.startsWith('dev-node'))
  const lost = rows.flatMap((row) =>
    others.flatMap(({ id, title }) => {
      const figure = row.name.startsWith('memory') ? 'megabytes' : 'cpuMs'
      const ratio = ratioOf(row, [id, reference], figure)
      if (ratio === undefined || ratio.median >= 1) return []
      const what = figure === 'cpuMs' ? 'the processor time' : 'the memory'
      return [
        {
          factor: 1 / ratio.median,
          line: `${row.name}: ${rounded(1 / ratio.median)} times ${what} of ${title}`,
        },
      ]
    }),
  )
  if (lost.length === 0) return 'In no row.'
  return lost
    .sort((a, b) => b.factor - a.factor)
    .map(({ line }) => `- ${line}`)
    .join('\n')
}

/** Footnotes: a mark for each text, in the order of their first use. */
export class Notes {
  readonly #texts: string[] = []

  mark(text: string): string {
    if (!this.#texts.includes(text)) this.#texts.push(text)
    return `(${this.#texts.indexOf(text) + 1})`
  }

  text(heading = '## Notes'): readonly string[] {
    if (this.#texts.length === 0) return []
    const lines = this.#texts.map((text, index) => `- (${index + 1}) ${escaped(text)}`)
    return [heading, lines.join('\n')]
  }
}

/** Answers of nodes may contain what Markdown understands. */
const escaped = (text: string): string => text.replaceAll(/[|<>*_`[\]]/g, (found) => `\\${found}`)
