/** Finds the files of compiled sources. If no file has the compiled text, the editor gets that text. */

import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Source } from '@vscode/debugadapter'
import type { DebugProtocol } from '@vscode/debugprotocol'
import type { ListedSource } from '../../../schema/report-results.ts'

/** Folders of a project in which the paths of imports begin. */
const IMPORT_FOLDERS = ['.', 'node_modules', 'lib']

/** Finds source files below some folders. Earlier folders have precedence. */
export class SourceFiles {
  readonly #roots: readonly string[]
  /** Texts without a file. The reference of a text is its position, from 1. */
  readonly #texts: ListedSource[] = []

  constructor(roots: readonly string[]) {
    this.#roots = roots
  }

  find(source: ListedSource): Source {
    const file = this.#fileOf(source)
    if (file !== undefined) return new Source(basename(file), file)
    if (source.content === undefined) return new Source(basename(source.path))
    const known = this.#texts.findIndex(({ id }) => id === source.id)
    const reference = known < 0 ? this.#texts.push(source) : known + 1
    return new Source(basename(source.path), source.path, reference, 'compiled text')
  }

  text(reference: number): string | undefined {
    return this.#texts[reference - 1]?.content
  }

  /** The path of an editor's source: its file, or the unit whose compiled text is shown. */
  pathOf({ path = '', sourceReference = 0 }: DebugProtocol.Source): string {
    return this.#texts[sourceReference - 1]?.path ?? path
  }

  #fileOf({ path, content }: ListedSource): string | undefined {
    const candidates = this.#roots.flatMap((root) =>
      IMPORT_FOLDERS.map((folder) => resolve(root, folder, inProject(path))),
    )
    return candidates.find((file) => {
      const text = textOf(file)
      return text !== undefined && (content === undefined || text === content)
    })
  }
}

/** The path of a source in its project: Hardhat 3 names sources `project/<path>` and `npm/<package>@<version>/<path>`. */
const inProject = (path: string): string =>
  path.replace(/^project:?\//, '').replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\//, '$1/')

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
