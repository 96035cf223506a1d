/** Texts that the command prints when the server listens: for people, for --quiet, or for programs. */

import type { ChalkInstance } from 'chalk'
import { etherText } from '../base/decimal-text.ts'
import { unreachable } from '../base/invariant.ts'
import type { AllOptions } from '../modules/options.ts'
import { DRAFT_FORKS } from '../config/eips.ts'
import { miningModeOf } from '../config/mining-mode.ts'
import { jsonLine } from './io.ts'
import type { FoundArtifacts, RunningServer } from '../server/start.ts'

/** Tools wait for this line: from now on the node accepts requests. */
export const listeningLine = (server: RunningServer): string => `Listening on ${server.url}\n`

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
    fork: fork && { url: fork.shownUrl, ...fork.block, blocksBelowHead: fork.depth, cache: fork.cacheFolder },
    accounts: addresses,
    version,
    pid,
  })
}

type ServerFork = NonNullable<RunningServer['fork']>

/** Lines about a fork: the remote, the block, and the cache. */
function forkFacts(fork: ServerFork, options: AllOptions): [string, string][] {
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
    ['cache', `${cacheFolder ?? 'none'}${options.forkCacheOnly === true ? ', no remote is asked' : ''}`],
  ]
}

/** The state file and what the start found in it. */
function stateFact({ path, loaded }: NonNullable<RunningServer['state']>): string {
  return loaded === undefined
    ? `${path}, new`
    : `${path}, loaded at block ${loaded.blockNumber} ${loaded.blockHash}`
}

/** Commands that users need next. */
const NEXT = [
  ['npx dev-node init', 'sets up Hardhat, Vitest, Jest, Mocha or Foundry in this folder'],
  [
    'npx dev-node explain --last',
    'tells why the newest transaction failed; npx dev-node --help lists all commands',
  ],
] as const

/** Accounts, settings, what was found, and commands to type next, ending with the line that tools wait for. */
export function banner(
  server: RunningServer,
  artifacts: FoundArtifacts,
  options: AllOptions,
  paint: ChalkInstance,
): string {
  const { name, chainId, hardfork, dialect } = server.network
  const facts: RunningServer['facts'] = [
    [
      'network',
      `${name}, chain id ${chainId.toString()}, ${hardfork}${DRAFT_FORKS.has(hardfork) ? ' (experimental: its rules are drafts)' : ''}, errors of ${dialect}`,
    ],
    ...(server.fork === undefined ? [] : forkFacts(server.fork, options)),
    ['mnemonic', options.mnemonic === 'random' ? mnemonicOf(server) : undefined],
    ['mining', describeMining(options)],
    ['time', describeTime(options)],
    ['state', server.state && stateFact(server.state)],
    ['keystore', options.keystore],
    ['ipc', server.ipc],
    ['artifacts', options.noArtifacts ? undefined : artifactsFact(artifacts)],
    ...server.facts,
    // The log may be public, the key is not.
    ['explorer', server.explorer && `${server.explorer}${options.apiKeys.length === 0 ? '' : '<API key>'}`],
    ['crypto', options.verbose ? server.crypto : undefined],
  ]
  const table = facts.flatMap(([fact, value]) =>
    value === undefined ? [] : [`${paint.dim(fact.padEnd(9))} ${value}`],
  )
  const next = NEXT.map(([command, purpose], index) => {
    return `${paint.dim((index === 0 ? 'next' : '').padEnd(9))} ${command.padEnd(28)} ${paint.dim(purpose)}`
  })
  const parts = [
    `${paint.bold('dev-node')} ${server.version}\n${accountTable(server, paint)}`,
    [...table, ...next].join('\n'),
    paint.green(listeningLine(server).trimEnd()),
  ]
  return `${parts.join('\n\n')}\n`
}

function artifactsFact({ folders, contracts, hint }: FoundArtifacts): string {
  if (folders.length === 0) return 'none: compile in this folder, or name a folder with --artifacts'
  const count = contracts === undefined ? '' : `${contracts} contract${contracts === 1 ? '' : 's'} in `
  return `${count}${folders.join(', ')}${hint === undefined ? '' : `; for lines of Solidity, ${hint}`}`
}

/** A line with address and key for each account, and the balance if they differ. */
function accountTable({ accounts }: RunningServer, paint: ChalkInstance): string {
  const [first] = accounts
  if (first === undefined) return 'No accounts: the node holds no keys.'
  const isSame = accounts.every(({ balance }) => balance === first.balance)
  const width = String(accounts.length - 1).length + 2
  return [
    `${paint.bold('Accounts and private keys')}${isSame ? `, ${etherText(first.balance)} each` : ''}; ${paint.yellow('public: never use them on a real network')}`,
    ...accounts.map(({ address, privateKey, balance }, index) =>
      [
        paint.dim(`(${index})`.padStart(width)),
        address,
        privateKey,
        ...(isSame ? [] : [etherText(balance)]),
      ].join(' '),
    ),
  ].join('\n')
}

/** Undefined for the default mode. */
function describeMining(options: AllOptions): string | undefined {
  const mode = miningModeOf(options)
  switch (mode.kind) {
    case 'instant':
      return undefined
    case 'interval':
      return `a block every ${mode.everyMs / 1000} s${mode.isInstantToo === true ? ', and one per transaction' : ''}`
    case 'manual':
      return 'a block only when asked for'
    case 'external':
      return 'blocks of miners that take work from mnr_getWork'
    default:
      return unreachable(mode)
  }
}

const mnemonicOf = ({ network: { accounts } }: RunningServer): string | undefined =>
  accounts.source === 'mnemonic' ? accounts.mnemonic : undefined

function describeTime({ frozenTime }: AllOptions): string | undefined {
  if (frozenTime === false) return undefined
  return frozenTime === true ? 'frozen' : `frozen at ${frozenTime.toString()}`
}
