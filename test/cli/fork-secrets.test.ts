/** The URL of a remote and its headers can hold keys. Neither the output of the command nor an answer shows them. */

import { expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import { fakeProcess } from './fake-server.ts'

const SECRETS = ['my-name', 'pass-word', 'path-key', 'query-key', 'header-key']
const HEADER = ['--fork-header', 'x-auth: Bearer header-key', '--no-fork-cache']
const urlWithKeys = (port: number) => `http://my-name:pass-word@127.0.0.1:${port}/v2/path-key?token=query-key`

/** A URL at which nothing listens. */
const URL_WITH_KEYS = urlWithKeys(8545)
const FORK = ['--fork-url', URL_WITH_KEYS, ...HEADER]

/** Runs with the flags of a fork whose remote is a node with ten blocks. */
async function withRemote(run: (flags: readonly string[]) => Promise<void>): Promise<void> {
  await withServer({ network: 'ethereum' }, async (server) => {
    await ask(server, { body: rpc('hardhat_mine', ['0xa']) })
    const target = { targetPort: server.port }
    await withFaultProxy([], ({ port }) => run(['--fork-url', urlWithKeys(port), ...HEADER]), target)
  })
}

const shown = (text: string): readonly string[] => SECRETS.filter((secret) => text.includes(secret))

/** What the running command prints, and what it answers to requests. */
async function outputOf(
  argv: readonly string[],
  requests: readonly (readonly [method: string, params?: readonly unknown[]])[],
): Promise<{ readonly printed: string; readonly answers: readonly string[] }> {
  let server: RunningServer | undefined
  const fake = fakeProcess(
    ['--port', '0', ...argv],
    async (options, hooks) => (server = await startWithOptions(options, hooks)),
  )
  const code = main(fake.io)
  await fake.started
  while (fake.written.stdout === '' && fake.written.stderr === '') await new Promise(setImmediate)
  const answers = []
  for (const [method, params] of requests)
    answers.push((await ask(server!, { body: rpc(method, params) })).text)
  fake.signal()
  expect(await code).toBe(0)
  return { printed: fake.written.stdout + fake.written.stderr, answers }
}

test.each([[[]], [['--verbose']], [['--json', '--verbose']], [['--quiet']]])(
  'with %j, start and requests show no secret',
  async (argv) => {
    await withRemote(async (fork) => {
      const { printed, answers } = await outputOf(
        [...argv, ...fork],
        [
          ['hardhat_metadata'],
          ['anvil_metadata'],
          ['anvil_nodeInfo'],
          ['web3_clientVersion'],
          ['anvil_setRpcUrl', [URL_WITH_KEYS]],
          ['hardhat_reset', [{ forking: { jsonRpcUrl: URL_WITH_KEYS, blockNumber: 5 } }]],
          ['anvil_reset', [{ forking: { jsonRpcUrl: ` ${URL_WITH_KEYS}` } }]],
          ['eth_call', [URL_WITH_KEYS]],
        ],
      )
      expect(answers).toHaveLength(8)
      expect(answers.flatMap(shown)).toEqual([])
      expect(shown(printed)).toEqual([])
      if (argv.includes('--verbose')) expect(printed).toContain('"http://127.0.0.1:8545"')
    })
  },
)

test.each([
  ['a URL of another scheme', ['--fork-url', URL_WITH_KEYS.replace('http', 'ftp')]],
  ['a URL without a scheme', ['--fork-url', URL_WITH_KEYS.replace('http://', '')]],
  ['a header without a colon', [...FORK, '--fork-header', 'Bearer header-key']],
  ['a header without quotes', ['start', '--fork-header', 'x-auth:', 'header-key']],
  ['a header without quotes, and without a command', ['--fork-header', 'x-auth:', 'header-key']],
  ['a conflict', [...FORK, '--fork-block-number', '5', '--fork-transaction', `0x${'00'.repeat(32)}`]],
])('the refusal of %s shows no secret', async (_case, argv) => {
  const fake = fakeProcess(argv)
  expect(await main(fake.io)).toBe(1)
  expect(fake.written.stderr).toContain('--fork-')
  expect(shown(fake.written.stdout + fake.written.stderr)).toEqual([])
})

test('a block that counts back from the head is no flag', async () => {
  await withRemote(async (fork) => {
    const { printed, answers } = await outputOf(
      [...fork, '--fork-block-number', '-4', '--quiet'],
      [['eth_blockNumber']],
    )
    expect(printed).toMatch(/^Listening on /)
    expect(answers).toEqual(['{"jsonrpc":"2.0","id":1,"result":"0x6"}'])
  })
})
