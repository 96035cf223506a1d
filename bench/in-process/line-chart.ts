/** Draws operations over time as lines in SVG. */

import { HEAD, WIDTH, legend, svgOf } from '../chart.ts'
import type { Line } from './in-process.ts'

const LEFT = 46
const BOTTOM = 300

/** Lines of the operations that are complete at each time. */
export function lineChart(lines: readonly Line[], nodeVersion: string): string {
  const seconds = Math.max(...lines.map(({ progress }) => progress.length)) / 10
  const step = stepOf(Math.max(...lines.flatMap(({ progress }) => progress)))
  const top = step * Math.ceil(Math.max(...lines.flatMap(({ progress }) => progress)) / step)
  const x = (time: number) => LEFT + (time / seconds) * (WIDTH - LEFT - 16)
  const y = (count: number) => BOTTOM - (count / top) * (BOTTOM - HEAD)
  const counts = Array.from({ length: top / step + 1 }, (_, index) => index * step)
  const times = Array.from({ length: Math.floor(seconds) + 1 }, (_, index) => index)
  return svgOf(
    `Sends with their receipts since the first one of a process, Node.js ${nodeVersion}`,
    BOTTOM + 22,
    [
      ...legend(lines.map(({ title }) => title)),
      ...counts.map(
        (count) =>
          `<line x1="${LEFT}" y1="${y(count)}" x2="${WIDTH - 16}" y2="${y(count)}"/><text class="small" text-anchor="end" x="${LEFT - 4}" y="${y(count) + 3}">${count}</text>`,
      ),
      ...times.map(
        (time) =>
          `<text class="small" text-anchor="middle" x="${x(time)}" y="${BOTTOM + 14}">${time} s</text>`,
      ),
      ...lines.map(({ progress }, index) => {
        const points = progress.map(
          (count, tenth) => `${x((tenth + 1) / 10).toFixed(1)},${y(count).toFixed(1)}`,
        )
        return `<polyline class="l${index}" points="${x(0)},${y(0)} ${points.join(' ')}"/>`
      }),
    ],
  )
}

/** Operations between two lines of the grid, of which there are four to ten. */
function stepOf(most: number): number {
  const size = 10 ** Math.floor(Math.log10(most / 4))
  return size * ([5, 2].find((factor) => most / (factor * size) >= 4) ?? 1)
}
