/** Finds the artifacts of Hardhat, Foundry and Truffle in a folder of any layout, and reads their errors. */

import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { errorsOf } from './error-abi.ts'
import type { ErrorAbi } from './error-abi.ts'

/** Folders that are skipped, because they contain only input and output of the compiler, which the artifacts repeat. */
const SKIPPED = new Set(['build-info', 'cache', 'node_modules'])

/** Checks that a folder can be listed. @throws NodeError 'invalidOption' */
export async function checkFolder(folder: string): Promise<void> {
  try {
    await readdir(folder)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new NodeError('invalidOption', `--artifacts: cannot list the folder ${folder}: ${reason}`, {
      cause,
    })
  }
}

/** A file, and a version that changes when the file is written again. */
export interface FoundFile {
  readonly path: string
  readonly version: string
}

/** Every JSON file in the folder and its subfolders. A file that is deleted during the search is left out. */
export async function jsonFiles(folder: string): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: FoundFile[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) found.push(...(await jsonFiles(path)))
    // Hardhat writes a .dbg.json file with the path of the build information next to each artifact.
    else if (entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) {
      const facts = await stat(path).catch(() => undefined)
      if (facts?.isFile() === true) found.push({ path, version: `${facts.mtimeMs} ${facts.size}` })
    }
  }
  return found
}

/** The errors of an artifact, whose ABI is the member `abi` or the whole file; empty for other files. */
export async function errorsIn(path: string): Promise<readonly ErrorAbi[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  // Most artifacts declare no errors, so this saves parsing them.
  if (!/"type"\s*:\s*"error"/.test(text)) return []
  try {
    const content: unknown = JSON.parse(text)
    return errorsOf(Array.isArray(content) ? content : abiOf(content))
  } catch {
    return []
  }
}

function abiOf(content: unknown): unknown {
  return typeof content === 'object' && content !== null && 'abi' in content ? content.abi : undefined
}
