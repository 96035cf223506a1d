/**
 * The format of a file of facts: a line with format and version, then records. A record has its length, the CRC-32 of the
 * rest, the number of its facts, the bytes of their text, and the text, compressed: a line for each key and for each value. Files
 * only grow, so that a process that is killed leaves an incomplete record at the end, which readers drop.
 */

import { mkdir, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { codeOf } from '../base/system-errors.ts'
import { crc32 } from '../crypto/crc32.ts'

/** Version of the format. It rises with every change that older releases would misread. */
const VERSION = 1

const FIRST_LINE = Buffer.from(`dev-node-facts ${VERSION}\n`)

/** The first line of any version. */
const ANY_FIRST_LINE = /^dev-node-facts (\d+)\n/

/** Bytes of a length, of a checksum and of a number. */
const WORD_BYTES = 4

/** A fact as text: its key and its value in JSON. */
export type FactText = readonly [key: string, value: string]

/** A record of a file. */
export interface FactRecord {
  readonly facts: number
  readonly textBytes: number
  readonly compressed: Uint8Array
}

/** The content of a file. */
interface FactFileContent {
  readonly records: readonly FactRecord[]
  /** Whether this release writes such files. */
  readonly isOwnFormat: boolean
  /** What is wrong with the file. An incomplete record at the end is not wrong. */
  readonly fault?: string
}

/** Reads the records of a file. */
export function readRecords(file: Buffer): FactFileContent {
  if (FIRST_LINE.subarray(0, file.length).equals(file)) return { records: [], isOwnFormat: true }
  if (!file.subarray(0, FIRST_LINE.length).equals(FIRST_LINE)) {
    const version = ANY_FIRST_LINE.exec(file.toString('latin1', 0, 40))?.[1]
    const fault =
      version === undefined
        ? 'it is not a file of facts'
        : `it has version ${version}; this release reads version ${VERSION}`
    return { records: [], isOwnFormat: false, fault }
  }
  const records: FactRecord[] = []
  let damagedAt: number | undefined
  for (let at = FIRST_LINE.length; ;) {
    const body = bodyAt(file, at)
    if (body === undefined) break
    if (crc32(body) === file.readUInt32LE(at + WORD_BYTES)) records.push(recordIn(body))
    else damagedAt ??= at
    at += 2 * WORD_BYTES + body.length
  }
  if (damagedAt === undefined) return { records, isOwnFormat: true }
  return { records, isOwnFormat: true, fault: `the record at byte ${damagedAt} is damaged` }
}

/** The checked part of a record; undefined if the rest of the file is not a whole record. */
function bodyAt(file: Buffer, at: number): Buffer | undefined {
  const start = at + 2 * WORD_BYTES
  if (start > file.length) return undefined
  const length = file.readUInt32LE(at)
  // After a power failure, a file may end with zeros.
  return length < 2 * WORD_BYTES || start + length > file.length
    ? undefined
    : file.subarray(start, start + length)
}

function recordIn(body: Buffer): FactRecord {
  const [facts, textBytes] = [body.readUInt32LE(), body.readUInt32LE(WORD_BYTES)]
  return { facts, textBytes, compressed: body.subarray(2 * WORD_BYTES) }
}

/** Passes each fact of the records to the function. */
export async function unpackRecords(
  records: readonly FactRecord[],
  onFact: (...fact: FactText) => void,
): Promise<void> {
  await Promise.all(
    records.map(async ({ compressed, textBytes }) => {
      // A buffer of the right size takes half of the time of one that grows.
      const text = await promisify(inflateRaw)(compressed, { chunkSize: textBytes + MIN_FREE_BYTES })
      unpackText(text.toString(), onFact)
    }),
  )
}

/** Free bytes behind the decompressed text, without which the decompressor makes another buffer. */
const MIN_FREE_BYTES = 64

function unpackText(text: string, onFact: (...fact: FactText) => void): void {
  for (let at = 0; at < text.length;) {
    const keyEnd = text.indexOf('\n', at)
    const valueEnd = text.indexOf('\n', keyEnd + 1)
    onFact(text.slice(at, keyEnd), text.slice(keyEnd + 1, valueEnd))
    at = valueEnd + 1
  }
}

/** Appends a record to a file, which is made if it is missing. Without facts, it only makes the file. */
export async function appendRecord(path: string, facts: readonly FactText[]): Promise<void> {
  const record = facts.length === 0 ? Buffer.alloc(0) : await packRecord(facts)
  const file = await openToAppend(path)
  try {
    const { size } = await file.stat()
    const isBegun = size >= FIRST_LINE.length
    if (size > 0 && !isBegun) await file.truncate()
    const content = isBegun ? record : Buffer.concat([FIRST_LINE, record])
    // A part of a record, as on a full disk, would hide the records that a later write appends.
    await file.writeFile(content).catch(async (error: unknown) => {
      await file.truncate(isBegun ? size : 0)
      throw error
    })
  } finally {
    await file.close()
  }
}

async function packRecord(facts: readonly FactText[]): Promise<Buffer> {
  const text = Buffer.from(facts.map(([key, value]) => `${key}\n${value}\n`).join(''))
  const body = Buffer.concat([word(facts.length), word(text.length), await promisify(deflateRaw)(text)])
  return Buffer.concat([word(body.length), word(crc32(body)), body])
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(WORD_BYTES)
  bytes.writeUInt32LE(value)
  return bytes
}

async function openToAppend(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true })
    return await open(path, 'a')
  }
}
