import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SourceLines, hashOfText, textOnDisk } from '../../../lib/insight/artifacts/source-unit.ts'

describe('SourceLines', () => {
  const lines = new SourceLines('é = 1;\r\n  ö😀 = 2;\n\nend')

  test.each([
    ['the first byte', 0, 1, 1],
    ['behind a letter of two bytes', 3, 1, 3],
    ['the second line', 9, 2, 1],
    ['behind letters of two and four bytes', 17, 2, 6],
    ['an empty line', 23, 3, 1],
    ['the last line', 25, 4, 2],
    ['the end', 27, 4, 4],
  ])('finds %s', (_case, offset, line, column) => {
    expect(lines.positionOf(offset)).toEqual({ line, column })
  })

  test('a line has no line break', () => {
    expect([1, 2, 3, 4, 5].map((line) => lines.textOf(line))).toEqual(['é = 1;', '  ö😀 = 2;', '', 'end', ''])
  })

  test('an excerpt is counted in bytes', () => {
    expect(lines.excerpt(11, 17)).toBe('ö😀')
  })
})

describe('textOnDisk', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dev-node-texts-'))
    for (const path of ['a.sol', 'node_modules/@own/b.sol', 'lib/own/c.sol', 'node_modules/a.sol']) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), `text of ${path}`)
    }
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    ['the folder', 'a.sol', 'text of a.sol'],
    ['node_modules', '@own/b.sol', 'text of node_modules/@own/b.sol'],
    ['lib', 'own/c.sol', 'text of lib/own/c.sol'],
    ['no folder', 'd.sol', undefined],
  ])('finds a source in %s', (_case, path, text) => {
    expect(textOnDisk(path, ['/nowhere', folder])).toBe(text)
  })

  test('takes the text with the hash', () => {
    const hash = hashOfText('text of node_modules/a.sol')
    expect(textOnDisk('a.sol', [folder], hash)).toBe('text of node_modules/a.sol')
    expect(textOnDisk('a.sol', [folder], hashOfText('another'))).toBeUndefined()
  })
})
