import { describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeError } from '../../lib/base/errors.ts'
import { main } from '../../lib/cli/main.ts'
import type { Io } from '../../lib/cli/io.ts'
import type { AllOptions } from '../../lib/modules/options.ts'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { ADDRESS, fakeProcess, fakeServer, KEY, request } from './fake-server.ts'

/** Runs the command until it is ready, sends it requests, and stops it. */
async function runOnce(
  argv: readonly string[],
  requests: readonly RequestLogEntry[] = [],
  more: Partial<Io> = {},
) {
  const fake = fakeProcess(argv)
  const code = main({ ...fake.io, ...more })
  await fake.started
  await new Promise(setImmediate)
  for (const entry of requests) fake.request(entry)
  fake.signal()
  return { code: await code, ...fake.written }
}

/** The options of a command line. */
async function optionsOf(argv: readonly string[]): Promise<AllOptions> {
  let seen: AllOptions | undefined
  const fake = fakeProcess(argv, async (options) => {
    seen = options
    return fakeServer(options)
  })
  const code = main(fake.io)
  await fake.started
  fake.signal()
  expect(await code).toBe(0)
  return seen!
}

describe('output', () => {
  test('for people names network, accounts, keys, modes and the URL', async () => {
    const { code, stdout, stderr } = await runOnce([])
    expect(code).toBe(0)
    expect(stderr).toBe('')
    const expected = [
      'dev-node 1.2.3',
      'network-33, chain id 33',
      ', 1.5 ether each',
      `(0) ${ADDRESS} ${KEY}`,
    ]
    for (const text of [...expected, 'artifacts 42 contracts in artifacts']) expect(stdout).toContain(text)
    expect(stdout.endsWith('\nListening on http://127.0.0.1:4444\n\n')).toBe(true)
    // With the ten accounts of a preset, of which the fake has one.
    expect(stdout.trimEnd().split('\n').length + 9).toBeLessThanOrEqual(20)
    expect(stdout).not.toContain('native')
  })

  test('names the explorer, without the API key', async () => {
    expect((await runOnce([])).stdout).toContain('explorer  http://127.0.0.1:4444/\n')
    expect((await runOnce(['--api-key', 'secret'])).stdout).toContain(
      'explorer  http://127.0.0.1:4444/<API key>\n',
    )
    expect((await runOnce(['--no-explorer'])).stdout).not.toContain('explorer')
    expect((await runOnce(['--json'])).stdout).toContain('"explorer":"http://127.0.0.1:4444/"')
  })

  test.each([
    [['--no-mining'], 'a block only when asked for'],
    [['--mining', 'external'], 'blocks of miners that take work from mnr_getWork'],
    [['--block-time', '0.5'], 'a block every 0.5 s\n'],
    [['--block-time', '5', '--mixed-mining'], 'a block every 5 s, and one per transaction'],
    [['--frozen-time'], 'frozen'],
    [['--frozen-time=5'], 'frozen at 5'],
    [['--keystore', './keys'], 'keystore  ./keys'],
  ])('has the modes of %j', async (argv, text) => {
    expect((await runOnce(argv)).stdout).toContain(text)
  })

  test('with --quiet is the URL and nothing else', async () => {
    const { stdout } = await runOnce(['--quiet'], [request('eth_chainId')])
    expect(stdout).toBe('Listening on http://127.0.0.1:4444\n')
  })

  test('with --json is one line', async () => {
    const { stdout } = await runOnce(['--json'], [request('eth_chainId')])
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        event: 'ready',
        url: 'http://127.0.0.1:4444',
        explorer: 'http://127.0.0.1:4444/',
        port: 4444,
        chainId: 33,
        network: 'network-33',
        accounts: [ADDRESS],
        version: '1.2.3',
        pid: 77,
      },
    ])
  })

  test('with --json --verbose is a line per request too', async () => {
    const { stdout } = await runOnce(
      ['--json', '--verbose'],
      [request('eth_chainId', { params: [2n ** 70n] })],
    )
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const params = [(2n ** 70n).toString()]
    expect(lines[1]).toEqual({
      event: 'request',
      method: 'eth_chainId',
      params,
      durationMs: 1.25,
      result: '0x1',
    })
  })

  test('holds folded requests until the end where lines cannot be rewritten', async () => {
    const { stdout } = await runOnce([], [request('eth_blockNumber'), request('eth_blockNumber')])
    expect(stdout.endsWith('\n\neth_blockNumber x2\n')).toBe(true)
  })

  test.each([
    ['a terminal', { isTTY: true }, true],
    ['a terminal under NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }, false],
    ['a file', { isTTY: false }, false],
  ])('to %s: colours %j, %s', async (_case, more, isColoured) => {
    expect((await runOnce([], [], more)).stdout.includes('\u001B[')).toBe(isColoured)
  })
})

describe('help and version', () => {
  test.each([
    [['--help'], 'dev-node [command] [options]'],
    [['-h', '--network', 'ethereum'], 'dev-node [command] [options]'],
    [['sart', '--help'], 'dev-node [command] [options]'],
    [['start', '--help'], 'dev-node [start] [options]'],
    [['help'], 'dev-node [command] [options]'],
    [['help', 'start'], 'dev-node [start] [options]'],
    [['help', 'watch'], 'dev-node watch -- <command>'],
  ])('%j prints the help', async (argv, usage) => {
    const fake = fakeProcess(argv)
    expect(await main(fake.io)).toBe(0)
    expect(fake.written.stdout).toContain(usage)
  })

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    const fake = fakeProcess(['--version'])
    expect(await main(fake.io)).toBe(0)
    expect(fake.written.stdout).toBe(`${version}\n`)
  })
})

describe('options', () => {
  test('are read from flags and, below them, the environment', async () => {
    const key = '12'.repeat(32)
    const options = await optionsOf([
      '--private-key',
      key,
      '--private-key',
      `0x${key}`,
      '--balance=1.5',
      '--port',
      '0',
    ])
    expect(options).toMatchObject({
      privateKeys: [`0x${key}`, `0x${key}`],
      balance: 15n * 10n ** 17n,
      port: 0,
    })
  })

  test.each([
    [['--frozen-time', '--json'], { frozenTime: true, json: true }],
    [['--frozen-time', '12'], { frozenTime: 12n }],
    [['--coinbase', `0x${'12'.repeat(20)}`], { coinbase: `0x${'12'.repeat(20)}` }],
    [['--api-key', 'a,b', '--api-key', 'c'], { apiKeys: ['a', 'b', 'c'] }],
    [['--no-mining', 'start'], { noMining: true }],
    [['--auto-impersonate'], { autoImpersonate: true }],
    [['--mining', 'external'], { mining: 'external' }],
  ])('%j', async (argv, expected) => {
    expect(await optionsOf(argv)).toMatchObject(expected)
  })
})

describe('failures', () => {
  test.each([
    [['--prot', '1'], 'dev-node: unknown flag --prot; did you mean --port?', 'DN-FLAG'],
    [['--blockTime', '1'], 'dev-node: unknown flag --blockTime; did you mean --block-time?', 'DN-FLAG'],
    [['--port', 'x'], 'dev-node: --port: expected a whole number from 0 to 65535, got "x"', 'DN-VALUE'],
    [['-p', 'x'], 'dev-node: --port: expected a whole number from 0 to 65535, got "x"', 'DN-VALUE'],
    [['--port'], 'dev-node: --port: expected a value behind it', 'DN-MISSING'],
    [
      ['--quiet', '--verbose'],
      'dev-node: --quiet and --verbose exclude each other: give one of them',
      'DN-PAIR',
    ],
    [['--quiet=no'], 'dev-node: Argument unexpected for: quiet', 'DN-VALUE'],
    [['strat'], 'dev-node: unknown command strat; did you mean start?', 'DN-FLAG'],
    [['help', 'wacth'], 'dev-node: unknown command wacth; did you mean watch?', 'DN-FLAG'],
    [['start', 'now'], 'dev-node: unexpected argument now', 'DN-FLAG'],
  ])('%j are printed in one sentence, with exit code 1', async (argv, message, code) => {
    const fake = fakeProcess(argv)
    expect(await main(fake.io)).toBe(1)
    expect(fake.written).toEqual({ stdout: '', stderr: `${message} (see: npx dev-node help ${code})\n` })
  })

  test('a port in use is printed with the code of its kind', async () => {
    const fake = fakeProcess([], async () => {
      throw new NodeError('addressInUse', '127.0.0.1:4444 is in use')
    })
    expect(await main(fake.io)).toBe(1)
    expect(fake.written.stderr).toBe('dev-node: 127.0.0.1:4444 is in use (see: npx dev-node help DN-PORT)\n')
  })

  test('an internal error is printed with its stack', async () => {
    const fake = fakeProcess([], async () => {
      throw new TypeError('oops')
    })
    expect(await main(fake.io)).toBe(1)
    expect(fake.written.stderr).toMatch(
      /^dev-node: TypeError: oops\n +at [^]* \(see: npx dev-node help DN-FAULT\)\n$/,
    )
  })
})

describe('signals', () => {
  test('the first closes the server, with exit code 0 and no listener left', async () => {
    let isClosed = false
    const fake = fakeProcess([], async (options) => fakeServer(options, async () => void (isClosed = true)))
    const code = main(fake.io)
    await fake.started
    fake.signal()
    expect(await code).toBe(0)
    expect(isClosed).toBe(true)
    expect(fake.listeners.size).toBe(0)
  })

  test('the second ends at once, even while the server closes', async () => {
    const fake = fakeProcess([], async (options) => fakeServer(options, () => new Promise(() => undefined)))
    const code = main(fake.io)
    await fake.started
    fake.signal()
    fake.signal()
    expect(await code).toBe(130)
  })

  test('the first ends a start that waits for its remote, and leaves no claim of its files', async () => {
    let answers = (): void => undefined
    const answering = new Promise<void>((resolve) => (answers = resolve))
    const remote = createServer((_, response) => void answering.then(() => response.writeHead(403).end()))
    await once(remote.listen(0, '127.0.0.1'), 'listening')
    const folder = await mkdtemp(join(tmpdir(), 'dev-node-signals-'))
    try {
      const { port } = remote.address() as AddressInfo
      const flags = ['--fork-url', `http://127.0.0.1:${port}`, '--gas-report', join(folder, 'gas.json')]
      const fake = fakeProcess([...flags, '--no-fork-cache', '--port', '0'], startWithOptions)
      const code = main(fake.io)
      await once(remote, 'request')
      expect(await readdir(folder)).toEqual([expect.stringMatching(/\.lock$/)])
      fake.signal()
      expect(await code).toBe(130)
      expect(await readdir(folder)).toEqual([])
      answers()
      await fake.started
    } finally {
      remote.close()
      remote.closeAllConnections()
      await rm(folder, { recursive: true })
    }
  })
})

describe('console output of contracts', () => {
  const console = [{ kind: 'call', to: '0x02', lines: ['hello'] }] as const
  const entry = request('eth_call', { console })

  test.each<readonly [readonly string[], string]>([
    [[], 'eth_call\n  console.log of call to 0x02\n    hello\n'],
    [['--verbose'], '  console.log of call to 0x02\n    hello\n'],
    [
      ['--json'],
      '{"event":"console","method":"eth_call","console":[{"kind":"call","to":"0x02","lines":["hello"]}]}\n',
    ],
    [['--json', '--verbose'], '"console":[{"kind":"call","to":"0x02","lines":["hello"]}]'],
  ])('is printed with %j', async (argv, text) => {
    expect((await runOnce(argv, [entry])).stdout).toContain(text)
  })
})

describe('an unhandled error', () => {
  test('is printed, closes the server, and ends the command with exit code 1', async () => {
    let isClosed = false
    const fake = fakeProcess(['--dump-state', 'chain.state'], async (options) =>
      fakeServer(options, async () => void (isClosed = true)),
    )
    const code = main(fake.io)
    await fake.started
    await new Promise(setImmediate)
    fake.crash(new Error('outside of requests'))
    expect(await code).toBe(1)
    expect(isClosed).toBe(true)
    expect(fake.written.stderr).toMatch(
      /^dev-node: the node ends because of an error that nothing handled: Error: outside of requests\n/,
    )
    expect(fake.written.stderr).toMatch(
      /\ndev-node: the state file chain.state was written before the end\n$/,
    )
  })
})
