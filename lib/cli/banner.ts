/** Texts that the command prints when the server listens: for people, for --quiet, or for programs. */

import type { ChalkInstance } from 'chalk'
import { decimalText } from '../base/decimal-text.ts'
import { unreachable } from '../base/invariant.ts'
import type { Options } from '../config/options.ts'
import { miningModeOf } from '../config/mining-mode.ts'
import { jsonLine } from './json-line.ts'
import type { RunningServer } from '../server/start.ts'

/** The line that tools wait for: the node accepts requests from now on. */
export function listeningLine(server: RunningServer): string {
  return `Listening on ${server.url}\n`
}

/** The JSON line that programs wait for. */
export function readyLine(
  { url, port, explorer, ipc, network, state, findings, fork, accounts, version }: RunningServer,
  pid: number,
): string {
  const addresses = accounts.map((account) => account.address)
  return jsonLine('ready', {
    url,
    port,
    explorer,
    ipc,
    chainId: network.chainId,
    network: network.name,
    state,
    found: findings.length === 0 ? undefined : findings,
    fork: fork && forkMembers(fork),
    accounts: addresses,
    version,
    pid,
  })
}

/** The fork of a running server. */
type ServerFork = NonNullable<RunningServer['fork']>

function forkMembers({ shownUrl, block, depth, cacheFolder }: ServerFork): object {
  return { url: shownUrl, ...block, blocksBelowHead: depth, cache: cacheFolder }
}

/** Lines about a fork: the remote, the block, and the cache. */
function forkFacts(fork: ServerFork, options: Options): [string, string][] {
  const { shownUrl, block, chainName, depth, cacheFolder } = fork
  const chain = `${chainName === undefined ? '' : `${chainName}, `}chain id ${block.chainId}`
  const isChosen = options.forkBlockNumber !== undefined || options.forkTransaction !== undefined
  const below =
    isChosen || depth === undefined || depth === 0n
      ? ''
      : `, ${depth} blocks below the head: later ones may still be reorganized`
  return [
    ['fork', `${shownUrl}, ${chain}`],
    ['block', `${block.blockNumber} ${block.blockHash}${below}`],
    ['cache', cacheFolder ?? 'none'],
  ]
}

/** The state file and what the start found in it. */
function stateFact({ path, loaded }: NonNullable<RunningServer['state']>): string {
  return loaded === undefined
    ? `${path}, new`
    : `${path}, loaded at block ${loaded.blockNumber} ${loaded.blockHash}`
}

/** Addresses, keys and settings to copy or check, ending with the line that tools wait for. */
export function banner(server: RunningServer, options: Options, paint: ChalkInstance): string {
  const facts: [string, string][] = [
    [
      'network',
      `${server.network.name}, chain id ${server.network.chainId.toString()}, ${server.network.hardfork}`,
    ],
    ['mining', describeMining(options)],
    ['time', describeTime(options)],
    ['dialect', options.dialect],
  ]
  if (server.fork !== undefined) facts.splice(1, 0, ...forkFacts(server.fork, options))
  if (server.state !== undefined) facts.push(['state', stateFact(server.state)])
  if (options.keystore !== undefined) facts.push(['keystore', options.keystore])
  if (server.ipc !== undefined) facts.push(['ipc', server.ipc])
  if (server.explorer !== undefined) {
    // The log can be public, the key is not.
    facts.push(['explorer', `${server.explorer}${options.apiKeys.length === 0 ? '' : '<API key>'}`])
  }
  if (options.verbose) facts.push(['crypto', server.crypto])
  const title = `${paint.bold('dev-node')} ${server.version}`
  const table = facts.map(([name, value]) => `${paint.dim(name.padEnd(8))} ${value}`)
  const parts = [
    title,
    ...accountParts(server, paint),
    table.join('\n'),
    paint.green(listeningLine(server).trimEnd()),
  ]
  return `${parts.join('\n\n')}\n`
}

function accountParts({ accounts }: RunningServer, paint: ChalkInstance): string[] {
  if (accounts.length === 0) return ['No accounts: the node holds no keys.']
  const number = (index: number): string =>
    paint.dim(`(${index})`.padStart(String(accounts.length - 1).length + 2))
  const balances = accounts.map(
    ({ address, balance }, index) => `${number(index)} ${address} ${decimalText(balance, 18)} coins`,
  )
  const keys = accounts.map(({ privateKey }, index) => `${number(index)} ${privateKey}`)
  return [
    [paint.bold('Accounts'), ...balances].join('\n'),
    [
      paint.bold('Private keys'),
      ...keys,
      paint.yellow('These keys are for tests: never fund them on a real network.'),
    ].join('\n'),
  ]
}

function describeMining(options: Options): string {
  const mode = miningModeOf(options)
  switch (mode.kind) {
    case 'instant':
      return 'a block per transaction'
    case 'interval':
      return `a block every ${mode.everyMs / 1000} s`
    case 'manual':
      return 'a block only when asked for'
    case 'external':
      return 'blocks of miners that take work from mnr_getWork'
    default:
      return unreachable(mode)
  }
}

function describeTime({ frozenTime }: Options): string {
  if (frozenTime === false) return 'running'
  return frozenTime === true ? 'frozen' : `frozen at ${frozenTime.toString()}`
}
