/**
 * Immutable answers of a remote about one block: in memory, and in a file to which all processes append that use the fork. Each
 * record is a line: compressed text as base64, a point, and the CRC-32 of the base64. The text has one line for each key and one
 * for each value. A line break precedes each record, so that the partial record of a killed process or a full disk damages no
 * other.
 */

import { mkdir, open, readFile, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateRaw, inflateRaw } from 'node:zlib'
import type { Host } from '../base/host.ts'
import { invariant } from '../base/invariant.ts'
import { reasonOf, whenMissing } from '../base/system-errors.ts'
import { markUse } from '../base/file-claim.ts'

/** Path of the facts in the folder of a fork. The name changes with every format that older releases would misread. */
export const factsPath = (folder: string): string => join(folder, 'facts-2')

/** Milliseconds from the first added fact to the write of a record. */
const WRITE_AFTER_MS = 100

/** From this many characters on, added facts are written at once. */
const WRITE_FROM_LENGTH = 256 * 1024

/** Milliseconds after a failure until the facts are written again. */
const RETRY_AFTER_MS = 5000

/** The clock of a store on the disk, and its faults. */
export interface StoreDependencies {
  readonly host: Host
  /** Called with the fault of a file. The rest of the file is used. */
  readonly onFault: (path: string, fault: string) => void
  /** Called when a write fails; it is tried again. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Stores facts about one block of a chain: its state, and history up to it. It keeps the text of each value: a start need not parse
 * them, a caller cannot change them, and a value is the same whether it comes from the remote or from the disk.
 */
export class FactStore {
  readonly #facts: Map<string, string>
  readonly #file: ReturnType<typeof factFile> | undefined

  /** A store in memory that starts with the given facts. Added facts also go to the file. */
  constructor(facts = new Map<string, string>(), file?: ReturnType<typeof factFile>) {
    this.#facts = facts
    this.#file = file
  }

  /** Opens the store in a fork's folder. Disk faults are reported, and the store then works without the disk. */
  static async open(folder: string, dependencies: StoreDependencies): Promise<FactStore> {
    const path = factsPath(folder)
    // A folder that cannot be written matters only when there is a fact to write: a complete cache needs no writes.
    const marked = mkdir(folder, { recursive: true }).then(() => markUse(path))
    const file = factFile(path, dependencies, await marked.catch(() => undefined))
    try {
      const { facts, fault, mended } = await readFacts(path)
      if (fault !== undefined) dependencies.onFault(path, `${fault} and ${await replaceBytes(path, mended)}`)
      return new FactStore(facts, file)
    } catch (error) {
      dependencies.onFault(path, reasonOf(error))
      return new FactStore(new Map(), file)
    }
  }

  get(key: string): unknown {
    const text = this.#facts.get(key)
    return text === undefined ? undefined : JSON.parse(text)
  }

  /** Adds a fact whose value is JSON. The first value of a key stays, because facts are immutable. */
  put(key: string, value: unknown): void {
    if (this.#facts.has(key)) return
    // Keys and values take one line each.
    invariant(!key.includes('\n'), 'a key of a fact contains a line break')
    this.#add(key, JSON.stringify(value))
  }

  /** Adds facts whose values are JSON texts. Returns how many were added, and how many conflict with a value here, which stays. */
  merge(facts: ReadonlyMap<string, string>) {
    let [added, differing] = [0, 0]
    for (const [key, text] of facts) {
      const known = this.#facts.get(key)
      if (known !== undefined) differing += Number(known !== text)
      else {
        this.#add(key, text)
        added++
      }
    }
    return { added, differing }
  }

  #add(key: string, text: string): void {
    this.#facts.set(key, text)
    this.#file?.add(`${key}\n${text}\n`)
  }

  /** Writes what is not on disk yet. Do not use the store afterwards. */
  async close(): Promise<void> {
    await this.#file?.close()
  }
}

/**
 * Appends facts to a file some time after they are added, so that no request waits for the disk. `endUse` ends the mark that shows
 * other processes that the fork is in use; it is absent if there is no mark.
 */
function factFile(
  path: string,
  { host, onFailure }: StoreDependencies,
  endUse: (() => Promise<void>) | undefined,
) {
  let added = ''
  let isFailing = false
  /** Resolves when all facts taken from `added` are written. */
  let writing = Promise.resolve()
  let cancelWrite = (): void => undefined
  const writeAfter = (ms: number): void => {
    cancelWrite()
    cancelWrite = host.schedule(ms, write)
  }
  function write(): void {
    cancelWrite()
    if (added === '') return
    const text = added
    added = ''
    writing = writing.then(() => appendFacts(text))
  }
  async function appendFacts(text: string): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true })
      await append(path, await packRecord(text))
      isFailing = false
    } catch (error) {
      // The facts stay in memory.
      added = text + added
      isFailing = true
      writeAfter(RETRY_AFTER_MS)
      onFailure(error)
    }
  }
  return {
    add(text: string): void {
      if (added === '') writeAfter(WRITE_AFTER_MS)
      added += text
      if (added.length >= WRITE_FROM_LENGTH && !isFailing) write()
    },
    /** Writes the added facts, and ends the use. A folder without facts is removed. */
    async close(): Promise<void> {
      write()
      await writing
      cancelWrite()
      await endUse?.().catch(() => undefined)
      // This fails if the folder has files.
      await rmdir(dirname(path)).catch(() => undefined)
    },
  }
}

async function packRecord(text: string): Promise<Buffer> {
  const packed = (await promisify(deflateRaw)(text)).toString('base64')
  return Buffer.from(`\n${packed}.${checksum(Buffer.from(packed))}\n`)
}

/** Appends a record in one write, which the system does not mix with writes of other processes. */
async function append(path: string, record: Buffer): Promise<void> {
  const file = await open(path, 'a')
  try {
    const { bytesWritten } = await file.write(record)
    // After a partial write, as on a full disk, another process may have written. The rest alone would be useless.
    if (bytesWritten < record.length) await file.writeFile(record)
  } finally {
    await file.close()
  }
}

const checksum = (packed: Uint8Array): string => crc32(packed).toString(16).padStart(CHECKSUM_LENGTH, '0')

const CHECKSUM_LENGTH = 8

/** Overwrites a file's damaged records, and reports it. Nothing moves, so what other processes append meanwhile stays. */
const replaceBytes = (path: string, mended: Buffer): Promise<string> =>
  writeFile(path, mended, { flag: 'r+' }).then(
    () => 'was removed',
    (error: unknown) => `cannot be removed: ${reasonOf(error)}`,
  )

/**
 * The facts in a file: values as JSON by key. For a damaged file also the fault, and its bytes with line breaks in place of damaged
 * records. A missing file has no facts.
 */
export async function readFacts(path: string) {
  const file = await readFile(path).catch(whenMissing(Buffer.alloc(0)))
  const records: Promise<Buffer>[] = []
  let damagedAt: number | undefined
  for (let start = 0; start < file.length;) {
    const lineBreak = file.indexOf('\n', start)
    const end = lineBreak < 0 ? file.length : lineBreak
    const point = end - CHECKSUM_LENGTH - 1
    const packed = file.subarray(start, point)
    const isFinished = point > start && file[point] === POINT
    if (isFinished && file.toString('latin1', point + 1, end) === checksum(packed))
      records.push(promisify(inflateRaw)(Buffer.from(packed.toString('latin1'), 'base64')))
    else if (isFinished || FOREIGN.test(file.toString('latin1', start, end))) {
      damagedAt ??= start
      file.fill('\n', start, end)
    }
    start = end + 1
  }
  const facts = new Map<string, string>()
  for (const record of await Promise.all(records)) addFacts(facts, record)
  const fault = damagedAt === undefined ? undefined : `the record at byte ${damagedAt} is damaged`
  return { facts, mended: file, fault }
}

const POINT = '.'.charCodeAt(0)

/** Characters that no part of a record contains. After a power failure, a file may end with zeros. */
const FOREIGN = /[^A-Za-z0-9+/=.\0]/

/** Adds facts, whose keys and values take one line each. If a key occurs twice, the first value stays. */
export function addFacts(facts: Map<string, string>, lines: Buffer): void {
  for (let at = 0; at < lines.length;) {
    const keyEnd = lines.indexOf('\n', at)
    const valueEnd = lines.indexOf('\n', keyEnd + 1)
    if (keyEnd < 0 || valueEnd < 0) return
    const key = lines.toString('utf8', at, keyEnd)
    if (!facts.has(key)) facts.set(key, lines.toString('utf8', keyEnd + 1, valueEnd))
    at = valueEnd + 1
  }
}
