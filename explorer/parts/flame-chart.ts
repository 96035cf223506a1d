/** Draws a flame graph into an element. Loaded when the first one is shown. */

import flamegraph from 'd3-flame-graph'
import { select } from 'd3-selection'
import { printable } from '../../lib/config/request-log.ts'
import { grouped } from '../format/amounts.ts'
import type { FlameNode } from '../format/folded-gas.ts'
import { addFlameKeys } from './flame-keys.ts'

/** Draws the tree; the result removes the graph. */
export function drawFlameGraph(element: HTMLElement, root: FlameNode): () => void {
  const labelOf = ({ data }: { readonly data: FlameNode }): string =>
    `${printable(data.name)}: ${grouped(data.value)} gas, ${percent(data.value, root.value)} of all`
  const chart = flamegraph()
    .width(element.clientWidth)
    .cellHeight(20)
    .minFrameSize(1)
    .transitionDuration(0)
    .inverted(true)
    .sort((left, right) => right.data.value - left.data.value)
    .label(labelOf)
    .getName(({ data }) => printable(data.name))
    .setColorMapper(({ data }) => colourOf(data.name))
  select(element).datum(root).call(chart)
  const removeKeys = addFlameKeys(element)
  return () => {
    removeKeys()
    chart.destroy()
    element.replaceChildren()
  }
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`

/** Warm colours with enough contrast to dark text; a name always has the same. */
function colourOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1000
  return `hsl(${20 + (sum % 35)} 85% ${66 + (sum % 12)}%)`
}
