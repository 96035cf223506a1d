/** Creates the services that all chains of a node share. services.ts wires the services of one chain. */

import { join } from 'node:path'
import type { Host } from '../base/host.ts'
import { findPackage } from '../config/package.ts'
import type { Network } from '../config/network.ts'
import type { NetworkKind } from '../config/network-kind.ts'
import type { Options } from '../config/options.ts'
import { resolveNetwork } from '../config/resolve-network.ts'
import { fixedRandom } from '../crypto/fixed-random.ts'
import { NodeError } from '../base/errors.ts'
import type { Emitter } from '../base/events.ts'
import type { Address } from '../base/hex.ts'
import { ContractCatalog } from '../insight/artifacts/catalog.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Funding } from '../state/state-source.ts'
import { KeptStates } from '../chain/chain.ts'
import { Engine } from '../evm/engine.ts'
import { lazyPart } from '../base/lazy-part.ts'
import type { Fork } from '../fork/fork.ts'
import { fundedAccounts, type FundedAccount } from '../accounts/derive.ts'
import { Failures } from '../insight/explain/failures.ts'
import type { BlockCheck, NodeCore } from '../kernel/module.ts'
import { kindsOf, startModules, type AnyModule, type RunningModules } from '../kernel/running-modules.ts'
import { KnownSignatures } from '../insight/artifacts/known-signatures.ts'
import { blockUpTo } from '../chain/miner/remote-transactions.ts'

type ForkOpener = ReturnType<typeof createForkOpener>

/** Services that all chains of a node share. A world with another network or remote chain has some of its own. */
export interface SharedServices {
  readonly options: Options
  readonly host: Host
  readonly network: Network
  readonly kinds: readonly NetworkKind[]
  readonly funded: readonly FundedAccount[]
  /** What the chain gives to these accounts and to those in the options. */
  readonly funding: ReadonlyMap<Address, Funding>
  readonly engine: Engine
  /** Drops old states of all chains. */
  readonly keptStates: KeptStates
  readonly contractCatalog: ContractCatalog
  /** Names of functions, events and errors of contracts without sources. */
  readonly signatures: KnownSignatures
  readonly failures: Failures
  readonly modules: RunningModules
  readonly failed: Emitter<Error>
  readonly blockCheck: BlockCheck | undefined
  readonly forkOpener: ForkOpener
  /** The remote chain that the chain continues; absent without a fork. */
  readonly fork: Fork | undefined
  /** The newest remote block of that chain, or the local block after it that ends with the fork's transaction. */
  readonly forkHead: ChainEntry | undefined
}

interface NewServices extends Pick<SharedServices, 'host' | 'forkOpener'>, Pick<NodeCore, 'isWorker'> {
  readonly modules: readonly AnyModule[]
}

/** Creates the shared services from the options. @throws NodeError 'invalidOption', 'remoteFailed' */
export async function createSharedServices(
  options: Options,
  { host, forkOpener, modules: list, isWorker }: NewServices,
): Promise<SharedServices> {
  const fork = beginsAsFork(options) ? await forkOpener.open(options) : undefined
  try {
    const kinds = kindsOf(list)
    const network = fork?.network ?? resolveNetwork(options, kinds)
    const funded = accountsToFund(network, options)
    const funding = fundingOf(funded, options)
    const contractCatalog = new ContractCatalog(
      options.noArtifacts ? undefined : options.artifacts,
      host.elapsed,
    )
    await contractCatalog.check()
    const signatures = await createSignatures(options, contractCatalog)
    const failed = contractCatalog.failed
    const failures = new Failures(host.now)
    const core = { options, host, network, contractCatalog, failures, failed, isWorker }
    const known = { contractCatalog, signatures, failures, modules: await startModules(list, core), failed }
    const keptStates = new KeptStates(options.keepStates)
    const common = { options, host, network, kinds, funded, funding, keptStates, ...known, forkOpener, fork }
    return { ...common, ...(await rulesAndHead(common)) }
  } catch (error) {
    await fork?.close()
    throw error
  }
}

/** The signatures of common standards and those of the option. @throws NodeError 'invalidOption' */
const createSignatures = ({ selectors }: Options, catalog: ContractCatalog): Promise<KnownSignatures> =>
  KnownSignatures.in(join(findPackage().folder, 'fixtures', 'signatures.txt'), selectors, (error) =>
    catalog.failed.emit(error),
  )

/** Whether the node's chain continues another one. If only the cache is read, no URL is needed. */
const beginsAsFork = ({ forkUrl, forkCacheOnly }: Options): boolean =>
  forkUrl !== undefined || forkCacheOnly === true

/** A node's services for chains of another network, or that continue another remote chain. */
export async function servicesOfNetwork(
  shared: SharedServices,
  of: Pick<SharedServices, 'network' | 'funded' | 'fork'>,
): Promise<SharedServices> {
  const own = { ...shared, ...of, funding: fundingOf(of.funded, shared.options) }
  return { ...own, ...(await rulesAndHead(own)) }
}

type NetworkServices = Pick<SharedServices, 'engine' | 'blockCheck' | 'forkHead'>

async function rulesAndHead(shared: Omit<SharedServices, keyof NetworkServices>): Promise<NetworkServices> {
  const { options, network, fork, funding } = shared
  const rules = await network.kind.consensus.rules(network, options)
  const engine = new Engine(rules, shared.modules.monitor)
  const blockCheck = await shared.modules.blockCheck(network, engine)
  if (fork === undefined) return { engine, blockCheck, forkHead: undefined }
  const head = await fork.open(network, funding)
  if (fork.lastTransaction === undefined) return { engine, blockCheck, forkHead: head }
  const block = await fork.nextBlock(network)
  const forkHead = await blockUpTo({ engine: engine.unmonitored, network, head }, block, fork.lastTransaction)
  return { engine, blockCheck, forkHead }
}

/** The accounts of the keys and those in the option. */
function fundingOf(
  funded: readonly FundedAccount[],
  { fundAccounts = new Map() }: Options,
): ReadonlyMap<Address, Funding> {
  const funding = new Map<Address, Funding>()
  for (const { address, balance } of funded) funding.set(address, { balance, keepsCode: false })
  for (const [address, balance] of fundAccounts)
    funding.set(address, { balance, keepsCode: !funding.has(address) })
  return funding
}

/** Creates a node's opener of forks. The first fork loads its code, because most nodes have none. */
export function createForkOpener(
  options: Options,
  host: Host,
  onFault: (error: Error) => void,
  kinds: readonly NetworkKind[],
) {
  const loadForks = lazyPart('forks', async () => {
    const { forkOpener } = await import('../fork/fork.ts')
    const fail = (sentence: string) => onFault(new NodeError('remoteFailed', sentence))
    return forkOpener(options, host, fail, kinds)
  })
  /** Opens the fork that the options name. @throws NodeError 'remoteFailed', 'invalidOption' */
  const open = async (wanted: Options): Promise<Fork> => (await loadForks())(wanted)
  return { open }
}

/** The accounts of the network. A genesis file determines their balances, unless the option `balance` does. */
function accountsToFund(network: Network, { genesis, balance }: Options): readonly FundedAccount[] {
  const accounts = fundedAccounts(network.accounts)
  if (genesis === undefined || balance !== undefined) return accounts
  const balances = new Map(network.genesis.accounts.map((account) => [account.address, account.balance]))
  return accounts.map((account) => ({ ...account, balance: balances.get(account.address) ?? 0n }))
}

/** Default time of a frozen clock: 2023-11-14, in seconds since the epoch. */
const FROZEN_AT = 1_700_000_000n

/**
 * The host environment of a chain. With a frozen clock every run is the same: only blocks and requests change the time, and the
 * random source depends on the world's id, so that worlds do not influence each other.
 */
export function hostForChain(
  { options: { frozenTime }, host }: Pick<SharedServices, 'options' | 'host'>,
  worldId?: string,
): Host {
  if (frozenTime === false) return host
  const startMs = Number(frozenTime === true ? FROZEN_AT : frozenTime) * 1000
  const random = fixedRandom(worldId === undefined ? 'default' : `world ${worldId}`)
  return { now: () => startMs, elapsed: () => startMs, random, schedule: host.schedule }
}
