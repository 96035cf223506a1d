/** Lists, reads and writes keystore files on disk, and rejects duplicates. key-file.ts parses their text. */

import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NodeError, trouble } from '../base/errors.ts'
import { claimFile, type OwnFile } from '../base/file-claim.ts'
import { replaceFile } from '../base/replace-file.ts'
import type { Address } from '../base/hex.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'
import { readKeyFile, type EncryptedKey, type KeyFile } from './key-file.ts'

export interface KeyFiles {
  /** Reads all keys by address, ordered by file name. @throws NodeError 'invalidOption' naming the file that is wrong */
  readonly readAll: () => Promise<ReadonlyMap<Address, StoredKey>>
  /** Writes or replaces a file atomically: a reader sees the old text or the new one. @throws NodeError 'internal' */
  readonly write: (name: string, text: string) => Promise<void>
}

/** Keystore files in a folder of this machine, which `claimKeyFolder` creates. */
export function keyFolder(folder: string): KeyFiles {
  const home = resolve(folder)
  return {
    readAll: () => readKeys(home),
    write: (name, text) =>
      attempt('internal', `cannot write the keystore file ${join(home, name)}`, () =>
        replaceFile({ path: join(home, name), temporaryPath: join(home, `.${name}.tmp`), mode: 0o600 }, text),
      ),
  }
}

export interface StoredKey {
  readonly encrypted: EncryptedKey
  readonly file: string
}

async function readKeys(home: string): Promise<ReadonlyMap<Address, StoredKey>> {
  const names = await attempt('invalidOption', `cannot list the keystore folder ${home}`, () => namesIn(home))
  const keys = new Map<Address, StoredKey>()
  for (const file of names) {
    const path = join(home, file)
    const { address, encrypted } = await readKey(path)
    if (address === undefined) throw unreadable(path, 'it does not say the address of its key')
    const other = keys.get(address)?.file
    if (other !== undefined) throw unreadable(path, `${other} holds a key of ${address} already`)
    keys.set(address, { encrypted, file })
  }
  return keys
}

async function readKey(path: string): Promise<KeyFile> {
  const what = `cannot read the keystore file ${path}`
  const text = await attempt('invalidOption', what, () => readFile(path, 'utf8'))
  try {
    return readKeyFile(text)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    throw unreadable(path, error.message, error)
  }
}

const unreadable = (path: string, reason: string, cause?: unknown): NodeError =>
  trouble('DN-KEYS', `${path} is not a keystore file: ${reason}`, cause)

/** With these errors a folder can be read but not written, so it needs no claim. */
const READ_ONLY: readonly (string | undefined)[] = ['EACCES', 'EPERM', 'EROFS']

/**
 * Claims a folder of keystore files, which is created if it is missing, for this node, and removes what killed nodes left.
 * @throws NodeError 'invalidOption', also if another node uses it
 */
export async function claimKeyFolder(folder: string): Promise<OwnFile> {
  const home = resolve(folder)
  return attempt('invalidOption', `cannot open the keystore folder ${home}`, async () => {
    await mkdir(home, { recursive: true, mode: 0o700 })
    try {
      const loss = 'every account that it answered is there'
      const title = `the keystore folder ${home}`
      const { findings, release } = await claimFile({ path: join(home, CLAIM), title, loss })
      return { findings: [...findings, ...(await removeUnfinished(home))], release }
    } catch (error) {
      if (READ_ONLY.includes(codeOf(error))) return { findings: [], release: () => Promise.resolve() }
      throw error
    }
  })
}

/** Claims are hidden files whose names begin with this. */
const CLAIM = '.dev-node'

/** Removes the temporary files of killed nodes. Returns a sentence for each. */
async function removeUnfinished(home: string): Promise<readonly string[]> {
  const names = (await readdir(home)).filter((name) => /^\..+\.tmp$/.test(name))
  for (const name of names) await rm(join(home, name), { force: true })
  return names.map((name) => `removed ${join(home, name)}, a keystore file that a killed node did not finish`)
}

/** Plain files, without hidden files and editors' backup copies (as geth, keystore/file_cache.go). */
async function namesIn(home: string): Promise<readonly string[]> {
  const entries = await readdir(home, { withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.endsWith('~'))
    .map(({ name }) => name)
    .sort()
}

async function attempt<T>(
  kind: 'invalidOption' | 'internal',
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw new NodeError(kind, `${what}: ${reasonOf(error)}`, { cause: error, code: 'DN-KEYS' })
  }
}
