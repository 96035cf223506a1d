/** Finds the JSON files in a folder of artifacts of any layout. */

import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../base/system-errors.ts'
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

/** Called with a file or folder that cannot be read. */
export type FaultListener = (path: string, error: unknown) => void

/** The JSON files in the folder and its subfolders. A file that is deleted during the search is left out. */
export function* jsonFiles(folder: string, onFault: FaultListener): Generator<FoundFile, void, void> {
  for (const entry of readIfPresent(folder, onFault, entriesOf) ?? []) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* jsonFiles(path, onFault)
    else if (entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) {
      const facts = readIfPresent(path, onFault, (one) => statSync(one))
      if (facts?.isFile() === true) yield { path, modifiedAtMs: facts.mtimeMs, size: facts.size }
    }
  }
}

const entriesOf = (folder: string) => readdirSync(folder, { withFileTypes: true })

/** Reads a path; undefined if it is absent or cannot be read. */
function readIfPresent<T>(path: string, onFault: FaultListener, read: (path: string) => T): T | undefined {
  try {
    return read(path)
  } catch (error) {
    if (!isAbsent(error)) onFault(path, error)
    return undefined
  }
}

/** Whether an error is about a missing file or folder. */
export const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT'
