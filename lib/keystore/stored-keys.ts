/** Reads the keys of all keystore files and rejects duplicates. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import { readKeyFile } from './key-file.ts'
import type { KeyFile } from './key-file.ts'
import type { KeyFiles, StoredText } from './key-folder.ts'
import type { EncryptedKey } from './encrypted-key.ts'

/** An encrypted key and the name of its file. */
export interface StoredKey {
  readonly encrypted: EncryptedKey
  readonly file: string
}

/** Reads all keys by address, ordered by file name. @throws NodeError 'invalidOption' naming the file that is wrong */
export async function readStoredKeys(files: KeyFiles): Promise<ReadonlyMap<Address, StoredKey>> {
  const found = new Map<Address, StoredKey>()
  for (const stored of await files.readAll()) {
    const { address, encrypted } = readOne(stored)
    if (address === undefined) throw unreadable(stored, 'it does not say the address of its key')
    const other = found.get(address)?.file
    if (other !== undefined) throw unreadable(stored, `${other} holds a key of ${address} already`)
    found.set(address, { encrypted, file: stored.name })
  }
  return found
}

function readOne(stored: StoredText): KeyFile {
  try {
    return readKeyFile(stored.text)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    throw unreadable(stored, error.message, error)
  }
}

function unreadable({ path }: StoredText, reason: string, cause?: unknown): NodeError {
  return new NodeError('invalidOption', `${path} is not a keystore file: ${reason}`, { cause })
}
