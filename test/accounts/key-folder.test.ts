import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { claimKeyFolder, keyFolder } from '../../lib/accounts/key-folder.ts'
import { readVectors } from '../support/vectors.ts'

/** Runs a test in a temporary folder. */
async function inFolder(run: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'dev-node-keys-'))
  try {
    await run(home)
  } finally {
    await rm(home, { recursive: true })
  }
}

const vectors = new Map(readVectors('KeyStoreTests/basic_tests.json'))
const withAddress = JSON.stringify(vectors.get('mycrypto').json)
const withoutAddress = JSON.stringify(vectors.get('test1').json)

describe('a keystore folder', () => {
  test('is created if it is missing, with access for its owner only', () =>
    inFolder(async (home) => {
      const inner = join(home, 'one', 'two')
      const { release } = await claimKeyFolder(inner)
      await release()
      expect((await stat(inner)).mode & 0o777).toBe(0o700)
    }))

  test('gives its owner only access to a file, and leaves no other files', () =>
    inFolder(async (home) => {
      const files = keyFolder(home)
      await files.write('b', 'two')
      await files.write('a', 'one')
      await files.write('b', 'three')
      expect(await readFile(join(home, 'a'), 'utf8')).toBe('one')
      expect(await readFile(join(home, 'b'), 'utf8')).toBe('three')
      expect(await readdir(home)).toEqual(['a', 'b'])
      expect((await stat(join(home, 'b'))).mode & 0o777).toBe(0o600)
    }))

  test('replaces the temporary file of a process that ended during a write', () =>
    inFolder(async (home) => {
      await writeFile(join(home, '.a.tmp'), 'half', { mode: 0o644 })
      await keyFolder(home).write('a', 'whole')
      expect(await readdir(home)).toEqual(['a'])
      expect(await readFile(join(home, 'a'), 'utf8')).toBe('whole')
      expect((await stat(join(home, 'a'))).mode & 0o777).toBe(0o600)
    }))

  test('does not write through a link at the path of the new file', () =>
    inFolder(async (home) => {
      await writeFile(join(home, 'target'), 'mine')
      await symlink(join(home, 'target'), join(home, '.a.tmp'))
      await keyFolder(home).write('a', 'secret')
      expect(await readFile(join(home, 'target'), 'utf8')).toBe('mine')
    }))

  test("skips folders, hidden files and editors' backup copies", () =>
    inFolder(async (home) => {
      await mkdir(join(home, 'folder'))
      for (const name of ['.hidden', 'copy~']) await writeFile(join(home, name), '')
      expect(await keyFolder(home).readAll()).toEqual(new Map())
    }))

  test('that is a file is rejected with its name', () =>
    inFolder(async (home) => {
      const file = join(home, 'file')
      await writeFile(file, '')
      await expect(claimKeyFolder(file)).rejects.toMatchObject({
        kind: 'invalidOption',
        message: expect.stringContaining(`cannot open the keystore folder ${file}: `),
      })
    }))

  test('with a broken link is rejected with the name of the link', () =>
    inFolder(async (home) => {
      await symlink(join(home, 'nowhere'), join(home, 'link'))
      await expect(keyFolder(home).readAll()).rejects.toMatchObject({
        kind: 'invalidOption',
        message: expect.stringContaining(`cannot read the keystore file ${join(home, 'link')}: `),
      })
    }))

  test('that was deleted causes an error when a key is written', () =>
    inFolder(async (home) => {
      await expect(keyFolder(join(home, 'gone')).write('a', '')).rejects.toMatchObject({
        kind: 'internal',
        message: expect.stringContaining('cannot write the keystore file'),
      })
    }))
})

describe('stored keys', () => {
  test('are found by address, independent of file names', () =>
    inFolder(async (home) => {
      await writeFile(join(home, 'any name.json'), withAddress)
      await chmod(join(home, 'any name.json'), 0o444)
      const found = await keyFolder(home).readAll()
      expect([...found].map(([address, { file }]) => [address, file])).toEqual([
        ['0x460121576cc7df020759730751f92bd62fd78dd6', 'any name.json'],
      ])
    }))

  test.each([
    ['that is not JSON', { a: 'hello' }, 'a is not a keystore file: expected a JSON object'],
    ['without an address', { a: withoutAddress }, 'a is not a keystore file: it does not say the address'],
    [
      'that exists twice',
      { a: withAddress, b: withAddress },
      'b is not a keystore file: a holds a key of 0x4601',
    ],
  ])('are not read from a file %s, and the error names it', (_name, texts, message) =>
    inFolder(async (home) => {
      for (const [name, text] of Object.entries(texts)) await writeFile(join(home, name), text)
      await expect(keyFolder(home).readAll()).rejects.toMatchObject({
        kind: 'invalidOption',
        message: expect.stringContaining(join(home, message)),
      })
    }),
  )
})
