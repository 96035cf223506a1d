/** State files on disk. A file is written beside its place and then put there in one step: it is whole at every moment. */

import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { NodeError } from '../base/errors.ts'
import { compressed, readLines, reasonOf } from './archive.ts'

/** Writes lines as the file at a path. @throws NodeError 'invalidState' when it cannot be written; the old one is then still there */
export async function writeStateFile(path: string, lines: Iterable<string>): Promise<void> {
  const draft = `${path}.draft`
  try {
    await pipeline(compressed(lines), createWriteStream(draft))
    await settle(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new NodeError('invalidState', `cannot write the state file ${path}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

/** On the disk, not only on its way there: the name must not be on disk before the content. */
async function settle(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The lines of the file at a path; nothing when there is none. @throws NodeError 'invalidState' naming the file */
export async function readStateFile(path: string): Promise<readonly string[] | undefined> {
  try {
    return await readLines(createReadStream(path))
  } catch (error) {
    const cause = error instanceof NodeError ? error.cause : error
    if (isMissing(cause)) return undefined
    throw new NodeError('invalidState', `cannot load ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT'
}
