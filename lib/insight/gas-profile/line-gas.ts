/** Gas by line of the sources. */

import { getOrAdd } from '../../base/get-or-add.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import { linesOf } from '../artifacts/lines.ts'
import type { MappedCode } from '../explain/mapped-code.ts'
import type { LineGas } from '../../schema/gas-results.ts'

/** The lines of one execution. */
export class LineTable {
  readonly #rows = new Map<string, LineGas>()
  /** Rows by the position of the instruction. */
  readonly #byCode = new WeakMap<MappedCode, Map<number, LineGas | undefined>>()

  /** The rows that used gas, the largest first. */
  get used(): readonly LineGas[] {
    return [...this.#rows.values()].filter(({ gas }) => gas > 0).toSorted((a, b) => b.gas - a.gas)
  }

  /** The row of gas without a line. */
  titled(title: string): LineGas {
    return getOrAdd(this.#rows, title, () => ({ title, gas: 0 }))
  }

  /** The row of an instruction; undefined for code that the compiler added. */
  rowAt(code: MappedCode, position: number): LineGas | undefined {
    const known = getOrAdd(this.#byCode, code, () => new Map<number, LineGas | undefined>())
    if (!known.has(position)) {
      const place = code.sourceAt(position)
      known.set(position, place && this.#rowOf(place.unit, place.range.start))
    }
    return known.get(position)
  }

  #rowOf(unit: SourceUnit, start: number): LineGas {
    const lines = linesOf(unit)
    const line = lines?.positionOf(start).line
    return getOrAdd(this.#rows, `${unit.path}:${line ?? ''}`, () => ({
      file: unit.path,
      line,
      excerpt: line === undefined ? undefined : lines?.textOf(line).trim(),
      gas: 0,
    }))
  }
}
