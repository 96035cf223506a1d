/** Lists, reads and writes whole keystore files on disk. key-file.ts parses their text. */

import { chmod, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NodeError } from '../base/errors.ts'

/** A file and its text. */
export interface StoredText {
  readonly name: string
  /** Path shown to users. */
  readonly path: string
  readonly text: string
}

/** Storage of keystore files. */
export interface KeyFiles {
  /** Reads all files, ordered by name. @throws NodeError 'invalidOption' naming the file that cannot be read */
  readonly readAll: () => Promise<readonly StoredText[]>
  /** Writes or replaces a file atomically: a reader sees the old text or the new one. @throws NodeError 'internal' */
  readonly write: (name: string, text: string) => Promise<void>
}

/** Keystore files in a folder of this machine, which is created if it is missing. */
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

/** Plain files, without hidden files and editors' backup copies (as geth, keystore/file_cache.go). */
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

/** Writes a temporary file in the same folder, then renames it. */
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
  // `open` applies the umask of the process to the mode, chmod does not.
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
