/** The folders that are read without the option, and those of other programs that have their names. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { toFunctionSelector } from 'viem'
import { outputOf } from '../../support/own-process.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'working-folder-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, content: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** Reads the artifacts of a node with options in the working folder. */
const READ = `
  import { readFileSync, readdirSync } from 'node:fs'
  import { join } from 'node:path'
  import { createSharedServices, createForkOpener } from './lib/node/shared-services.ts'
  import { resolveOptions } from './lib/modules/resolve-options.ts'
  import { realHost } from './lib/base/host.ts'
  const [folder, options, data] = process.argv.slice(2)
  process.chdir(folder)
  const values = { network: 'ethereum', ...JSON.parse(options) }
  const resolved = resolveOptions({ values })
  const { contractCatalog } = await createSharedServices(resolved, {
    host: realHost, forkOpener: createForkOpener(resolved, realHost), modules: [], isWorker: false,
  })
  const faults = []
  contractCatalog.failed.on(({ message }) => faults.push(message))
  const heldBytes = () => {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const measure = async (act) => {
    const [held, start] = [heldBytes(), process.cpuUsage()]
    await act()
    const { user, system } = process.cpuUsage(start)
    return { cpuMs: (user + system) / 1000, heldMb: (heldBytes() - held) / 1e6 }
  }
  const refresh = () => contractCatalog.refresh()
  const [first, second] = [await measure(refresh), await measure(refresh)]
  // A unit of work of this machine: to read all files.
  const all = await measure(() => {
    for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (name.endsWith('.json')) readFileSync(join(parentPath, name), 'utf8')
  })
  const names = data.split(',').flatMap((selector) => contractCatalog.errorsOf(selector)).map(({ name }) => name)
  console.log(JSON.stringify({ names, faults, first, second, all }))
`

const FOLDERS = ['artifacts', 'out', 'build/contracts']
/** The name of the error of a folder, which is in its artifact alone. */
const errorOf = (folder: string) => `Broke_${folder.replace('/', '_')}`
const artifactIn = (folder: string): string =>
  JSON.stringify([{ type: 'error', name: errorOf(folder), inputs: [] }])
const SELECTORS = FOLDERS.map((one) => toFunctionSelector(`${errorOf(one)}()`)).join()

const read = async (options: object): Promise<any> =>
  JSON.parse(await outputOf(READ, folder, JSON.stringify(options), SELECTORS))

test('the folders of the tools are read, but not with noArtifacts', async () => {
  for (const name of FOLDERS) write(`${name}/Bank.json`, artifactIn(name))
  expect((await read({})).names).toEqual(FOLDERS.map(errorOf))
  expect((await read({ noArtifacts: true })).names).toEqual([])
})

test('the output of a web project costs little, and its broken files are not all listed', async () => {
  const page = JSON.stringify({ pageProps: { id: 7, text: 'x'.repeat(1000) }, id: 7, name: 'page' })
  for (let at = 0; at < 3000; at++)
    write(`out/part${at % 100}/page${at}.${at % 2 === 0 ? 'json' : 'html'}`, page)
  for (let at = 0; at < 50; at++) write(`out/broken${at}.json`, '// a comment')
  write('out/Bank.json', artifactIn('out'))
  const { names, faults, first, second, all } = await read({})
  expect(names).toEqual([errorOf('out')])
  expect(faults).toHaveLength(11)
  expect(faults[10]).toBe('--artifacts: cannot read out: it has more such files, which are not listed')
  if (process.env['SHOW_FIGURES'] !== undefined) console.log(JSON.stringify({ first, second, all }))
  // At rest it takes as long as to read the files three to four times.
  expect(first.cpuMs).toBeLessThan(8 * all.cpuMs)
  expect(second.cpuMs).toBeLessThan(first.cpuMs / 2)
  expect(first.heldMb).toBeLessThan(20)
})
