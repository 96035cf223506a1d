/** What is kept of a file of tests: on what it depended when it ran. In node_modules/.cache/dev-node/affected, a file for each. */

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
  /** Contracts that it ran or named, as `contracts/Token.sol:Token`. */
  contracts: hashes,
  /** Helpers, which runners take for tests, have none. */
  hasTests: z.boolean(),
  /** What makes it run again in any case, such as skipped tests. */
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
  // Not flushed to the disk, as a report is: without a record the file runs.
  const draft = temporaryPathOf(path)
  writeFileSync(draft, JSON.stringify(record))
  renameSync(draft, path)
}

/** Folder of the records, from the root of the project on. */
export const RECORDS_FOLDER = join('node_modules', '.cache', 'dev-node', 'affected')

const recordPath = (file: string, root: string): string =>
  join(
    root,
    RECORDS_FOLDER,
    `${createHash('sha256').update(relative(root, file)).digest('hex').slice(0, 32)}.json`,
  )
