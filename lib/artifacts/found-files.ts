/** Finds the JSON files in a folder of artifacts of any layout. */

import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FileVersion } from './json-file.ts'

/** Folders without artifacts. */
const SKIPPED = new Set(['cache', 'node_modules'])

/** A file in a folder of artifacts. */
export interface FoundFile extends FileVersion {
  readonly path: string
}

/** Whether a file is in a folder `build-info`: Hardhat and Foundry put runs of the compiler there, and Hardhat 2 their facts. */
export const isBuildInfo = (path: string): boolean => basename(dirname(path)) === 'build-info'

/** The file that Hardhat 2 writes beside an artifact, with the path of the build info. */
export const debugFileOf = (artifact: string): string => artifact.replace(/\.json$/, '.dbg.json')

/** The JSON files in the folder and its subfolders. What is deleted during the search is left out. */
export function* jsonFiles(folder: string): Generator<FoundFile, void, void> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* jsonFiles(path)
    else if (entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) {
      const facts = statSync(path, { throwIfNoEntry: false })
      if (facts?.isFile() === true) yield { path, modifiedAtMs: facts.mtimeMs, size: facts.size }
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
