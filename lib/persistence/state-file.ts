/** Reads and writes state files on disk. A file is written to a temporary file and then renamed, so it is complete at any time. */

import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { NodeError } from '../base/errors.ts'
import { isWriterAlive, ownProcess } from '../base/processes.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'

/** The path of a state file, and the temporary file that is renamed to it. */
export interface StateFilePath {
  readonly path: string
  readonly temporaryPath: string
  /** Permissions of the existing file. */
  readonly mode: number | undefined
}

/** Suffix of temporary files: the id of the writing process, and random digits that differ between nodes. */
const TEMPORARY = /^\.(\d+)-[0-9a-f]{8}\.draft$/

/**
 * Prepares the path of a state file; four random bytes make the name of the temporary file unique. Checks that the file can be
 * written before a run starts, removes the temporary files of killed nodes, and follows symbolic links.
 * @throws NodeError 'invalidState'
 */
export async function prepareStateFile(asked: string, random: Uint8Array): Promise<StateFilePath> {
  try {
    const found = await stat(asked).catch(() => undefined)
    if (found?.isFile() === false) throw new NodeError('invalidState', 'it is not a file')
    const path = found === undefined ? asked : await realpath(asked)
    const temporaryPath = `${path}.${ownProcess.id}-${Buffer.from(random).toString('hex')}.draft`
    await removeLeftovers(path)
    await (await open(temporaryPath, 'wx')).close()
    await rm(temporaryPath)
    return { path, temporaryPath, mode: found?.mode }
  } catch (error) {
    throw unwritable(asked, error)
  }
}

async function removeLeftovers(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)]
  for (const each of await readdir(folder)) {
    const writer = each.startsWith(name) ? TEMPORARY.exec(each.slice(name.length))?.[1] : undefined
    if (writer === undefined) continue
    const temporaryPath = join(folder, each)
    if (!(await isInUse(temporaryPath, Number(writer)))) await rm(temporaryPath, { force: true })
  }
}

/** Whether the writing process of a temporary file is alive, so that the temporary file of a running node is not removed. */
async function isInUse(temporaryPath: string, writer: number): Promise<boolean> {
  const found = await stat(temporaryPath).catch(() => undefined)
  return found !== undefined && isWriterAlive(writer, found.mtimeMs)
}

/** Writes a state file. @throws NodeError 'invalidState' if it cannot be written; the old file then remains */
export async function writeStateFile(
  { path, temporaryPath, mode }: StateFilePath,
  content: Readable,
): Promise<void> {
  try {
    // Only the owner can read the temporary file until it gets the permissions of the old file.
    await pipeline(content, createWriteStream(temporaryPath, mode === undefined ? {} : { mode: OWNER_ONLY }))
    await finishTemporary(temporaryPath, mode)
    await rename(temporaryPath, path)
  } catch (error) {
    // A temporary file that cannot be removed does no harm.
    await rm(temporaryPath, { force: true }).catch(() => undefined)
    throw unwritable(path, error)
  }
}

const unwritable = (path: string, cause: unknown): NodeError =>
  new NodeError('invalidState', `cannot write the state file ${path}: ${reasonOf(cause)}`, { cause })

/** Permissions of a file that only its owner can read and write. */
const OWNER_ONLY = 0o600

/** Sets the permissions and flushes the content to disk, because the rename must not reach the disk first. */
async function finishTemporary(path: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'r+')
  try {
    // The permissions of the old file, which creating the temporary one did not set.
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Loads a state file, which `load` may open several times. Returns false if the file does not exist.
 * @throws NodeError 'invalidState' with the path
 */
export async function readStateFile(
  path: string,
  load: (open: () => Readable) => Promise<void>,
): Promise<boolean> {
  try {
    await load(() => createReadStream(path))
    return true
  } catch (error) {
    const cause = error instanceof NodeError ? error.cause : error
    if (codeOf(cause) === 'ENOENT') return false
    throw new NodeError('invalidState', `cannot load ${path}: ${reasonOf(error)}`, { cause: error })
  }
}
