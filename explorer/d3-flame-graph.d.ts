/** Types of the part of d3-flame-graph that the explorer uses; the library has none. */
declare module 'd3-flame-graph' {
  import type { Selection } from 'd3-selection'

  interface Cell {
    readonly data: { readonly name: string; readonly value: number; readonly children: Cell['data'][] }
  }

  interface FlameGraph {
    // oxlint-disable-next-line typescript/no-explicit-any
    (selection: Selection<any, any, any, any>): void
    width(pixels: number): this
    cellHeight(pixels: number): this
    minFrameSize(pixels: number): this
    transitionDuration(milliseconds: number): this
    inverted(isInverted: boolean): this
    sort(compare: (left: Cell, right: Cell) => number): this
    label(labelOf: (cell: Cell) => string): this
    getName(nameOf: (cell: Cell) => string): this
    setColorMapper(colourOf: (cell: Cell) => string): this
    resetZoom(): void
    destroy(): void
  }

  export default function flamegraph(): FlameGraph
}
