/** What every chain of a node works with: settled once from the options. What one chain is made of is wired in services.ts. */

import type { Host } from './base/host.ts'
import type { Network } from './config/network.ts'
import type { Options } from './config/options.ts'
import { settleNetwork } from './config/settle-network.ts'
import { addressOfPrivateKey } from './crypto/address.ts'
import { fixedRandom } from './crypto/fixed-random.ts'
import { ConsoleReader } from './abi/console-text.ts'
import { CustomErrors } from './abi/custom-errors.ts'
import { Engine } from './evm/engine.ts'
import { LibraryNetwork } from './evm/library-common.ts'
import { rulesOf } from './evm/rules/rules-of.ts'
import { deriveKeys } from './keystore/derive.ts'

/** An account the node started with. */
export interface FundedAccount {
  readonly address: ReturnType<typeof addressOfPrivateKey>
  readonly privateKey: Uint8Array
  /** Wei at the start. */
  readonly balance: bigint
}

/** What every chain of a node works with. */
export interface Shared {
  readonly options: Options
  readonly host: Host
  readonly network: Network
  readonly funded: readonly FundedAccount[]
  readonly engine: Engine
  readonly library: LibraryNetwork
  readonly consoleReader: ConsoleReader
  readonly customErrors: CustomErrors
}

/** Settles what follows from the options. @throws NodeError 'invalidOption' */
export async function share(options: Options, host: Host): Promise<Shared> {
  const network = settleNetwork(options)
  const funded = fundedAccounts(network, options)
  const { allowUnlimitedContractSize } = options
  const engine = new Engine(await rulesOf(network, { allowUnlimitedContractSize }))
  const library = new LibraryNetwork(network)
  const consoleReader = new ConsoleReader()
  const customErrors = new CustomErrors(options.artifacts, host.now)
  return { options, host, network, funded, engine, library, consoleReader, customErrors }
}

/** The accounts of the network. With a genesis file they have what it gives them, unless a balance was asked for. */
function fundedAccounts(network: Network, { genesis, balance }: Options): readonly FundedAccount[] {
  const accounts = deriveKeys(network.accounts).map((key) => ({
    ...key,
    address: addressOfPrivateKey(key.privateKey),
  }))
  if (genesis === undefined || balance !== undefined) return accounts
  const given = new Map(network.genesis.accounts.map((account) => [account.address, account.balance]))
  return accounts.map((account) => ({ ...account, balance: given.get(account.address) ?? 0n }))
}

/** Start of a frozen clock that is given no time: 2023-11-14, the 1,700,000,000th second of the epoch. */
const FROZEN_AT = 1_700_000_000n

/**
 * What a chain sees of the outside. With a frozen clock that is the same in every run: time passes only when a block or
 * a request moves it, and randomness follows from the id of the world, so that worlds do not disturb each other's.
 */
export function hostOf(
  { options: { frozenTime }, host }: Pick<Shared, 'options' | 'host'>,
  worldId?: string,
): Host {
  if (frozenTime === false) return host
  const startMs = Number(frozenTime === true ? FROZEN_AT : frozenTime) * 1000
  const random = fixedRandom(worldId === undefined ? 'default' : `world ${worldId}`)
  return { now: () => startMs, random, schedule: host.schedule }
}
