/** What the installed package exports besides the node. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import {
  precompileAddresses,
  precompileInterfaces,
} from '../../lib/modules/network-33/precompiles/interfaces.ts'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'

test('precompiles.json holds the constants', async () => {
  const installed: unknown = createRequire(await commandPath())('dev-node/precompiles.json')
  expect(installed).toEqual({ addresses: precompileAddresses, interfaces: precompileInterfaces })
})

/** Code of a project. The compiler must report every expected error. */
const PROGRAM = `
import { createNode, createProvider, startServer } from 'dev-node'
import type { DevNode, OptionsInput, Provider } from 'dev-node'
import { connect } from 'dev-node/testing'

const options: OptionsInput = { frozenTime: true }
// @ts-expect-error -- a slip of the pen
const slip: OptionsInput = { frozenTim: true }

await using node: DevNode = await createNode(options)
const height: string = await node.provider.request({ method: 'eth_blockNumber' })
// @ts-expect-error -- an address is text
await node.provider.request({ method: 'eth_getBalance', params: [1] })
const anything: unknown = await node.provider.request({ method: 'acme_anything', params: [{}] })
const other: Provider = createProvider(node, { dialect: 'ethereum' })
other.on('message', ({ data }): string => data.subscription)

const { url } = await startServer({ port: 0 })
const id: string = await connect({ url }).fixture('one', ({ rpc }) => rpc('eth_chainId'))
export { anything, height, id, slip }
`

/** Code that imports each entry point with types. Those of Hardhat need its packages: its guides are compiled elsewhere. */
function importsOf(manifest: string): string {
  const { exports } = JSON.parse(manifest) as { exports: Record<string, { types?: string }> }
  const typed = Object.keys(exports).filter((path) => exports[path]!.types !== undefined)
  expect(typed).toHaveLength(8)
  return typed.map((path, index) => `export * as entry${index} from 'dev-node${path.slice(1)}'`).join('\n')
}

/** Types of Node are not needed. */
const COMPILER = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  types: [],
  lib: ['es2022', 'esnext.disposable', 'dom'],
}

test('its declarations compile in another project', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-consumer-'))
  try {
    const modules = dirname(dirname(await commandPath()))
    await cp(modules, join(folder, 'node_modules'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    const manifest = await readFile(join(folder, 'node_modules', 'dev-node', 'package.json'), 'utf8')
    await writeFile(join(folder, 'entries.ts'), importsOf(manifest))
    const compile = (name: string, settings: object, files = ['program.ts']) =>
      compiled(folder, name, { compilerOptions: { ...COMPILER, ...settings }, files })
    const strictest = {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      skipLibCheck: false,
      skipDefaultLibCheck: true,
    }
    expect(await compile('nodenext', strictest)).toBe('')
    const usual = { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }
    expect(await compile('bundler', usual, ['program.ts', 'entries.ts'])).toBe('')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the files that Jest 29 loads by require can be required', async () => {
  const installed = dirname(dirname(dirname(await commandPath())))
  const names = ['dev-node/jest/setup', 'dev-node/jest/teardown', 'dev-node/testing']
  const program = names.map((name) => `console.log(typeof require('${name}'))`).join('\n')
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: installed })
  expect(stdout).toBe('object\n'.repeat(names.length))
})

/** Runs in its own process, because an uncaught exception would end this one. */
const LISTENING = `
const { createNode } = await import('dev-node')
process.on('uncaughtException', ({ message }) => console.log('uncaught', message))
const node = await createNode({ frozenTime: true })
const [one, other] = [node.provider, node.createProvider()]
for (const provider of [one, other]) await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
one.on('message', () => { throw new Error('of one') })
for (const provider of [one, other]) provider.on('message', ({ data }) => console.log('heard', data.result.number))
await new Promise(setImmediate)
console.log('answered', await one.request({ method: 'evm_mine' }))
one.on('disconnect', () => { throw new Error('at the end') })
await node.close()
`

test('an error of a listener is an uncaught exception, and affects neither the chain nor other listeners', async () => {
  const installed = dirname(dirname(dirname(await commandPath())))
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', LISTENING], {
    cwd: installed,
  })
  expect(run.stdout.trim().split('\n')).toEqual([
    'heard 0x1',
    'heard 0x1',
    'uncaught of one',
    'answered null',
    'uncaught at the end',
  ])
})

/** The messages of the compiler for files. */
async function compiled(folder: string, name: string, settings: object): Promise<string> {
  const config = join(folder, `tsconfig.${name}.json`)
  await writeFile(config, JSON.stringify(settings))
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  return promisify(execFile)(process.execPath, [compiler, '-p', config]).then(
    ({ stdout }) => stdout,
    (error: unknown) => String((error as { stdout?: unknown }).stdout),
  )
}

/** Reports the modules of ethereumjs that a process loads. */
const REPORTER = `const Module = require('node:module')
const load = Module._load
Module._load = (request, ...others) => {
  if (request.includes('ethereumjs')) process.stderr.write('loads ' + request)
  return load(request, ...others)
}`

test('only cross-checks load ethereumjs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-loaded-'))
  try {
    await writeFile(join(folder, 'reporter.cjs'), REPORTER)
    for (const isOn of ['false', 'true']) {
      const env = {
        NODE_OPTIONS: `--require ${join(folder, 'reporter.cjs')}`,
        DEV_NODE_CROSS_CHECK: isOn,
      }
      const node = await startDevNode(['--network', 'ethereum'], env)
      const [from] = node.ready.accounts
      await request(node.url, 'eth_sendTransaction', [{ from, to: from, value: '0x1' }])
      await node.stop()
      expect(node.stderr()).toMatch(isOn === 'true' ? /^loads \.\/ethereumjs-\w+\.cjs/ : /^$/)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
