/** Draws a balance as a line. Loaded when the first one is shown. */

import uPlot from 'uplot'
import { amountOf, coinName } from '../format/amounts.ts'
import type { BalancePoint } from './balance-history.tsx'

const HEIGHT = 240

/** Pixels for a character of a label of the balance, and for what is beside the label. */
const [CHARACTER, BESIDE] = [8, 24]

/** Pixels for the name of an axis. */
const LABEL = 20

const WEI_PER_ETHER = 1e18

/** Draws the balances; the result removes the chart. */
export function drawBalances(element: HTMLElement, points: readonly BalancePoint[]): () => void {
  const style = getComputedStyle(element)
  const colours = { text: style.color, line: style.borderTopColor, curve: style.outlineColor }
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line },
  }
  const chart = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      scales: { x: { time: false } },
      axes: [
        { ...axis, incrs: BLOCKS, label: 'block', labelSize: LABEL },
        {
          ...axis,
          label: coinName.value,
          labelSize: LABEL,
          size: (_chart, labels: readonly string[] | null) =>
            BESIDE + CHARACTER * Math.max(0, ...(labels ?? []).map(({ length }) => length)),
          values: (_chart, ticks) => ticks.map(labelOf),
        },
      ],
      series: [
        { label: 'Block' },
        {
          label: 'Balance',
          stroke: colours.curve,
          width: 2,
          // A balance stays the same until a block changes it.
          ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
          points: { show: points.length < 60 },
          value: (_chart, _value, _series, index) =>
            index === null ? '–' : amountOf(points[index]?.wei ?? 0n).short,
        },
      ],
    },
    [points.map(({ block }) => block), points.map(({ wei }) => Number(wei) / WEI_PER_ETHER)],
    element,
  )
  const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }))
  observer.observe(element)
  return () => {
    observer.disconnect()
    chart.destroy()
  }
}

/** Steps between labels of blocks: whole numbers. */
const BLOCKS = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat()

const labelOf = (ether: number): string => String(Number(ether.toPrecision(10)))
