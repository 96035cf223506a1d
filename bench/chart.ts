/** Draws the ratios as a bar chart in SVG, readable on light and dark backgrounds. */

import { ratioOf } from './results.ts'
import type { Results } from './results.ts'
import { rounded } from './statistics.ts'

/** Width of a chart. */
export const WIDTH = 720
const LABELS = 225
const ROW_GAP = 8
const BAR = 9
/** Height of the heading and the legend. */
export const HEAD = 62

/** Ratios beyond these are drawn as these. */
const MIN_RATIO = 0.1
const MAX_RATIO = 100

const TICKS = [0.1, 0.3, 1, 3, 10, 30, 100]

/** Colours that stand out from white and from black. */
const COLOURS = ['#d97706', '#0d9488', '#7c6ee6', '#c2557a', '#6b8e23', '#4a86d8']

/** What is drawn: rows, and nodes beside the one that they are compared with. */
export interface ChartPlan {
  readonly rows: readonly string[]
  readonly nodes: readonly string[]
  readonly reference: string
}

/** Bars of the processor time of nodes, times that of the reference: to the right of the line those that need more. */
export function chartOf(results: Results, { rows, nodes, reference }: ChartPlan): string {
  const drawn = results.nodes.filter(({ id, missing }) => nodes.includes(id) && missing === undefined)
  const title = results.nodes.find(({ id }) => id === reference)?.title ?? reference
  let top = HEAD
  const groups = results.rows
    .filter(({ name }) => rows.includes(name))
    .map((row) => {
      const bars = drawn.flatMap(({ id }, index) => {
        const ratio = ratioOf(row, [id, reference], 'cpuMs')
        return ratio === undefined ? [] : [{ ratio: ratio.median, colour: index }]
      })
      const group = groupOf(row.name, bars, top)
      top += Math.max(bars.length, 1) * BAR + ROW_GAP
      return group
    })
  const heading = `Processor time of the server, times that of ${title} (the line)`
  return svgOf(heading, top + 8, [
    ...legend(drawn.map((node) => node.title)),
    ...TICKS.map((tick) => axis(tick, top)),
    ...groups,
  ])
}

/** A picture below its heading. */
export const svgOf = (heading: string, height: number, shapes: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(heading)}">`,
    STYLE,
    `<text class="strong" x="8" y="16">${escaped(heading)}</text>`,
    ...shapes,
    '</svg>',
    '',
  ].join('\n')

const STYLE = [
  '<style>',
  'text { font: 11px system-ui, sans-serif; fill: #57606a }',
  '.strong { font-weight: 600; fill: #24292f }',
  '.small { font-size: 9px }',
  'line { stroke: #8c959f; stroke-opacity: 0.35 }',
  'line.one { stroke-opacity: 1 }',
  ...COLOURS.map(
    (colour, index) =>
      `.c${index} { fill: ${colour} } .l${index} { fill: none; stroke: ${colour}; stroke-width: 2 }`,
  ),
  '@media (prefers-color-scheme: dark) { text { fill: #9da7b1 } .strong { fill: #e6edf3 } }',
  '</style>',
].join('\n')

/** The titles with their colours. */
export function legend(titles: readonly string[]): readonly string[] {
  let left = 8
  return titles.map((title, index) => {
    const item = `<rect class="c${index}" x="${left}" y="26" width="9" height="9"/><text x="${left + 13}" y="34">${escaped(title)}</text>`
    left += 34 + title.length * 6
    return item
  })
}

function axis(tick: number, bottom: number): string {
  const x = xOf(tick)
  const kind = tick === 1 ? ' class="one"' : ''
  return `<line${kind} x1="${x}" y1="${HEAD - 8}" x2="${x}" y2="${bottom}"/><text class="small" text-anchor="middle" x="${x}" y="${HEAD - 11}">${tick}</text>`
}

/** A row's name and its bars. */
function groupOf(
  name: string,
  bars: readonly { readonly ratio: number; readonly colour: number }[],
  top: number,
): string {
  const middle = top + (Math.max(bars.length, 1) * BAR) / 2 + 4
  const drawn = bars.map(({ ratio, colour }, index) => {
    const [from, to] = [xOf(1), xOf(ratio)]
    const [left, width] = [Math.min(from, to), Math.max(1, Math.abs(to - from))]
    const y = top + index * BAR
    const label =
      ratio >= 1
        ? `<text class="small" x="${left + width + 3}" y="${y + 8}">${rounded(ratio)}</text>`
        : `<text class="small" text-anchor="end" x="${left - 3}" y="${y + 8}">${rounded(ratio)}</text>`
    return `<rect class="c${colour}" x="${left}" y="${y + 1}" width="${width}" height="${BAR - 2}"/>${label}`
  })
  return [`<text x="8" y="${middle}">${escaped(name)}</text>`, ...drawn].join('\n')
}

/** Place of a ratio on the logarithmic axis. */
function xOf(ratio: number): number {
  const inside = Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio))
  const share = Math.log(inside / MIN_RATIO) / Math.log(MAX_RATIO / MIN_RATIO)
  return Math.round((LABELS + share * (WIDTH - LABELS - 45)) * 10) / 10
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
