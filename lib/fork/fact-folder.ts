/**
 * The folder of the facts of a fork. Each process that uses the fork appends to a file of its own, so that no process waits for
 * another. The id of the process is in the name of the file while the process may write it.
 */

import { readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../base/host.ts'
import { toHex } from '../base/hex.ts'
import { isWriterAlive, ownProcess } from '../base/processes.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'
import { appendRecord, readRecords, unpackRecords } from './fact-file.ts'
import type { FactRecord } from './fact-file.ts'

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

/** Loads the facts of a folder: values by key. Says what is wrong with a file, and loads the rest. */
export async function loadFacts(
  folder: string,
  onFault: (path: string, fault: string) => void,
): Promise<Map<string, string>> {
  const facts = new Map<string, string>()
  const seen = new Set<string>()
  for (;;) {
    // Other processes rename, merge and remove files. The facts of a removed file are in a file with a name that is new.
    const files = (await listFactFiles(folder)).filter(({ name }) => !seen.has(name))
    if (files.length === 0) return facts
    for (const { name, path } of files) {
      seen.add(name)
      const fault = await loadFile(path, facts)
      if (fault !== undefined) onFault(path, fault)
    }
  }
}

/** Adds the facts of a file. Returns what is wrong with it. */
async function loadFile(path: string, facts: Map<string, string>): Promise<string | undefined> {
  try {
    const { records, fault } = readRecords(await readFile(path))
    await unpackRecords(records, (key, value) => facts.set(key, value))
    return fault
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : reasonOf(error)
  }
}

/** Bytes of a file that is not merged any more. */
const SMALL_BYTES = 4 * 1024 * 1024

/** Number of small files from which they are merged. */
const MERGE_FROM = 8

/** Facts in a record of a merged file. */
const FACTS_PER_RECORD = 1000

/**
 * Merges small files of ended processes into one. The facts of a file are in another one before it is removed, so a process that
 * is killed here loses nothing.
 */
export async function mergeSmallFiles(folder: string, host: Host): Promise<void> {
  const small = await readSmallFiles(folder)
  const [first, ...others] = small
  if (first === undefined || small.length < MERGE_FROM) return
  // Only one process succeeds in renaming the first file. The others leave the merging to it.
  const claimed = { ...first, path: newPath(folder, host) }
  await rename(first.path, claimed.path)
  const facts = new Map<string, string>()
  for (const { records } of small) await unpackRecords(records, (key, value) => facts.set(key, value))
  const merged = newPath(folder, host)
  const texts = [...facts]
  for (let at = 0; at < texts.length; at += FACTS_PER_RECORD)
    await appendRecord(merged, texts.slice(at, at + FACTS_PER_RECORD))
  if (texts.length > 0) await markComplete(merged)
  for (const file of [claimed, ...others]) await removeUnchanged(file)
}

/** A file to merge. */
interface SmallFile {
  readonly path: string
  readonly bytes: number
  readonly records: readonly FactRecord[]
}

/** The small files that no process writes, by name; none if there are too few to merge. */
async function readSmallFiles(folder: string): Promise<readonly SmallFile[]> {
  const files = (await listFactFiles(folder))
    .filter(({ writer, bytes }) => writer === undefined && bytes < SMALL_BYTES)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  if (files.length < MERGE_FROM) return []
  const small: SmallFile[] = []
  for (const { path } of files) {
    const content = await readFile(path).catch(whenMissing(undefined))
    if (content === undefined) continue
    const { records, isOwnFormat } = readRecords(content)
    if (isOwnFormat) small.push({ path, bytes: content.length, records })
  }
  return small
}

/** Removes a file, unless a process that cannot be seen from here, as in another container, has appended to it. */
async function removeUnchanged({ path, bytes }: SmallFile): Promise<void> {
  const found = await stat(path).catch(whenMissing(undefined))
  if (found?.size === bytes) await rm(path, { force: true })
}
