/** The record of a test file: what it depended on when it ran. Each is a file in node_modules/.cache/dev-node/affected. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as z from 'zod'
import { temporaryPathOf } from '../../base/replace-file.ts'

const hashes = z.record(z.string(), z.string())

const testRecord = z.strictObject({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Hash of the settings and the versions of the run (affected-run.ts). */
  settings: z.string(),
  modules: hashes,
  /** Contracts that the file ran or named, as `contracts/Token.sol:Token`. */
  contracts: hashes,
  /** False for helpers, which runners take for test files. */
  hasTests: z.boolean(),
  /** What makes the file run again in any case, such as skipped tests. */
  doubts: z.array(z.string()),
})

export type TestRecord = Readonly<z.infer<typeof testRecord>>

export const FAILED = 'failed tests'

/** Reads the record of a file; undefined without one, or if it is of another version. */
export function readRecord(file: string, root: string): TestRecord | undefined {
  const path = recordPath(file, root)
  if (!existsSync(path)) return undefined
  try {
    return testRecord.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

export function writeRecord(file: string, root: string, record: TestRecord): void {
  const path = recordPath(file, root)
  mkdirSync(dirname(path), { recursive: true })
  // Unlike a report, a record is not flushed to disk: without it the file simply runs.
  const draft = temporaryPathOf(path)
  writeFileSync(draft, JSON.stringify(record))
  renameSync(draft, path)
}

/** Folder of the records, relative to the project root. */
export const RECORDS_FOLDER = join('node_modules', '.cache', 'dev-node', 'affected')

const recordPath = (file: string, root: string): string =>
  join(
    root,
    RECORDS_FOLDER,
    `${createHash('sha256').update(relative(root, file)).digest('hex').slice(0, 32)}.json`,
  )
