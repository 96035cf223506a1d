/** The pages of coverage, with the real reports of Istanbul. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePages } from '../../../lib/modules/coverage/coverage-files.ts'
import type { IstanbulFile } from '../../../lib/modules/coverage/results.ts'

const SOURCE = 'contract A {\n  function f() external {}\n}\n'

const range = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 10 } })

/** A source with a function, executed `count` times, on the line. */
const covered = (path: string, count: number, line = 2): IstanbulFile => ({
  path,
  statementMap: { 0: range(line) },
  fnMap: { 0: { name: 'A.f', decl: range(line), loc: range(line), line } },
  branchMap: { 0: { type: 'if', line, loc: range(line), locations: [range(line), range(line)] } },
  s: { 0: count },
  f: { 0: count },
  b: { 0: [count, 0] },
})

describe('the pages', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'dev-node-pages-'))
  })
  afterAll(() => rm(root, { recursive: true }))

  /** Pages of files, the sources of which are known but for those of the paths that are named. */
  async function pagesOf(name: string, files: readonly IstanbulFile[], unknown: readonly string[] = []) {
    const folder = join(root, name, 'html')
    const known = files.filter(({ path }) => !unknown.includes(path))
    await writePages(
      folder,
      Object.fromEntries(files.map((file) => [file.path, file])),
      new Map(known.map(({ path }) => [path, SOURCE])),
    )
    const written = await readdir(join(root, name), { recursive: true })
    return { folder, written: written.filter((path) => path.endsWith('.html')).toSorted() }
  }

  test('show the source with its counts', async () => {
    const { folder } = await pagesOf('plain', [covered('contracts/A.sol', 7), covered('contracts/B.sol', 0)])
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('All files')
    const page = await readFile(join(folder, 'A.sol.html'), 'utf8')
    expect(page).toContain('function f() external {}')
    expect(page).toContain('7x')
  })

  test('stay in their folder, whatever paths the artifacts name', async () => {
    const { written } = await pagesOf('outside', [
      covered('contracts/A.sol', 1),
      covered('../../../B.sol', 1),
      covered('x\\..\\..\\C.sol', 1),
    ])
    expect(written).toContain(join('html', '__', '__', '__', 'B.sol.html'))
    expect(written).toContain(join('html', 'x', '__', '__', 'C.sol.html'))
    expect(written.filter((path) => !path.startsWith('html'))).toEqual([])
  })

  test('take no markup from names', async () => {
    const { folder, written } = await pagesOf('markup', [
      covered('a/<img src=x>.sol', 1),
      covered('a/B.sol', 1),
    ])
    expect(written).toContain(join('html', '_img src=x_.sol.html'))
    for (const page of ['index.html', '_img src=x_.sol.html'])
      expect(await readFile(join(folder, page), 'utf8')).not.toContain('<img src=x>')
  })

  test('keep the counts of a source that the artifacts no longer have', async () => {
    const gone = covered('contracts/Gone.sol', 3, 200)
    const { folder } = await pagesOf('gone', [gone, covered('contracts/A.sol', 1)], [gone.path])
    expect(await readFile(join(folder, 'Gone.sol.html'), 'utf8')).toContain('no longer contain this source')
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('Gone.sol')
  })
})
