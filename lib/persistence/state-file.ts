/** Reads and writes state files on disk. A file is written to a draft and then renamed, so it is complete at any time. */

import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { NodeError } from '../base/errors.ts'
import { isAlive, ownProcess } from '../base/processes.ts'
import { reasonOf } from './archive.ts'

/** The path of a state file, and the draft that is renamed to it. */
export interface StateFilePath {
  readonly path: string
  readonly draft: string
  /** Permissions of the existing file. */
  readonly mode: number | undefined
}

/** End of the names of drafts: id of the writing process, and random digits that differ per node. */
const DRAFT = /^\.(\d+)-[0-9a-f]{8}\.draft$/

/**
 * Prepares the path of a state file; four random bytes make the name of the draft unique. Checks that the file can be
 * written before a run starts, removes the drafts of killed nodes, and follows symbolic links.
 * @throws NodeError 'invalidState'
 */
export async function prepareStateFile(asked: string, random: Uint8Array): Promise<StateFilePath> {
  try {
    const found = await stat(asked).catch(() => undefined)
    if (found?.isFile() === false) throw new NodeError('invalidState', 'it is not a file')
    const path = found === undefined ? asked : await realpath(asked)
    const draft = `${path}.${ownProcess.id}-${Buffer.from(random).toString('hex')}.draft`
    await removeDrafts(path)
    await (await open(draft, 'wx')).close()
    await rm(draft)
    return { path, draft, mode: found?.mode }
  } catch (error) {
    throw unwritable(asked, error)
  }
}

async function removeDrafts(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)]
  for (const each of await readdir(folder)) {
    const writer = each.startsWith(name) ? DRAFT.exec(each.slice(name.length))?.[1] : undefined
    if (writer === undefined) continue
    const draft = join(folder, each)
    if (!(await isInUse(draft, Number(writer)))) await rm(draft, { force: true })
  }
}

/** Whether the writing process of a draft is alive, so that the draft of a running node is not removed. */
async function isInUse(draft: string, writer: number): Promise<boolean> {
  if (writer !== ownProcess.id) return isAlive(writer)
  // In a container a process often has the same id as its predecessor, whose drafts are older than this process.
  const found = await stat(draft).catch(() => undefined)
  return found !== undefined && found.mtimeMs >= ownProcess.beganAtMs
}

/** Writes a state file. @throws NodeError 'invalidState' if it cannot be written; the old file then remains */
export async function writeStateFile({ path, draft, mode }: StateFilePath, content: Readable): Promise<void> {
  try {
    // The draft has restrictive permissions until it gets those of the old file.
    await pipeline(content, createWriteStream(draft, mode === undefined ? {} : { mode: OWNER_ONLY }))
    await finishDraft(draft, mode)
    await rename(draft, path)
  } catch (error) {
    // A draft that cannot be removed does no harm.
    await rm(draft, { force: true }).catch(() => undefined)
    throw unwritable(path, error)
  }
}

const unwritable = (path: string, cause: unknown): NodeError =>
  new NodeError('invalidState', `cannot write the state file ${path}: ${reasonOf(cause)}`, { cause })

/** Permissions of a file that only its owner can read and write. */
const OWNER_ONLY = 0o600

/** Sets the permissions and flushes the content to disk, because the rename must not reach the disk first. */
async function finishDraft(path: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'r+')
  try {
    // The umask of the process reduces the permissions of a new file.
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Loads a state file, which `load` may open several times. Answers false if the file does not exist.
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
    if (isMissing(cause)) return false
    throw new NodeError('invalidState', `cannot load ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT'
}
