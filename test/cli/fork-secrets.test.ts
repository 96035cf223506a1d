/** The URL of a remote and its headers can hold keys. Neither the output of the command nor an answer shows them. */

import { expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { startWithOptions } from '../../lib/server/start.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import { ask, rpc } from '../support/server.ts'
import { fakeProcess } from './fake-server.ts'

const SECRETS = ['my-name', 'pass-word', 'path-key', 'query-key', 'header-key']
const URL_WITH_KEYS = 'http://my-name:pass-word@127.0.0.1:8545/v2/path-key?token=query-key'
const FORK = ['--fork-url', URL_WITH_KEYS, '--fork-header', 'x-auth: Bearer header-key']

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
    const { printed, answers } = await outputOf(
      [...argv, ...FORK],
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
  const { printed } = await outputOf([...FORK, '--fork-block-number', '-5', '--quiet'], [])
  expect(printed).toMatch(/^Listening on /)
})
