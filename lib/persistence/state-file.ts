/** State files on disk. A file is written beside its place and then put there in one step: it is whole at every moment. */

import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { NodeError } from '../base/errors.ts'
import { compressed, readLines, reasonOf } from './archive.ts'

/** Where a file is written: a draft beside it, which then takes its name. */
export interface StatePlace {
  readonly path: string
  readonly draft: string
}

/** What the names of drafts end with, behind what tells apart those of two nodes that write one file. */
const DRAFT = /^\.[0-9a-f]{8}\.draft$/

/** The place of a file; four random bytes make the draft the caller's own. */
export const placeOf = (path: string, random: Uint8Array): StatePlace => ({
  path,
  draft: `${path}.${Buffer.from(random).toString('hex')}.draft`,
})

/**
 * Tries whether the file can be written, before there is anything to lose, and removes the drafts of nodes that were killed.
 * @throws NodeError 'invalidState'
 */
export async function prepareStateFile({ path, draft }: StatePlace): Promise<void> {
  try {
    for (const left of await draftsOf(path)) await rm(left, { force: true })
    await (await open(draft, 'wx')).close()
    await rm(draft)
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory() === true) throw new NodeError('invalidState', 'it is a folder')
  } catch (error) {
    throw unwritable(path, error)
  }
}

async function draftsOf(path: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)]
  const names = await readdir(folder)
  return names
    .filter((each) => each.startsWith(name) && DRAFT.test(each.slice(name.length)))
    .map((each) => join(folder, each))
}

/** Writes lines as the file at a path. @throws NodeError 'invalidState' when it cannot be written; the old one is then still there */
export async function writeStateFile({ path, draft }: StatePlace, lines: Iterable<string>): Promise<void> {
  try {
    await pipeline(compressed(lines), createWriteStream(draft))
    await settle(draft)
    await rename(draft, path)
  } catch (error) {
    // What cannot be removed either is in the way of nothing.
    await rm(draft, { force: true }).catch(() => undefined)
    throw unwritable(path, error)
  }
}

const unwritable = (path: string, cause: unknown): NodeError =>
  new NodeError('invalidState', `cannot write the state file ${path}: ${reasonOf(cause)}`, { cause })

/** On the disk, not only on its way there: the name must not be on disk before the content. */
async function settle(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Has the lines of the file at a path loaded; false when there is none.
 * @throws NodeError 'invalidState' naming the file
 */
export async function readStateFile(
  path: string,
  load: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<boolean> {
  try {
    await load(readLines(createReadStream(path)))
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
