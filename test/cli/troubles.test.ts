/** The codes of errors: their texts, where they are added, and that no error of a start leaves without one. */

import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { NodeError, troubleOf, withHelp } from '../../lib/base/errors.ts'
import { main } from '../../lib/cli/main.ts'
import { createNode, startNodes, startServer } from '../../lib/index.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { TROUBLES, VARYING } from '../../scripts/troubles-text.ts'
import { fakeProcess } from './fake-server.ts'

const troubles = Object.values(TROUBLES).flatMap((group) => Object.entries(group))
const codes = troubles.map(([code]) => code)

const sources = ['lib', 'bin'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('-code.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8')),
)

/** Runs the command, whose start must fail. */
async function run(...argv: readonly string[]) {
  const fake = fakeProcess(argv, startWithOptions)
  const code = await main({ ...fake.io, env: { PATH: process.env['PATH'] } })
  return { code, ...fake.written }
}

describe('the example of', () => {
  test.each(
    troubles.flatMap(([code, { type, prints }]) => (type === undefined ? [] : [{ code, type, prints }])),
  )('$code is what the command prints', async ({ code, type, prints }) => {
    const printed = await run(...type)
    expect(printed.stderr).toBe(`dev-node: ${prints} (see: npx dev-node help ${code})\n`)
    expect(printed.code).toBeGreaterThan(0)
  })

  test.each(troubles.flatMap(([code, { type, prints }]) => (type === undefined ? [{ code, prints }] : [])))(
    '$code has the words of the source',
    ({ prints }) => {
      const fixed = prints.split(VARYING).filter((_, index) => index % 2 === 0)
      // Of a sentence with values in it, the source has the words between them.
      const words = fixed.map((part) => part.trim()).filter((part) => part.length > 5)
      expect(words.length).toBeGreaterThan(0)
      expect(words.filter((part) => !sources.some((source) => source.includes(part)))).toEqual([])
    },
  )
})

describe('help', () => {
  test.each(troubles)('%s prints cause and cure', async (code, { title, cause, cure }) => {
    const printed = await run('help', code.toLowerCase())
    expect(printed.code).toBe(0)
    expect(printed.stdout.replaceAll(/\s+/g, ' ')).toBe(`${code}: ${title} ${cause} ${cure} `)
    expect(Math.max(...printed.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100)
  })

  test('of an unknown code names the nearest, or all', async () => {
    expect((await run('help', 'DN-PROT')).stderr).toContain('unknown code DN-PROT; did you mean DN-PORT?')
    expect((await run('help', 'dn-99')).stderr).toContain(`unknown code DN-99; there are ${codes.join(', ')}`)
  })
})

describe('every code', () => {
  test('is that of an error', () => {
    expect(codes.filter((code) => !sources.some((source) => source.includes(code)))).toEqual([])
  })

  test('is unique', () => {
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('every error of a start', () => {
  test('has a code by its type', () => {
    // @ts-expect-error -- the kind of errors that end a start needs a code
    expect(() => new NodeError('invalidOption', 'x')).not.toThrow()
    // @ts-expect-error -- no code of the table
    expect(() => new NodeError('invalidOption', 'x', { code: 'DN-X' })).not.toThrow()
  })

  test.each([
    [new NodeError('addressInUse', 'x'), 'DN-PORT'],
    [new NodeError('remoteFailed', 'x'), 'DN-REMOTE'],
    [new NodeError('invalidState', 'x', { code: 'DN-VERSION' }), 'DN-VERSION'],
    [new NodeError('internal', 'x'), 'DN-FAULT'],
    [new TypeError('x'), 'DN-FAULT'],
    ['x', 'DN-FAULT'],
  ])('has a code at last: %#', (error, code) => {
    expect(troubleOf(error)).toBe(code)
  })

  test('gets the end of its message once, and the stack has it too', () => {
    const error = new NodeError('addressInUse', 'the port $& is in use')
    expect(withHelp(withHelp(error))).toBe(error)
    expect(error.message).toBe('the port $& is in use (see: npx dev-node help DN-PORT)')
    expect(error.stack).toMatch(/^NodeError: the port \$& is in use \(see: npx dev-node help DN-PORT\)\n/)
  })

  test('of createNode, startServer and startNodes has it as a member', async () => {
    const options = { chainId: 'x' }
    for (const start of [createNode, startServer, (devNode: typeof options) => startNodes({ devNode })]) {
      await expect(start(options)).rejects.toMatchObject({
        code: 'DN-VALUE',
        kind: 'invalidOption',
        message: expect.stringMatching(/^chainId: .* \(see: npx dev-node help DN-VALUE\)$/),
      })
    }
  })

  test('of a node in a process keeps its code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'codes-'))
    try {
      const devNode = { loadState: join(folder, 'no.state') }
      await expect(startNodes({ devNode })).rejects.toMatchObject({ code: 'DN-STATE' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('with --json', () => {
  test('the code is a member of an event', async () => {
    const { stdout, stderr } = await run('--json', '--port', 'x')
    const message = '--port: expected a whole number from 0 to 65535, got "x"'
    expect(JSON.parse(stdout)).toEqual({ event: 'error', code: 'DN-VALUE', message })
    expect(stderr).toBe(`dev-node: ${message} (see: npx dev-node help DN-VALUE)\n`)
  })

  test('of the program behind -- there is no event', async () => {
    const { stdout } = await run('exec', '--port', 'x', '--', 'program', '--json')
    expect(stdout).toBe('')
  })
})

test('errors of requests end without a code', async () => {
  await using node = await createNode({ network: 'ethereum' })
  await expect(node.provider.request({ method: 'dev_loadState', params: ['0x00'] })).rejects.toMatchObject({
    message: expect.stringMatching(/^the state file (?!.*see: npx dev-node help)/),
  })
})
