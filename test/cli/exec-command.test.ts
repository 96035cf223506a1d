/** `dev-node exec`: a command beside a node of its own. */

import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import { foundry, writeInto, writeProject } from '../support/artifact-projects.ts'
import type { SolcRun } from '../support/artifact-projects.ts'
import { PATH, compiledAs, content, lineOf, plain } from '../support/shop.ts'
import { fakeProcess } from './fake-server.ts'

/** Runs `dev-node exec` with a program for Node. */
function begin(options: readonly string[], program: string, env: Record<string, string> = {}) {
  const argv = ['exec', ...options, '--', process.execPath, '-e', program]
  const fake = fakeProcess(argv, startWithOptions)
  const code = main({ ...fake.io, env: { PATH: process.env['PATH'], ...env } })
  return { ...fake, code }
}

/** A program that sends a request to the node, and then runs the rest with the answer as `answer`. */
const asking = (method: string, params: string, rest: string): string =>
  `fetch(process.env.DEV_NODE_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: '${method}', params: ${params} }) })
    .then((response) => response.json()).then((answer) => { ${rest} })`

/** The shop as forge compiles it without `ast = true`. */
function withoutAst(): SolcRun {
  const run = compiledAs('')
  for (const source of Object.values(run.output.sources)) Reflect.deleteProperty(source, 'ast')
  return run
}

const TOKEN = '0x00000000000000000000000000000000000000aa'

const FAILING = asking('eth_call', "[{ data: '0xfe' }]", 'process.exit(3)')

describe('dev-node exec', () => {
  test('gives the command the URL, and ends with its exit code', async () => {
    const program = asking('eth_chainId', '[]', 'process.exit(Number(answer.result) - 30)')
    const { code, written } = begin([], program)
    expect(await code).toBe(3)
    expect(written).toEqual({
      stdout: expect.stringMatching(/^\ndev-node: no execution failed on the node/),
      stderr: '',
    })
  })

  test('sends Foundry to the node, and Hardhat to no other node', async () => {
    const program = `const { HARDHAT_NETWORK, ETH_RPC_URL, DEV_NODE_URL } = process.env
      process.exit(ETH_RPC_URL !== DEV_NODE_URL + '?dialect=ethereum' ? 6 : HARDHAT_NETWORK === undefined ? 4 : 5)`
    expect(await begin(['--port', '0'], program, { ETH_RPC_URL: 'http://127.0.0.1:1' }).code).toBe(4)
    expect(await begin(['--port', '0'], program, { HARDHAT_NETWORK: 'mine' }).code).toBe(5)
  })

  test('says that it waits for a debugger', async () => {
    const { code, written } = begin(['--port', '0', '--wait-for-debugger'], '')
    expect(await code).toBe(0)
    expect(written.stderr).toMatch(/wait until a debugger attaches to http:\S+:\d+\n$/)
  })

  test("has Hardhat's errors, unless a dialect is given", async () => {
    const program = asking(
      'eth_call',
      "[{ data: '0x60006000fd' }]",
      "process.exit(answer.error.message.startsWith('Transaction reverted') ? 8 : 9)",
    )
    expect(await begin(['--port', '0'], program).code).toBe(8)
    expect(await begin(['--port', '0', '--dialect', 'ethereum'], program).code).toBe(9)
  })

  test('with --faithful has the errors of the reference node at every URL', async () => {
    const program = `const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x12'] })
      const headers = { 'content-type': 'application/json' }
      const { ETH_RPC_URL, DEV_NODE_URL } = process.env
      Promise.all([ETH_RPC_URL, DEV_NODE_URL].map((url) => fetch(url, { method: 'POST', headers, body })))
        .then((all) => process.exit(all.every(({ status }) => status === 400) ? 8 : 9))`
    expect(await begin(['--port', '0', '--faithful'], program).code).toBe(8)
  })

  test('reaches a node with an API key, and keeps the exit code of the command', async () => {
    const { code, written } = begin(['--port', '0', '--api-key', 'key-of-a-test'], FAILING)
    expect(await code).toBe(3)
    expect(written.stdout).toContain('The newest failed executions')
  })

  test('takes another port if 8545 is taken', async () => {
    const other = createServer().listen(8545, '127.0.0.1')
    await Promise.race([once(other, 'listening'), once(other, 'error')])
    expect(await begin([], 'process.exit(process.env.DEV_NODE_URL.endsWith(":8545") ? 1 : 7)').code).toBe(7)
    other.close()
  })

  test('prints the newest failures of a command that failed, and nothing after a success', async () => {
    const { code, written } = begin(['--port', '0'], FAILING)
    expect(await code).toBe(3)
    expect(written.stdout).toMatch(
      /The newest failed executions.*\n\nreached an invalid instruction.*\n {2}0x.*\n {2}call, \d+ gas, /,
    )
    expect(written.stdout).toContain('--hold keeps the node')
    const passing = begin(['--port', '0'], FAILING.replace('exit(3)', 'exit(0)'))
    expect([await passing.code, passing.written.stdout]).toEqual([0, ''])
  })

  test.each([
    [
      'the whole stack',
      plain,
      [
        `  at Token._move (${PATH}:33:37)`,
        '     if (balances[from] < value) revert TooPoor(from, balances[from], value);',
        `  at Token.transfer (${PATH}:${lineOf('_move(msg.sender')}:9)`,
        '     _move(msg.sender, to, value);',
      ],
    ],
    [
      'how to get the lines',
      withoutAst(),
      [`  at Token (${PATH})`, '     no line: set ast = true in foundry.toml'],
    ],
  ])('prints %s of a failure of a known contract', async (_what, compiled, stack) => {
    const folder = await writeProject(foundry(compiled))
    await writeInto(folder, PATH, content)
    const code = `0x${plain.output.contracts[PATH]!['Token']!.evm.deployedBytecode.object}`
    const data = `0xa9059cbb${'11'.padStart(64, '0').repeat(2)}`
    const params = JSON.stringify([{ to: TOKEN, data }, 'latest', { [TOKEN]: { code } }])
    const options = ['--port', '0', '--artifacts', join(folder, 'out')]
    const { code: exit, written } = begin(options, asking('eth_call', params, 'process.exit(3)'))
    expect(await exit).toBe(3)
    const lines = written.stdout.split('\n')
    const first = lines.findIndex((line) => line.startsWith('  at '))
    expect(lines.slice(first, first + stack.length + 1)).toEqual([
      ...stack,
      expect.stringMatching(/^ {2}call, /),
    ])
  })

  test('prints a fault of the node as a sentence', async () => {
    const { code, written } = begin(['--port', '0', '--selectors', 'package.json'], FAILING)
    expect(await code).toBe(3)
    const sentence =
      'dev-node: --selectors: cannot read package.json: it has no ABI (see: npx dev-node help DN-READ)'
    expect(written.stderr.split('\n')).toContain(sentence)
  })

  test('prints the URL of the explorer with DEV_NODE_EXPLORER', async () => {
    const { code, written } = begin(['--port', '0'], '', { DEV_NODE_EXPLORER: '1' })
    expect(await code).toBe(0)
    expect(written.stderr).toMatch(/^dev-node: the chains of this run and their explorer: http:\S+:\d+\/\n$/)
  })

  test.each([
    ['--hold', ['--hold'], {}],
    ['DEV_NODE_HOLD', [], { DEV_NODE_HOLD: '1' }],
  ])('keeps the node until a signal with %s', async (_how, flags, env) => {
    const { code, written, signal } = begin(['--port', '0', ...flags], FAILING, env)
    while (!written.stdout.includes('stays until Ctrl-C'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(written.stdout).toContain('dev-node explain 1 --url http://127.0.0.1:')
    const url = /dev-node: (http:\S+) stays/.exec(written.stdout)![1]!
    expect((await fetch(`${url}health`)).status).toBe(200)
    signal()
    expect(await code).toBe(3)
    await expect(fetch(`${url}health`)).rejects.toThrow()
  })

  test('a signal ends the command and the node', async () => {
    const { code, signal, listeners, written } = begin(
      ['--port', '0', '--gas-report'],
      'setInterval(() => {}, 1000)',
    )
    while (listeners.size === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    signal()
    expect(await code).toBe(128 + 15)
    expect(written.stdout).toContain('# Gas report')
  })

  test('a command that does not exist', async () => {
    const { io, written } = fakeProcess(['exec', '--port', '0', '--', 'no-such-program'], startWithOptions)
    expect(await main(io)).toBe(127)
    expect(written.stderr).toContain('no-such-program cannot be started')
    expect(written.stdout).not.toContain('no execution failed')
  })

  test.each([
    [['exec'], 'exec: expected a command behind --, such as dev-node exec -- npx hardhat test'],
    [['exec', 'npx', '--', 'true'], 'exec: expected a command behind --'],
    [['exec', '--hardfrk', 'osaka', '--', 'true'], 'hardfrk'],
    [['exec', '--port', '--', 'true'], '--port: expected a value behind it'],
  ])('refuses %j', async (argv, message) => {
    const { io, written } = fakeProcess(argv)
    expect(await main(io)).toBe(1)
    expect(written.stderr).toContain(message)
  })
})
