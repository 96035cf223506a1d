/** The URL of a remote and its headers can hold keys. Neither the output of the command nor an answer shows them. */

import { expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { withRemote } from '../support/forks.ts'
import { outputOf } from './command-output.ts'
import { fakeProcess } from './fake-server.ts'

const SECRETS = ['my-name', 'pass-word', 'path-key', 'query-key', 'header-key']
const URL_WITH_KEYS = 'http://my-name:pass-word@127.0.0.1:8545/v2/path-key?token=query-key'
const FORK = ['--fork-url', URL_WITH_KEYS, '--fork-header', 'x-auth: Bearer header-key']

const shown = (text: string): readonly string[] => SECRETS.filter((secret) => text.includes(secret))

test.each([[[]], [['--verbose']], [['--json', '--verbose']], [['--quiet']]])(
  'with %j, start and requests show no secret',
  (argv) =>
    withRemote({ network: 'ethereum' }, async ({ url }) => {
      const jsonRpcUrl = `${url.replace('//', '//my-name:pass-word@')}/path-key?token=query-key`
      const fork = ['--fork-url', jsonRpcUrl, '--fork-header', 'x-auth: Bearer header-key', '--no-fork-cache']
      const httpHeaders = ['x-auth: Bearer header-key']
      const { printed, answers } = await outputOf(
        [...argv, ...fork],
        [
          ['hardhat_metadata'],
          ['anvil_metadata'],
          ['anvil_nodeInfo'],
          ['web3_clientVersion'],
          ['anvil_setRpcUrl', [jsonRpcUrl]],
          ['hardhat_reset', [{ forking: { jsonRpcUrl, blockNumber: 5 } }]],
          ['anvil_reset', [{ forking: { jsonRpcUrl: ` ${jsonRpcUrl}`, httpHeaders } }]],
          ['dev_createWorld', [{ fork: { url: jsonRpcUrl, headers: httpHeaders } }]],
          ['dev_createWorld', [{ fork: { uri: jsonRpcUrl, headers: httpHeaders } }]],
          ['dev_createWorld', [{ fork: { url: jsonRpcUrl, headers: ['header-key'] } }]],
          ['eth_call', [jsonRpcUrl]],
        ],
      )
      expect(answers).toHaveLength(11)
      expect(answers.flatMap(shown)).toEqual([])
      expect(shown(printed)).toEqual([])
      if (!argv.includes('--quiet')) expect(printed).toContain(url)
    }),
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

test('a block that counts back from the head is no flag', () =>
  withRemote({ network: 'ethereum' }, async ({ url, call }) => {
    await call('hardhat_mine', ['0x9'])
    const fork = ['--fork-url', url, '--fork-block-number', '-5', '--no-fork-cache']
    const { answers } = await outputOf([...fork, '--quiet'], [['eth_blockNumber']])
    expect(answers[0]).toContain('"0x4"')
  }))
