/** The command keeps the code that V8 compiled, for its next start. */
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, watch, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'

let folder: string
let command: string

/** The folder of a copy of the installed package, without kept code. */
const dist = () => join(folder, 'dev-node', 'dist')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-code-'))
  const modules = dirname(dirname(await commandPath()))
  await cp(join(modules, 'dev-node'), join(folder, 'dev-node'), { recursive: true })
  for (const name of await readdir(modules))
    if (name !== 'dev-node') await symlink(join(modules, name), join(folder, name))
  for (const name of await kept()) await rm(join(dist(), name))
  command = join(dist(), 'dev-node.cjs')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Names of the files with compiled code. */
const kept = async () => (await readdir(dist())).filter((name) => name.endsWith('.cache'))

/** Starts the command, sends a request, and ends it when the compiled code was written, if that is expected. */
async function run(isWriting: boolean): Promise<void> {
  const written = isWriting ? nextCache() : undefined
  const node = await startDevNode([], {}, folder, command)
  expect(await request(node.url, 'eth_chainId')).toBe('0x21')
  // A part of the program that is in another file.
  expect((await fetch(new URL('/health', node.url))).status).toBe(200)
  await written
  expect(await node.stop()).toBe(0)
}

/** What V8 of a fresh process asks of compiled code. Flags that a test set change it in this one. */
async function cacheTag(): Promise<string> {
  const printed = await promisify(execFile)(process.execPath, [
    '-p',
    'v8.cachedDataVersionTag().toString(16)',
  ])
  return printed.stdout.trim()
}

async function nextCache(): Promise<void> {
  for await (const { filename } of watch(dist())) if (filename?.endsWith('.cache') === true) return
}

test('the first start keeps compiled code, and later ones use it', async () => {
  await run(true)
  const [name] = await kept()
  const tag = await cacheTag()
  expect(await kept()).toEqual([
    `${name!.split('.cjs')[0]}.cjs.${process.platform}-${process.arch}-${tag}.cache`,
  ])
  const code = await readFile(join(dist(), name!))
  await run(false)
  expect(await kept()).toEqual([name])
  expect((await readFile(join(dist(), name!))).equals(code)).toBe(true)
})

test.each([
  ['code that lost its end', (code: Buffer) => code.subarray(0, 1000)],
  // V8 would end the process.
  ['code whose end is zero', (code: Buffer) => Buffer.from(code).fill(0, code.length - 100_000)],
])('%s is not used, and is replaced', async (_what, damage) => {
  await run(true)
  const [name] = await kept()
  const code = await readFile(join(dist(), name!))
  await writeFile(join(dist(), name!), damage(code))
  await run(true)
  expect((await readFile(join(dist(), name!))).length).toBeGreaterThan(100_000)
})

test('a package does not have the code', async () => {
  await writeFile(join(dist(), 'command.cjs.cache'), 'code')
  const packing = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await promisify(execFile)('npm', packing, { cwd: dirname(dist()) })
  const names = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path)
  expect(names.filter((each) => each.startsWith('dist/command'))).toEqual([
    expect.stringMatching(/^dist\/command-\w+\.cjs$/),
  ])
})

test('code that cannot be kept leaves no files', async () => {
  const bundle = (await readdir(dist())).find((name) => /^command-\w+\.cjs$/.test(name))!
  const tag = await cacheTag()
  const name = `${bundle}.${process.platform}-${process.arch}-${tag}.cache`
  await mkdir(join(dist(), name))
  const events: string[] = []
  const removed = (async () => {
    for await (const { eventType, filename } of watch(dist())) {
      if (eventType === 'rename' && filename !== null) events.push(filename)
      // Once for the unfinished file that comes, and once for the one that goes.
      if (events.length === 2) return
    }
  })()
  const node = await startDevNode([], {}, folder, command)
  await removed
  expect(await request(node.url, 'eth_chainId')).toBe('0x21')
  expect(await node.stop()).toBe(0)
  expect(events[0]).toMatch(/\.cache\.[0-9a-f]{8}$/)
  expect(events[1]).toBe(events[0])
  expect((await readdir(dist())).filter((each) => each.startsWith('command'))).toEqual([bundle, name])
})
