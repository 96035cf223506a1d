/** Wires the services of one chain. */

import type { Hash } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import type { Chain } from '../chain/chain.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { CrossCheckResults } from '../insight/cross-check/results.ts'
import { miningModeOf } from '../config/mining-mode.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import { consensusOf } from '../networks/consensus/consensus-of.ts'
import type { Consensus } from '../networks/consensus/consensus.ts'
import { TransactionCodec } from '../evm/codec.ts'
import type { Rules } from '../evm/rules.ts'
import type { ConsoleReader } from '../abi/console-text.ts'
import { wireContractServices } from './contract-wiring.ts'
import type { ContractServices } from './contract-wiring.ts'
import { ChainForks } from '../fork/fork.ts'
import { ConsoleLog } from '../chain/filters/console-log.ts'
import { Filters } from '../chain/filters/filters.ts'
import { Subscriptions } from '../chain/filters/subscriptions.ts'
import type { FundedAccount } from '../accounts/derive.ts'
import { SCRYPT_COSTS } from '../accounts/encrypted-key.ts'
import { Impersonation } from '../accounts/impersonation.ts'
import { keyFolder } from '../accounts/key-folder.ts'
import { Keystore } from '../accounts/keystore.ts'
import { Mempool } from '../chain/mempool/mempool.ts'
import { Sidecars } from '../chain/mempool/sidecars.ts'
import type { Clock } from '../chain/miner/clock.ts'
import { Hashrates } from '../chain/miner/hashrate.ts'
import { Miner } from '../chain/miner/miner.ts'
import { Submission } from '../chain/miner/submission.ts'
import { BlockResolver } from '../chain/miner/block-resolver.ts'
import { MiningWork } from '../chain/miner/mining-work.ts'
import { hostForChain } from './shared-services.ts'
import type { SharedServices } from './shared-services.ts'
import { startCallTimer, startDeadline } from '../chain/simulation/call-timer.ts'
import type { CallTimer } from '../chain/simulation/call-timer.ts'
import { BlockSimulator } from '../chain/simulation/block-simulator.ts'
import { BundleSimulator } from '../chain/simulation/bundle-simulator.ts'
import { Simulator } from '../chain/simulation/simulator.ts'
import { instructionTable } from '../evm/machine/core-tables.ts'
import { AccountHistory } from '../insight/trace/account-history.ts'
import { Replayer } from '../insight/trace/replay.ts'
import { Tracing } from '../insight/trace/tracing.ts'
import { Snapshots } from '../chain/instance/snapshots.ts'
import { ChainInstance } from '../chain/instance/chain-instance.ts'
import type { Cell } from '../chain/instance/chain-instance.ts'
import { createChainAndClock, initialFork, initialSidecars } from './new-chain.ts'
import type { NewChain } from './new-chain.ts'

/** The services of one chain. */
export interface Services extends ContractServices {
  readonly options: Options
  readonly network: Network
  readonly consensus: Consensus
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly codec: TransactionCodec
  /** The precompiles of the network, by address. */
  readonly precompiles: Rules['precompiles']
  /** Names of the instructions by opcode; undefined for an undefined opcode. */
  readonly instructionNames: () => readonly (string | undefined)[]
  readonly mempool: Mempool
  /** Blobs of transactions in the pool and in blocks. */
  readonly sidecars: Sidecars
  readonly clock: Clock
  readonly miner: Miner
  /** Looks up blocks and their states, the pending block among them. */
  readonly blockResolver: BlockResolver
  /** Adds transactions to the pool, and mines them if mining is instant. */
  readonly submission: Submission
  /** Runs calls and estimates. */
  readonly simulator: Simulator
  /** Times the executions of one request from now on. */
  readonly startCallTimer: () => CallTimer
  /** Starts the timer of an estimate that does not pause. */
  readonly startDeadline: () => CallTimer
  readonly blockSimulator: BlockSimulator
  readonly bundleSimulator: BundleSimulator
  readonly tracing: Tracing
  readonly accountHistory: AccountHistory
  /** What the cross-checks of all chains of the node have found. */
  readonly crossChecks: CrossCheckResults
  readonly filters: Filters
  readonly subscriptions: Subscriptions
  readonly keystore: Keystore
  readonly impersonation: Impersonation
  /** Addresses of banned peers, in the form in which the requests had them. There are no peers, so a ban has no effect. */
  readonly bannedAddresses: Cell<ReadonlySet<string>>
  /** Work for external miners (eth_getWork, mnr_getWork). */
  readonly miningWork: MiningWork
  readonly hashrates: Hashrates
  /** The remote chain that this chain continues. */
  readonly forks: ChainForks
  readonly snapshots: Snapshots<HeadPosition>
  readonly consoleLog: ConsoleLog
  readonly consoleReader: ConsoleReader
  /** Whether requests are logged. */
  readonly logging: Cell<boolean>
  /** Time when this chain was created, in milliseconds since the epoch. It is part of the instance id of hardhat_metadata. */
  readonly createdAtMs: number
  /** Id of the world; absent for the default chain. */
  readonly worldId: string | undefined
  /** The funded accounts of the network, in order. */
  readonly funded: readonly FundedAccount[]
}

/** Number and hash of the head at a snapshot. */
interface HeadPosition {
  readonly number: bigint
  readonly hash: Hash
}

function headPosition({ head }: Chain): HeadPosition {
  const { hash, header } = head.block
  return { number: header.number, hash }
}

/** The services that the other services depend on. */
type CoreServices = Pick<
  Services,
  'instance' | 'chain' | 'clock' | 'mempool' | 'sidecars' | 'miner' | 'forks' | 'crossChecks'
> & {
  readonly host: Host
}

function createCoreServices(shared: SharedServices, { id, parent }: NewChain): CoreServices {
  const { options, network, engine, crossCheck } = shared
  const instance = new ChainInstance()
  const host = hostForChain(shared, id)
  const { chain, clock } = createChainAndClock(instance, { ...shared, host }, parent)
  const forks = new ChainForks(instance, initialFork(shared, parent))
  const mempool = new Mempool(instance)
  const sidecars = new Sidecars(instance, initialSidecars(parent))
  const { allowSameTimestamp, order } = options
  const mode = miningModeOf(options)
  const dependencies = { instance, chain, clock, mempool }
  const check = crossCheck && ((entry: ChainEntry) => crossCheck.check(entry))
  const miner = new Miner({
    ...dependencies,
    engine,
    network,
    host,
    mode,
    allowSameTimestamp,
    order,
    check,
  })
  return {
    ...dependencies,
    sidecars,
    miner,
    forks,
    host,
    crossChecks: shared.crossCheckResults,
  }
}

function callTimers({ host, options }: SharedServices): Pick<Services, 'startCallTimer' | 'startDeadline'> {
  const settings = { now: host.elapsed, timeoutMs: options.callTimeout }
  return {
    startCallTimer: () => startCallTimer(settings),
    startDeadline: () => startDeadline(settings),
  }
}

/** Wires the services of one chain. */
export function wireServices(shared: SharedServices, created: NewChain = {}): Services {
  const { options, network, funded, engine, consoleReader } = shared
  const core = createCoreServices(shared, created)
  const { instance, chain, clock, mempool, sidecars, miner, host } = core
  const { settings } = miner
  const codec = new TransactionCodec(network, settings)
  const replayer = new Replayer({ network, engine: engine.unmonitored })
  const tracing = new Tracing({ replayer, network })
  const blockResolver = new BlockResolver({ chain, mempool, miner })
  const pendingBlock = () => blockResolver.at({ tag: 'pending' }).block
  const timeoutMs = options.filterTimeout * 1000
  const logging = instance.cell('logging', 'keep', true)
  const timers = callTimers(shared)
  return {
    ...core,
    ...wireContractServices(shared, { instance, chain, replayer, ...timers }, created.parent),
    options,
    network,
    consensus: consensusOf(network),
    codec,
    precompiles: engine.rules.precompiles,
    instructionNames: () => Array.from(instructionTable(engine.rules), (one) => one?.name),
    blockResolver,
    keystore: createKeystore(instance, { options, funded, host }, created),
    submission: new Submission({ chain, mempool, sidecars, miner, engine, network, host }),
    simulator: new Simulator({ engine, chain, settings, network }),
    ...timers,
    blockSimulator: new BlockSimulator({ engine, codec, chain, settings, network }),
    bundleSimulator: new BundleSimulator({ engine, codec, chain, settings, network }),
    tracing,
    accountHistory: new AccountHistory({ chain, tracing }),
    filters: new Filters({ instance, chain, mempool, host, timeoutMs, pendingBlock }),
    subscriptions: new Subscriptions({ instance, chain, mempool, host }),
    impersonation: new Impersonation(instance, options.autoImpersonate),
    bannedAddresses: instance.cell('bannedAddresses', 'keep', new Set()),
    miningWork: new MiningWork({ instance, chain, miner }),
    hashrates: new Hashrates({ instance, chain, clock, host }),
    consoleLog: new ConsoleLog(chain, logging, created.id),
    consoleReader,
    logging,
    createdAtMs: host.now(),
    worldId: created.id,
    funded,
    // Created last: it captures all cells that are registered so far, and a reset restores that capture.
    snapshots: createSnapshots({ instance, chain, host }, options),
  }
}

function createSnapshots(
  { instance, chain, host }: Pick<CoreServices, 'instance' | 'chain' | 'host'>,
  { strictRevert: isStrict }: Options,
): Services['snapshots'] {
  return new Snapshots(instance, { headOf: () => headPosition(chain), now: host.now, isStrict })
}

/** The keystore of a chain, with the keys of the network or of the parent. */
function createKeystore(
  instance: ChainInstance,
  { options, funded, host }: Pick<SharedServices, 'options' | 'funded' | 'host'>,
  { id, parent }: NewChain,
): Keystore {
  const { holdsKeys, keystore: folder, keystoreScrypt } = options
  // Only the default chain writes key files, because the accounts of a world end with it.
  const files = folder === undefined || id !== undefined ? undefined : keyFolder(folder)
  const keystore = new Keystore(instance, {
    isEnabled: holdsKeys,
    host,
    cost: SCRYPT_COSTS[keystoreScrypt],
    files,
  })
  if (parent !== undefined) {
    const { at } = parent
    keystore.restore(at === undefined ? parent.keystore.capture() : parent.keystore.captured.in(at))
  } else if (holdsKeys) for (const account of funded) keystore.add(account.privateKey, account.address)
  return keystore
}
