/** State files on disk. A file is written beside its place and then put there in one step: it is whole at every moment. */

import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { NodeError } from '../base/errors.ts'
import { isAlive, ownProcess } from '../base/processes.ts'
import { reasonOf } from './archive.ts'

/** Where a file is written: a draft beside it, which then takes its name. */
export interface StatePlace {
  readonly path: string
  readonly draft: string
  /** Permissions of the file that was there. */
  readonly mode: number | undefined
}

/** What the names of drafts end with: the process that writes it, and what tells apart those of its nodes. */
const DRAFT = /^\.(\d+)-[0-9a-f]{8}\.draft$/

/**
 * The place of a file; four random bytes make the draft the caller's own. Tries whether the file can be written, before
 * there is anything to lose, and removes the drafts of nodes that were killed. Of a link that leads to a file, it is that file.
 * @throws NodeError 'invalidState'
 */
export async function prepareStateFile(asked: string, random: Uint8Array): Promise<StatePlace> {
  try {
    const found = await stat(asked).catch(() => undefined)
    if (found?.isFile() === false) throw new NodeError('invalidState', 'it is no file')
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
    if (!(await isBeingWritten(draft, Number(writer)))) await rm(draft, { force: true })
  }
}

/** Whether the process that began a draft is alive: another node with the same file is not to lose what it writes. */
async function isBeingWritten(draft: string, writer: number): Promise<boolean> {
  if (writer !== ownProcess.id) return isAlive(writer)
  // In a container every process has the number of the one before it, whose drafts are told by their age.
  const found = await stat(draft).catch(() => undefined)
  return found !== undefined && found.mtimeMs >= ownProcess.beganAtMs
}

/** Writes the file at a path. @throws NodeError 'invalidState' when it cannot be written; the old one is then still there */
export async function writeStateFile({ path, draft, mode }: StatePlace, content: Readable): Promise<void> {
  try {
    // Nobody reads the draft of a file that not everybody may read.
    await pipeline(content, createWriteStream(draft, mode === undefined ? {} : { mode: OWNER_ONLY }))
    await settle(draft, mode)
    await rename(draft, path)
  } catch (error) {
    // What cannot be removed either is in the way of nothing.
    await rm(draft, { force: true }).catch(() => undefined)
    throw unwritable(path, error)
  }
}

const unwritable = (path: string, cause: unknown): NodeError =>
  new NodeError('invalidState', `cannot write the state file ${path}: ${reasonOf(cause)}`, { cause })

/** Permissions of a file that its owner alone reads and writes. */
const OWNER_ONLY = 0o600

/** On the disk, not only on its way there: the name must not be on disk before the content. With the permissions given. */
async function settle(path: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'r+')
  try {
    // Those that a file is made with are cut by the mask of the process.
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Loads the file at a path, which may be opened several times; false when the file does not exist.
 * @throws NodeError 'invalidState' naming the file
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
