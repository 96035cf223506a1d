/** Parts of a source that contain each other or are apart. */

import { containsRange } from '../artifacts/ast-node.ts'
import type { SourceRange } from '../artifacts/source-map.ts'

/** Finds the parts that contain a range. */
export class RegionTree {
  readonly count: number
  /** The parts with their indexes, outer ones before those inside of them. */
  readonly #sorted: readonly { readonly range: SourceRange; readonly index: number }[]
  /** For each entry of the sorted list, that of the part around it; -1 for none. */
  readonly #outer: readonly number[]

  constructor(ranges: readonly SourceRange[]) {
    this.count = ranges.length
    this.#sorted = ranges
      .map((range, index) => ({ range, index }))
      .toSorted((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
    const outer: number[] = []
    for (const [at, { range }] of this.#sorted.entries()) {
      let candidate = at - 1
      while (candidate >= 0 && !this.#contains(candidate, range)) candidate = outer[candidate] ?? -1
      outer.push(candidate)
    }
    this.#outer = outer
  }

  /** Indexes of the parts that contain a range, innermost first. */
  *around(range: SourceRange): Generator<number> {
    let at = this.#lastFrom(range.start)
    while (at >= 0 && !this.#contains(at, range)) at = this.#outer[at] ?? -1
    for (; at >= 0; at = this.#outer[at] ?? -1) {
      const index = this.#sorted[at]?.index
      if (index !== undefined) yield index
    }
  }

  #contains(at: number, range: SourceRange): boolean {
    const entry = this.#sorted[at]
    return entry !== undefined && containsRange(entry.range, range)
  }

  /** Place in the sorted list of the last part that begins at a position or before. */
  #lastFrom(start: number): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle]?.range.start ?? 0) <= start) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
