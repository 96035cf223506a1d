/** Parts of a source that contain each other or are apart, and how often executions entered them. */

import { containsRange } from '../artifacts/ast-node.ts'
import { JUMPDEST, JUMPI } from '../artifacts/source-map.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { ENDS } from './code-listing.ts'
import type { CountedInstruction } from './code-listing.ts'

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

/** A region while the code is read. */
interface RegionState {
  /** Index of the last instruction in the region. */
  last: number
  /** Instruction and source at the begin of the region, and of its repetitions by the compiler. */
  readonly key: string
  entries: number
}

/**
 * How often each region was entered; undefined for one without code. The compiler repeats the code of a modifier in each function that
 * has it. Each copy begins with the same instruction of the same source, unlike the code after an interruption of a copy.
 */
export function entriesOf(
  regions: RegionTree,
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (number | undefined)[] {
  const states: (RegionState | undefined)[] = Array.from({ length: regions.count }, () => undefined)
  for (const [at, { opcode, location }] of instructions.entries()) {
    if (location?.file !== file) continue
    for (const index of regions.around(location)) {
      const state = states[index]
      if (state?.last === at - 1) {
        state.last = at
        continue
      }
      const key = `${opcode}:${location.start}:${location.end}`
      if (state === undefined) states[index] = { last: at, key, entries: entriesAt(instructions, at) }
      else {
        state.last = at
        if (state.key === key) state.entries += entriesAt(instructions, at)
      }
    }
  }
  return states.map((state) => state?.entries)
}

/** How often an instruction was reached from before. A loop begins with a JUMPDEST, which its end jumps to. */
function entriesAt(instructions: readonly CountedInstruction[], at: number): number {
  const { opcode, executions } = instructions[at] ?? { opcode: 0, executions: 0 }
  const before = instructions[at - 1]
  if (opcode !== JUMPDEST || before === undefined) return executions
  return ENDS.has(before.opcode) || before.opcode === JUMPI ? executions : before.executions
}
