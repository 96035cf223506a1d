/** Files of compilers and build tools: the folders Hardhat, Foundry and Truffle write, whatever their layout. */

import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { errorsOf } from './error-abi.ts'
import type { ErrorAbi } from './error-abi.ts'

/** Folders beside the artifacts that hold what the compiler was given and has answered, and nothing new. */
const SKIPPED = new Set(['build-info', 'cache', 'node_modules'])

/** @throws NodeError 'invalidOption' when it is no folder that can be listed */
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

/** A file, and what changes when it is written again. */
export interface FoundFile {
  readonly path: string
  readonly version: string
}

/** Every JSON file of the folder and those below it. What has gone meanwhile is left out. */
export async function jsonFiles(folder: string): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: FoundFile[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) found.push(...(await jsonFiles(path)))
    // Beside each artifact Hardhat writes where its build information lies.
    else if (entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) {
      const facts = await stat(path).catch(() => undefined)
      if (facts?.isFile() === true) found.push({ path, version: `${facts.mtimeMs} ${facts.size}` })
    }
  }
  return found
}

/** The errors of an artifact: of the ABI in its member `abi`, or that it is. None for any other file. */
export async function errorsIn(path: string): Promise<readonly ErrorAbi[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  // Most artifacts declare none, and are not worth the parsing.
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
