/** Replaces a file in one step. Readers, and the next start after a kill or a full disk, see the old content or the new one. */

import { chmod, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { realHost } from './host.ts'
import { ownProcessId } from './processes.ts'

export interface FileReplacement {
  readonly path: string
  /** The file that is written first and then renamed; a new name beside the target by default. */
  readonly temporaryPath?: string
  /** Permissions; by default those of a new file. */
  readonly mode?: number | undefined
}

/** A temporary path with the id of this process, and random digits, so that no two writers share it. */
export const temporaryPathOf = (path: string): string =>
  `${path}.${ownProcessId}-${Buffer.from(realHost.random(4)).toString('hex')}.draft`

/** Permissions of a file that only its owner can read and write. */
const OWNER_ONLY = 0o600

/**
 * Replaces a file. Its content is on the disk when this ends, and its name too where the system can flush a folder. If it fails, the old file remains and the temporary one is removed.
 * @throws errors of the system
 */
export async function replaceFile(
  { path, temporaryPath = temporaryPathOf(path), mode }: FileReplacement,
  content: Readable | string | Uint8Array,
): Promise<void> {
  try {
    // A killed process may have left this file. After its removal, `wx` creates a new file and follows no link.
    await rm(temporaryPath, { force: true })
    // With a mode, only the owner can read the temporary file until it gets its permissions.
    const file = await open(temporaryPath, 'wx', mode === undefined ? undefined : OWNER_ONLY)
    // The file must exist before writing can fail, so that it can be removed.
    const source = content instanceof Readable ? content : Readable.from([content])
    // Flushed to the disk, because the rename must not reach it first.
    await pipeline(source, file.createWriteStream({ flush: true }))
    // Creating the file applied the umask of the process, this does not.
    if (mode !== undefined) await chmod(temporaryPath, mode)
    await rename(temporaryPath, path)
    await syncFolder(dirname(path))
  } catch (error) {
    // A temporary file that cannot be removed does no harm.
    await rm(temporaryPath, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Flushes the new name to disk, where the system can: Windows does not open folders. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  try {
    await folder?.sync()
  } catch {
    // The file is complete. Only a power failure could bring the old one back.
  } finally {
    await folder?.close()
  }
}
