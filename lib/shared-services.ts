/** Creates the services that all chains of a node share. The services of one chain are wired in services.ts. */

import type { Host } from './base/host.ts'
import type { Network } from './config/network.ts'
import type { Options } from './config/options.ts'
import { resolveNetwork } from './config/resolve-network.ts'
import { consensusOf } from './consensus/consensus-of.ts'
import { fixedRandom } from './crypto/fixed-random.ts'
import { ConsoleReader } from './abi/console-text.ts'
import { CustomErrors } from './abi/custom-errors.ts'
import type { RemoteEntry } from './chain/remote-history.ts'
import { Engine } from './evm/engine.ts'
import type { Fork } from './fork/fork.ts'
import { fundedAccounts } from './keystore/derive.ts'
import type { FundedAccount } from './keystore/derive.ts'

/** The services that all chains of a node share. */
export interface SharedServices {
  readonly options: Options
  readonly host: Host
  readonly network: Network
  readonly funded: readonly FundedAccount[]
  readonly engine: Engine
  readonly consoleReader: ConsoleReader
  readonly customErrors: CustomErrors
  /** The remote chain that the default chain continues; absent without a fork. */
  readonly fork: Fork | undefined
  /** The newest remote block of that chain. */
  readonly forkHead: RemoteEntry | undefined
}

/** Creates the shared services from the options. @throws NodeError 'invalidOption' */
export async function createSharedServices(options: Options, host: Host): Promise<SharedServices> {
  const fork = options.forkUrl === undefined ? undefined : await openNamedFork(options, host)
  const network = fork?.network ?? resolveNetwork(options)
  const funded = accountsToFund(network, options)
  const { allowUnlimitedContractSize } = options
  const engine = new Engine(await consensusOf(network).rules(network, { allowUnlimitedContractSize }))
  const consoleReader = new ConsoleReader()
  const customErrors = new CustomErrors(options.artifacts, host.now)
  const balances = new Map(funded.map(({ address, balance }) => [address, balance]))
  const forkHead = await fork?.open(balances)
  return { options, host, network, funded, engine, consoleReader, customErrors, fork, forkHead }
}

/** Opens the fork that the options name. Its code is loaded here, because most nodes have no fork. */
async function openNamedFork(options: Options, host: Host): Promise<Fork> {
  const { openFork } = await import('./fork/fork.ts')
  return openFork(options, host)
}

/** The accounts of the network. A genesis file determines their balances, unless the option `balance` does. */
function accountsToFund(network: Network, { genesis, balance }: Options): readonly FundedAccount[] {
  const accounts = fundedAccounts(network.accounts)
  if (genesis === undefined || balance !== undefined) return accounts
  const given = new Map(network.genesis.accounts.map((account) => [account.address, account.balance]))
  return accounts.map((account) => ({ ...account, balance: given.get(account.address) ?? 0n }))
}

/** Default time of a frozen clock: 2023-11-14, in seconds since the epoch. */
const FROZEN_AT = 1_700_000_000n

/**
 * The host environment of a chain. With a frozen clock it is the same in every run: only blocks and requests change the
 * time, and the random source depends on the id of the world, so that worlds do not influence each other.
 */
export function hostForChain(
  { options: { frozenTime }, host }: Pick<SharedServices, 'options' | 'host'>,
  worldId?: string,
): Host {
  if (frozenTime === false) return host
  const startMs = Number(frozenTime === true ? FROZEN_AT : frozenTime) * 1000
  const random = fixedRandom(worldId === undefined ? 'default' : `world ${worldId}`)
  return { now: () => startMs, random, schedule: host.schedule }
}
