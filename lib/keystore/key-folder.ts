/** Keystore files on disk: listing, reading and writing whole files. What is in them is key-file.ts' business. */

import { chmod, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NodeError } from '../base/errors.ts'

/** A file and its text. */
export interface StoredText {
  readonly name: string
  /** How people find it. */
  readonly path: string
  readonly text: string
}

/** A place for keystore files. */
export interface KeyFiles {
  /** Every file, in the order of their names. @throws NodeError 'invalidOption' naming the file that cannot be read */
  readonly readAll: () => Promise<readonly StoredText[]>
  /** Writes a file, or replaces it: whoever reads it sees the whole text or the old one. @throws NodeError 'internal' */
  readonly write: (name: string, text: string) => Promise<void>
}

/** A folder of this machine; it is made when it is missing. */
export function keyFolder(folder: string): KeyFiles {
  const home = resolve(folder)
  return {
    readAll: async () => {
      await attempt('invalidOption', `cannot open the keystore folder ${home}`, () =>
        mkdir(home, { recursive: true, mode: 0o700 }),
      )
      const names = await attempt('invalidOption', `cannot list the keystore folder ${home}`, () =>
        namesIn(home),
      )
      return Promise.all(names.map((name) => readOne(name, join(home, name))))
    },
    write: (name, text) =>
      attempt('internal', `cannot write the keystore file ${join(home, name)}`, () =>
        replaceFile(home, name, text),
      ),
  }
}

/** Plain files, without hidden ones and the copies editors leave (as geth, keystore/file_cache.go). */
async function namesIn(home: string): Promise<readonly string[]> {
  const entries = await readdir(home, { withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.endsWith('~'))
    .map(({ name }) => name)
    .sort()
}

async function readOne(name: string, path: string): Promise<StoredText> {
  const text = await attempt('invalidOption', `cannot read the keystore file ${path}`, () =>
    readFile(path, 'utf8'),
  )
  return { name, path, text }
}

/** Beside its place first, then into it in one step. */
async function replaceFile(home: string, name: string, text: string): Promise<void> {
  const temporary = join(home, `.${name}.tmp`)
  await rm(temporary, { force: true })
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  // Whatever the process takes away from new files.
  await chmod(temporary, 0o600)
  await rename(temporary, join(home, name))
}

async function attempt<T>(
  kind: 'invalidOption' | 'internal',
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NodeError(kind, `${what}: ${reason}`, { cause: error })
  }
}
