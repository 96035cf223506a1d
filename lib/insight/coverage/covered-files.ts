/** Brings the counts of codes together by source. */

import { instructionsOf } from './code-listing.ts'
import type { CodeCounts } from './execution-counts.ts'
import { functionRuns } from './function-runs.ts'
import { itemCounts, noCounts, sumOfCounts, type ItemCounts } from './item-counts.ts'
import { sourceItems, type SourceItems } from './source-items.ts'
import type { ContractCatalog } from '../artifacts/catalog.ts'
import type { Compilation, CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import { linesOf, type SourceLines } from '../artifacts/source-unit.ts'

/** A source with the counts of its items. */
export interface CoveredFile {
  readonly path: string
  readonly content: string
  readonly lines: SourceLines
  readonly items: SourceItems
  readonly counts: ItemCounts
}

/** The sources of a project, in the order of their paths. Every code belongs to a contract of the catalog, or is not counted. */
export class SourceCounts {
  readonly #files = new Map<string, CoveredFile>()
  /** Sources that were left out because the artifacts lack their AST or their text. */
  readonly unreadable = new Set<string>()
  readonly #isExcluded: (path: string) => boolean

  constructor(catalog: Pick<ContractCatalog, 'contracts'>, isExcluded: (path: string) => boolean) {
    this.#isExcluded = isExcluded
    const seen = new Set<Compilation>()
    for (const { compilation } of catalog.contracts) {
      if (seen.has(compilation)) continue
      seen.add(compilation)
      for (const unit of compilation.sources) this.#add(unit)
    }
  }

  /** All sources, also those that were not executed. */
  get files(): readonly CoveredFile[] {
    return [...this.#files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The newest text of a path counts: that of the contract that was compiled last. */
  #add(unit: SourceUnit): void {
    const { path, content } = unit
    if (this.#files.has(path) || this.#isExcluded(path)) return
    const items = sourceItems(unit)
    const lines = linesOf(unit)
    if (items === undefined || lines === undefined || content === undefined) this.unreadable.add(path)
    else {
      this.unreadable.delete(path)
      this.#files.set(path, { path, content, lines, items, counts: noCounts(items) })
    }
  }

  addCode(contract: CompiledContract, counted: CodeCounts): void {
    const compiled = contract[counted.kind]
    if (compiled === undefined) return
    const instructions = instructionsOf(compiled, counted)
    const functions = functionRuns(contract, counted.kind, instructions)
    // An empty constructor has no code.
    const ids = new Set([
      ...instructions.map(({ location }) => location?.file),
      ...[...functions.keys()].map((key) => Number.parseInt(key)),
    ])
    for (const id of ids) {
      const unit = id === undefined ? undefined : contract.compilation.source(id)
      const file = unit && this.#files.get(unit.path)
      if (id === undefined || unit === undefined || file === undefined || file.content !== unit.content)
        continue
      const added = itemCounts(file.items, instructions, { file: id, functions })
      this.#files.set(unit.path, { ...file, counts: sumOfCounts(file.counts, added) })
    }
  }
}
