/** Reads and writes state files on disk, each of one node. replace-file.ts keeps them complete at any time. */

import { createReadStream } from 'node:fs'
import { open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { NodeError } from '../../base/errors.ts'
import { claimFile, type OwnFile } from '../../base/file-claim.ts'
import { replaceFile, temporaryPathOf, type FileReplacement } from '../../base/replace-file.ts'
import { codeOf, reasonOf } from '../../base/system-errors.ts'
import { invalidState } from './records.ts'

/** A state file that this node alone writes. */
export interface OwnStateFile extends FileReplacement, OwnFile {}

/** Suffix of temporary files: the id of the writing process, and random digits that differ between nodes. */
const TEMPORARY = /^\.(\d+)-[0-9a-f]{8}\.draft$/

/**
 * Prepares a state file: claims it, checks that it can be written before a run starts, removes the temporary files of killed
 * nodes, and follows symbolic links.
 * @throws NodeError 'invalidState'; 'invalidOption' if another node uses it
 */
export async function prepareStateFile(asked: string): Promise<OwnStateFile> {
  try {
    const found = await stat(asked).catch(() => undefined)
    if (found?.isFile() === false) throw invalidState('it is not a file')
    const path = found === undefined ? asked : await realpath(asked)
    const loss = 'what it did after the last write of the file is lost'
    const claim = await claimFile({ path, title: `the state file ${path}`, loss })
    const temporaryPath = temporaryPathOf(path)
    const removed = await removeLeftovers(path)
    await (await open(temporaryPath, 'wx')).close()
    await rm(temporaryPath)
    const findings = [...claim.findings, ...removed]
    return { path, temporaryPath, mode: found?.mode, findings, release: claim.release }
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'invalidOption') throw error
    throw unwritable(asked, error)
  }
}

/** Removes the temporary files of killed nodes: the claim is that of this node. Returns a sentence for each. */
async function removeLeftovers(path: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)]
  const removed: string[] = []
  for (const each of await readdir(folder)) {
    const writer = each.startsWith(name) ? TEMPORARY.exec(each.slice(name.length))?.[1] : undefined
    if (writer === undefined) continue
    const temporaryPath = join(folder, each)
    await rm(temporaryPath, { force: true })
    removed.push(
      `removed ${temporaryPath}, which the process ${writer} did not finish; the state file is that of the last finished write`,
    )
  }
  return removed
}

/** Writes a state file. @throws NodeError 'invalidState' if it cannot be written; the old file then remains */
export async function writeStateFile(file: FileReplacement, content: Readable): Promise<void> {
  try {
    await replaceFile(file, content)
  } catch (error) {
    throw unwritable(file.path, error)
  }
}

const unwritable = (path: string, cause: unknown): NodeError =>
  invalidState(`cannot write the state file ${path}: ${reasonOf(cause)}`, cause)

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
    throw invalidState(`cannot load ${path}: ${reasonOf(error)}; ${REMEDY}`, error)
  }
}

const REMEDY = 'the file was not changed; to begin a new chain, move it away or name another one'
