/** The sources of the contracts that an execution ran. */

import type { SourceUnit } from '../artifacts/compilation.ts'
import { oncePer } from '../../base/once.ts'
import { hashOfText } from '../artifacts/source-unit.ts'
import type { ListedSource } from '../../schema/report-results.ts'

const ID_DIGITS = 18

export const listedSource = oncePer(({ path, content }: SourceUnit): ListedSource => {
  const id = hashOfText(`${path}\n${content ?? ''}`).slice(0, ID_DIGITS)
  return { id, path, content }
})

/** Maximum number of characters of all texts of an answer. */
const MAX_TEXT = 8_000_000

/** The sources without repetitions. Texts beyond eight million characters are left out. */
export function listedSources(units: Iterable<SourceUnit>): readonly ListedSource[] {
  const byId = new Map<string, ListedSource>()
  let length = 0
  for (const unit of units) {
    const source = listedSource(unit)
    if (byId.has(source.id)) continue
    length += source.content?.length ?? 0
    byId.set(source.id, length > MAX_TEXT ? { ...source, content: undefined } : source)
  }
  return [...byId.values()]
}
