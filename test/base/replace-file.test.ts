import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { replaceFile, temporaryPathOf } from '../../lib/base/replace-file.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-replace-'))
  path = join(folder, 'file')
})
afterEach(() => rm(folder, { recursive: true }))

/** Fails after the first bytes, as on a full disk. */
async function* half() {
  yield 'half'
  throw new Error('ENOSPC')
}

describe('a replaced file', () => {
  test('has the new content and its permissions, and no temporary file beside it', async () => {
    await writeFile(path, 'old')
    await replaceFile({ path, temporaryPath: temporaryPathOf(path), mode: 0o640 }, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect(await readdir(folder)).toEqual(['file'])
  })

  test('stays as it was when the write fails', async () => {
    await writeFile(path, 'old')
    const replacing = replaceFile({ path, temporaryPath: temporaryPathOf(path) }, Readable.from(half()))
    await expect(replacing).rejects.toThrow('ENOSPC')
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['file'])
  })

  test('is not written through a link in the place of the temporary file', async () => {
    await writeFile(join(folder, 'target'), 'mine')
    await symlink(join(folder, 'target'), join(folder, 'temporary'))
    await replaceFile({ path, temporaryPath: join(folder, 'temporary') }, 'secret')
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('mine')
  })
})
