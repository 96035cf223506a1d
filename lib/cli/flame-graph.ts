/** Draws call paths as a flame graph in SVG: each box is as wide as its share of the gas. */

import { getOrAdd } from '../base/get-or-add.ts'

/** A box: a function, with the functions that it calls. */
interface Box {
  readonly name: string
  gas: number
  readonly children: Map<string, Box>
}

/** Pixels. */
const WIDTH = 1200
const MARGIN = 10
const ROW = 18
const HEADER = 34
const CHARACTER = 6.7
/** Narrower boxes are left out. */
const MIN_WIDTH = 0.1

/** A flame graph of call paths in the folded form, `A.f;B.g 123` in each line. Callers are below what they call. */
export function flameGraph(folded: string, title: string): string {
  const root = readPaths(folded)
  const height = HEADER + depthOf(root) * ROW + MARGIN
  const boxes = [...drawn(root, { x: MARGIN, y: height - MARGIN - ROW, total: root.gas })]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 ${WIDTH + 2 * MARGIN} ${height}">`,
    '<style>text { font: 11px monospace; fill: #222 } rect { stroke: #fff; stroke-width: 0.5 }</style>',
    `<rect x="0" y="0" width="100%" height="100%" fill="#fff"/>`,
    `<text x="${MARGIN}" y="22">${escaped(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n')
}

function readPaths(folded: string): Box {
  const root = boxOf('all')
  for (const line of folded.split('\n')) {
    const [, path = '', digits] = /^(.*) (\d+)$/.exec(line) ?? []
    if (digits === undefined) continue
    const gas = Number(digits)
    root.gas += gas
    let box = root
    for (const name of path.split(';')) {
      box = getOrAdd(box.children, name, () => boxOf(name))
      box.gas += gas
    }
  }
  return root
}

const boxOf = (name: string): Box => ({ name, gas: 0, children: new Map() })

const depthOf = ({ children }: Box): number => 1 + Math.max(0, ...Array.from(children.values(), depthOf))

/** Where a box is drawn, and the gas that the whole width stands for. */
interface BoxPlace {
  readonly x: number
  readonly y: number
  readonly total: number
}

function* drawn(box: Box, { x, y, total }: BoxPlace): Generator<string> {
  const width = total === 0 ? WIDTH : (WIDTH * box.gas) / total
  if (width < MIN_WIDTH) return
  const percent = total === 0 ? '0.00' : ((100 * box.gas) / total).toFixed(2)
  const label = labelIn(box.name, width)
  yield [
    `<g><title>${escaped(box.name)}: ${box.gas} gas, ${percent}%</title>`,
    `<rect x="${decimal(x)}" y="${y}" width="${decimal(width)}" height="${ROW}" fill="${colourOf(box.name)}"/>`,
    label === '' ? '' : `<text x="${decimal(x + 3)}" y="${y + 13}">${escaped(label)}</text>`,
    '</g>',
  ].join('')
  let left = x
  for (const child of box.children.values()) {
    yield* drawn(child, { x: left, y: y - ROW, total })
    left += (WIDTH * child.gas) / total
  }
}

/** A number without needless digits. */
const decimal = (value: number): string => String(Math.round(value * 1000) / 1000)

/** As much of a name as a box has room for; empty if that is too little to read. */
function labelIn(name: string, width: number): string {
  const room = Math.floor((width - 6) / CHARACTER)
  const characters = Array.from(name)
  if (characters.length <= room) return name
  return room < 5 ? '' : `${characters.slice(0, room - 2).join('')}..`
}

/** Functions of one contract have the same colour; other boxes are grey. */
function colourOf(name: string): string {
  const [contract = ''] = name.split('.')
  if (contract === name) return '#ccc'
  let hash = 0
  for (const character of contract) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360
  return `hsl(${hash}, 70%, 75%)`
}

/** Names are the input of strangers: they must not end an element, or make the file no XML. */
const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
