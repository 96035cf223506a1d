/** The command keeps the code that V8 compiled, for its next start. */
import { cp, mkdtemp, readFile, readdir, rm, watch, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'

let folder: string
let command: string

/** The folder of a copy of the installed package, without kept code. */
const dist = () => join(folder, 'dev-node', 'dist')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-code-'))
  const modules = dirname(dirname(await commandPath()))
  await cp(modules, folder, { recursive: true })
  for (const name of await kept()) await rm(join(dist(), name))
  command = join(dist(), 'dev-node.js')
}, 180_000)

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Names of the files with compiled code. */
const kept = async () => (await readdir(dist())).filter((name) => name.endsWith('.cache'))

/** Starts the command, asks it, and ends it when a file with compiled code was written, if one is expected. */
async function run(isWriting: boolean): Promise<void> {
  const written = isWriting ? nextCache() : undefined
  const node = await startDevNode([], {}, folder, command)
  expect(await request(node.url, 'eth_chainId')).toBe('0x21')
  await written
  expect(await node.stop()).toBe(0)
}

async function nextCache(): Promise<void> {
  for await (const { filename } of watch(dist())) if (filename?.endsWith('.cache') === true) return
}

test('the first start keeps compiled code, and later ones use it', async () => {
  await run(true)
  const [name] = await kept()
  expect(await kept()).toEqual([`${name!.split('.cjs')[0]}.cjs.${process.version}-${process.arch}.cache`])
  const code = await readFile(join(dist(), name!))
  await run(false)
  expect(await kept()).toEqual([name])
  expect((await readFile(join(dist(), name!))).equals(code)).toBe(true)
}, 60_000)

test('damaged code is not used, and is replaced', async () => {
  await run(true)
  const [name] = await kept()
  await writeFile(join(dist(), name!), 'not code')
  await run(true)
  expect((await readFile(join(dist(), name!))).length).toBeGreaterThan(100_000)
}, 60_000)
