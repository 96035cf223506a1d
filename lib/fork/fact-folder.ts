/**
 * The folder of the facts of a fork. Each process that uses the fork appends to a file of its own, so that no process waits for
 * another. The id of the process is in the name of the file while the process may write it.
 */

import { readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../base/host.ts'
import { toHex } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import { isWriterAlive, ownProcess } from '../base/processes.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'
import { appendRecord, readRecords, unpackRecords } from './fact-file.ts'

/** A file of facts. */
export interface FactFile {
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** The live process that may write the file. */
  readonly writer: number | undefined
}

/** Name of a file of facts: the id of the writing process, and random digits. */
const NAME = /^(?:(\d+)-)?[0-9a-f]{16}\.facts$/

const RANDOM_BYTES = 8

/** Path of a new file that this process writes. */
export function newPath(folder: string, { random }: Host): string {
  return join(folder, `${ownProcess.id}-${toHex(random(RANDOM_BYTES)).slice(2)}.facts`)
}

/** Renames a file of this process, so that others know that it is complete. */
export function markComplete(path: string): Promise<void> {
  return rename(path, path.replace(/\d+-([0-9a-f]+\.facts)$/, '$1'))
}

/** The files in a folder; none if the folder does not exist. */
export async function listFactFiles(folder: string): Promise<readonly FactFile[]> {
  const names = await readdir(folder).catch(whenMissing([]))
  const files = await Promise.all(names.map((name) => describeFile(folder, name)))
  return files.filter((file) => file !== undefined)
}

async function describeFile(folder: string, name: string): Promise<FactFile | undefined> {
  const match = NAME.exec(name)
  const path = join(folder, name)
  const found = match === null ? undefined : await stat(path).catch(whenMissing(undefined))
  if (match === null || found === undefined) return undefined
  const id = match[1] === undefined ? undefined : Number(match[1])
  const isOpen = id !== undefined && isWriterAlive(id, found.mtimeMs)
  return { name, path, bytes: found.size, writer: isOpen ? id : undefined }
}

/** Replaces the error of a missing file or folder by a value. A file in the place of a folder counts as a missing folder. */
export function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (MISSING.includes(codeOf(error))) return value
    throw error
  }
}

const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR']

/** The facts of a folder. */
export interface LoadedFacts {
  /** Values by key. */
  readonly facts: Map<string, string>
  /** Small files that no process writes. */
  readonly small: readonly SmallFile[]
}

/** A small file, with the keys of its facts. */
interface SmallFile extends FactFile {
  readonly keys: readonly string[]
}

/** Bytes of a file that is not merged any more. */
const SMALL_BYTES = 4 * 1024 * 1024

/** Loads the facts of a folder. Says what is wrong with a file, and loads the rest. */
export async function loadFacts(
  folder: string,
  onFault: (path: string, fault: string) => void,
): Promise<LoadedFacts> {
  const facts = new Map<string, string>()
  const small: SmallFile[] = []
  const seen = new Set<string>()
  for (;;) {
    // Other processes rename, merge and remove files. The facts of a removed file are in a file with a name that is new.
    const files = (await listFactFiles(folder)).filter(({ name }) => !seen.has(name))
    if (files.length === 0) return { facts, small }
    for (const file of files) {
      seen.add(file.name)
      const loaded = await loadFile(file, facts, (fault) => onFault(file.path, fault))
      if (loaded !== undefined && file.writer === undefined && loaded.bytes < SMALL_BYTES) small.push(loaded)
    }
  }
}

/** Adds the facts of a file. Returns undefined if this release must leave the file as it is. */
async function loadFile(
  file: FactFile,
  facts: Map<string, string>,
  onFault: (fault: string) => void,
): Promise<SmallFile | undefined> {
  const keys: string[] = []
  try {
    const content = await readFile(file.path)
    const { records, isOwnFormat, fault } = readRecords(content)
    await unpackRecords(records, (key, value) => {
      facts.set(key, value)
      keys.push(key)
    })
    if (fault !== undefined) onFault(fault)
    return isOwnFormat ? { ...file, bytes: content.length, keys } : undefined
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') onFault(reasonOf(error))
    return undefined
  }
}

/** Number of small files from which they are merged. */
const MERGE_FROM = 8

/** Facts in a record of a merged file. */
const FACTS_PER_RECORD = 1000

/**
 * Merges small files into one. The facts of a file are in another one before it is removed, so a process that is killed here
 * loses nothing.
 */
export async function mergeSmallFiles(
  folder: string,
  { facts, small }: LoadedFacts,
  host: Host,
): Promise<void> {
  const [first, ...others] = small.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  if (first === undefined || small.length < MERGE_FROM) return
  // Only one process succeeds in renaming the first file. The others leave the merging to it.
  const claimed = { ...first, path: newPath(folder, host) }
  await rename(first.path, claimed.path)
  const merged = newPath(folder, host)
  const keys = [...new Set(small.flatMap((file) => file.keys))]
  for (let at = 0; at < keys.length; at += FACTS_PER_RECORD) {
    const part = keys.slice(at, at + FACTS_PER_RECORD)
    await appendRecord(
      merged,
      part.map((key) => [key, present(facts.get(key), key)]),
    )
  }
  if (keys.length > 0) await markComplete(merged)
  for (const file of [claimed, ...others]) await removeUnchanged(file)
}

/** Removes a file, unless a process that cannot be seen from here, as in another container, has appended to it. */
async function removeUnchanged({ path, bytes }: FactFile): Promise<void> {
  const found = await stat(path).catch(whenMissing(undefined))
  if (found?.size === bytes) await rm(path, { force: true })
}
