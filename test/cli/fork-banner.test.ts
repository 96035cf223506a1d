/** What the banner and the ready line say of a fork, by the remote and by the block that was asked for. */

import { expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import { outputOf } from './command-output.ts'

/** Blocks of the remotes. */
const HEIGHT = 200n

/** The client of public nodes. A development node has no blocks that may be reorganized. */
const GETH = 'Geth/v1.16.7-stable/linux-amd64/go1.24.9'

interface Remote {
  readonly url: string
  readonly send: (method: string, params?: readonly unknown[]) => Promise<any>
}

/** Runs a test with a remote of 200 blocks that names itself as given. */
const withRemote = (
  options: OptionsInput,
  version: string | undefined,
  run: (remote: Remote) => Promise<void>,
) =>
  withServer(options, async (server) => {
    const send = async (method: string, params: readonly unknown[] = []) =>
      JSON.parse((await ask(server, { body: rpc(method, params) })).text).result
    await send('hardhat_mine', [`0x${HEIGHT.toString(16)}`])
    const change = (answer: any) => {
      const renamed = (one: any) =>
        version !== undefined && String(one.result).startsWith('Hardhat') ? { ...one, result: version } : one
      return Array.isArray(answer) ? answer.map(renamed) : renamed(answer)
    }
    const runWith = ({ httpUrl: url }: { readonly httpUrl: string }) => run({ url, send })
    await withFaultProxy(() => ({ change }), runWith, { targetPort: server.port })
  })

/** The line of the banner about the block, and the fork of the ready line. */
async function shownFork(argv: readonly string[]): Promise<{ readonly line: string; readonly ready: any }> {
  const flags = [...argv, '--no-fork-cache']
  const { printed } = await outputOf(flags, [])
  const json = await outputOf([...flags, '--json'], [])
  return {
    line: /^.*block +(.*)$/m.exec(printed)?.[1] ?? printed,
    ready: JSON.parse(json.printed.split('\n')[0]!).fork,
  }
}

test('the fork of a development node, with its chain and its cache', () =>
  withRemote({ network: 'ethereum', chainId: 1 }, undefined, async ({ url, send }) => {
    const { hash } = await send('eth_getBlockByNumber', ['0xc8', false])
    const { printed } = await outputOf(['--fork-url', url, '--no-fork-cache'], [])
    expect(printed).toContain(`${url}, Ethereum, chain id 1\n`)
    expect(printed).toMatch(new RegExp(`block +200 ${hash}\n.*cache +none\n`))
  }))

const BELOW = (blocks: number): string =>
  `, ${blocks} blocks below the head: later ones may still be reorganized`

test.each<[string, OptionsInput, string | undefined, bigint, string]>([
  ['Ethereum', { network: 'ethereum', chainId: 1 }, GETH, 32n, BELOW(32)],
  ['Gnosis', { network: 'ethereum', chainId: 100 }, GETH, 38n, BELOW(38)],
  ['an unknown chain', { network: 'ethereum', chainId: 777 }, GETH, 128n, BELOW(128)],
  ['an unknown chain of a development node', { network: 'ethereum', chainId: 777 }, undefined, 0n, ''],
  ['a local network 33', { network: 'network-33' }, 'NODEJ/9.1.0', 0n, ''],
  ['a public chain of network 33', { network: 'network-33', chainId: 30 }, 'NODEJ/9.1.0', 128n, BELOW(128)],
])('a fork of %s begins below the head by what may be reorganized', (_case, options, version, depth, below) =>
  withRemote(options, version, async ({ url, send }) => {
    const number = HEIGHT - depth
    const { hash } = await send('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    const { line, ready } = await shownFork(['--fork-url', url])
    expect(line).toBe(`${number} ${hash}${below}`)
    expect(ready).toMatchObject({
      blockNumber: Number(number),
      blockHash: hash,
      blocksBelowHead: Number(depth),
    })
  }),
)

test.each([
  ['latest', 200],
  ['safe', 200],
  ['finalized', 200],
  ['earliest', 0],
  ['150', 150],
  ['-5', 195],
])('a fork of block %s names block %d, without advice', (block, number) =>
  withRemote({ network: 'ethereum', chainId: 1 }, GETH, async ({ url, send }) => {
    const { hash } = await send('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    const { line, ready } = await shownFork(['--fork-url', url, '--fork-block-number', block])
    expect(line).toBe(`${number} ${hash}`)
    expect(ready).toMatchObject({ blockHash: hash, blocksBelowHead: 200 - number })
  }),
)

test('a fork after a transaction names the block before its block', () =>
  withRemote({ network: 'ethereum', chainId: 1 }, GETH, async ({ url, send }) => {
    const [from] = await send('eth_accounts')
    const sent = await send('eth_sendTransaction', [{ from, to: from }])
    const { hash } = await send('eth_getBlockByNumber', ['0xc8', false])
    const { line, ready } = await shownFork(['--fork-url', url, '--fork-transaction', sent])
    expect(line).toBe(`200 ${hash}`)
    expect(ready).toMatchObject({ blockNumber: 200, blocksBelowHead: 1 })
  }))
