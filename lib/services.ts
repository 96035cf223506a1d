/** The services of one chain, wired: here and nowhere else. */

import type { Hash } from './base/hex.ts'
import { Chain } from './chain/chain.ts'
import { genesisBlock, genesisState } from './chain/genesis.ts'
import { miningModeOf } from './config/mining-mode.ts'
import type { Network } from './config/network.ts'
import type { Options } from './config/options.ts'
import { TransactionCodec } from './evm/codec.ts'
import type { Rules } from './evm/rules/rules.ts'
import type { ConsoleReader } from './abi/console-text.ts'
import type { CustomErrors } from './abi/custom-errors.ts'
import { ConsoleDesk } from './filters/console-desk.ts'
import { Filters } from './filters/filters.ts'
import { Subscriptions } from './filters/subscriptions.ts'
import { SCRYPT_COSTS } from './keystore/key-derivation.ts'
import { Impersonation } from './keystore/impersonation.ts'
import { keyFolder } from './keystore/key-folder.ts'
import { Keystore } from './keystore/keystore.ts'
import { Mempool } from './mempool/mempool.ts'
import { Sidecars } from './mempool/sidecars.ts'
import type { SidecarsByHash } from './mempool/sidecars.ts'
import { Clock } from './miner/clock.ts'
import { Hashrates } from './miner/hashrate.ts'
import { Miner } from './miner/miner.ts'
import { PeerTable } from './peers/peer-table.ts'
import { Submission } from './submission/submission.ts'
import { Views } from './miner/views.ts'
import { WorkDesk } from './miner/work.ts'
import { outsideOf } from './shared-services.ts'
import type { FundedAccount, Shared } from './shared-services.ts'
import { BlockSimulator } from './simulation/block-simulator.ts'
import { BundleSimulator } from './simulation/bundle-simulator.ts'
import { Simulator } from './simulation/simulator.ts'
import { AccountHistory } from './trace/account-history.ts'
import { Replayer } from './trace/replay.ts'
import { Tracing } from './trace/tracing.ts'
import { Snapshots } from './world/snapshots.ts'
import { World } from './world/world.ts'
import type { Capture, Cell } from './world/world.ts'

/** What makes a chain go, and answers what is asked of it. */
export interface Services {
  readonly options: Options
  readonly network: Network
  readonly world: World
  readonly chain: Chain
  readonly codec: TransactionCodec
  /** The contracts that are part of the network's protocol, by address. */
  readonly precompiles: Rules['natives']
  readonly mempool: Mempool
  /** Blobs of transactions in the pool and in blocks. */
  readonly sidecars: Sidecars
  readonly clock: Clock
  readonly miner: Miner
  readonly views: Views
  readonly submission: Submission
  readonly simulator: Simulator
  readonly blockSimulator: BlockSimulator
  readonly bundleSimulator: BundleSimulator
  readonly tracing: Tracing
  readonly accountHistory: AccountHistory
  readonly filters: Filters
  readonly subscriptions: Subscriptions
  readonly keystore: Keystore
  readonly impersonation: Impersonation
  readonly peers: PeerTable
  readonly workDesk: WorkDesk
  readonly hashrates: Hashrates
  readonly snapshots: Snapshots<Place>
  readonly consoleDesk: ConsoleDesk
  readonly consoleReader: ConsoleReader
  readonly customErrors: CustomErrors
  /** Whether requests are logged. */
  readonly logging: Cell<boolean>
  /** When the node was made, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Id of the isolated chain; absent of the default one. */
  readonly worldId: string | undefined
  /** The accounts of the network, in their order. */
  readonly funded: readonly FundedAccount[]
}

/** Where a chain stands, as snapshots are listed with it. */
interface Place {
  readonly number: bigint
  readonly hash: Hash
}

function placeOf({ head }: Chain): Place {
  const { hash, header } = head.block
  return { number: header.number, hash }
}

/** Where a world begins that is not the first. */
export interface Origin {
  /** What the world is called. */
  readonly id: string
  readonly parent: Pick<Services, 'chain' | 'clock' | 'keystore' | 'sidecars'>
  /** The present one unless given. */
  readonly at: Capture | undefined
}

/** The chain and the clock of a world: from genesis on, or from its origin. */
function beginWorld(
  world: World,
  { network, funded, outside }: Shared,
  origin: Origin | undefined,
): { readonly chain: Chain; readonly clock: Clock } {
  if (origin === undefined) {
    const state = genesisState(network, funded)
    const startedAt = BigInt(Math.floor(outside.now() / 1000))
    const chain = new Chain(world, { block: genesisBlock(network, state, startedAt), state })
    return { chain, clock: new Clock(world, outside.now) }
  }
  const { parent, at } = origin
  const head = at === undefined ? parent.chain.head : parent.chain.captured.in(at)
  const chain = parent.chain.fork(world, head)
  const clock = new Clock(world, outside.now)
  clock.restore(at === undefined ? parent.clock.capture() : parent.clock.captured.in(at))
  return { chain, clock }
}

/** Blobs of the transactions that a world begins with. */
function sidecarsOf(origin: Origin | undefined): SidecarsByHash | undefined {
  if (origin === undefined) return undefined
  const { sidecars } = origin.parent
  return origin.at === undefined ? sidecars.all : sidecars.in(origin.at)
}

/** Wires the services of one world, from genesis or from an origin on. */
export function wireServices(shared: Shared, origin?: Origin): Services {
  const { options, network, funded, engine, library, consoleReader, customErrors } = shared
  const world = new World()
  const outside = outsideOf(shared, origin?.id)
  const { chain, clock } = beginWorld(world, { ...shared, outside }, origin)
  const mempool = new Mempool(world)
  const sidecars = new Sidecars(world, sidecarsOf(origin))
  const { allowSameTimestamp, order } = options
  const mode = miningModeOf(options)
  const miner = new Miner({
    ...{ world, chain, mempool, engine, network },
    ...{ clock, outside, mode, allowSameTimestamp, order },
  })
  const { settings } = miner
  const codec = new TransactionCodec(library, network, settings)
  const keystore = createKeystore(world, { options, funded, outside }, origin)
  const tracing = new Tracing({ replayer: new Replayer({ network, engine }), network })
  const timeoutMs = options.filterTimeout * 1000
  const views = new Views({ chain, mempool, miner })
  const pendingBlock = () => views.at({ tag: 'pending' }).block
  const logging = world.cell('logging', 'keep', true)
  return {
    precompiles: engine.rules.natives,
    ...{ options, network, world, chain, codec, mempool, sidecars, clock, miner, views, keystore, funded },
    ...{ consoleReader, customErrors, logging, consoleDesk: new ConsoleDesk(chain, logging, origin?.id) },
    submission: new Submission({ chain, mempool, sidecars, miner, engine, network, outside }),
    simulator: new Simulator({ engine, chain, settings, network }),
    blockSimulator: new BlockSimulator({ engine, codec, chain, settings, network }),
    bundleSimulator: new BundleSimulator({ engine, codec, chain, settings, network }),
    tracing,
    accountHistory: new AccountHistory({ chain, tracing }),
    peers: new PeerTable(world),
    workDesk: new WorkDesk({ world, chain, miner }),
    hashrates: new Hashrates({ world, chain, clock, outside }),
    filters: new Filters({ world, chain, mempool, outside, timeoutMs, pendingBlock }),
    subscriptions: new Subscriptions({ world, chain, mempool, outside }),
    impersonation: new Impersonation(world, options.autoImpersonate),
    startedAt: outside.now(),
    worldId: origin?.id,
    // Last, for its first capture is what a reset returns to.
    snapshots: new Snapshots(world, {
      placeOf: () => placeOf(chain),
      now: outside.now,
      isStrict: options.strictRevert,
    }),
  }
}

/** The keystore of a chain: with the keys of the network, or with those its origin had. */
function createKeystore(
  world: World,
  { options, funded, outside }: Pick<Shared, 'options' | 'funded' | 'outside'>,
  origin: Origin | undefined,
): Keystore {
  const { holdsKeys, keystore: folder, keystoreScrypt } = options
  // What is made in an isolated chain ends with it: only the first keeps files.
  const files = folder === undefined || origin !== undefined ? undefined : keyFolder(folder)
  const keystore = new Keystore(world, {
    isEnabled: holdsKeys,
    outside,
    cost: SCRYPT_COSTS[keystoreScrypt],
    files,
  })
  if (origin !== undefined) {
    const { parent, at } = origin
    keystore.restore(at === undefined ? parent.keystore.capture() : parent.keystore.captured.in(at))
  } else if (holdsKeys) for (const { privateKey } of funded) keystore.add(privateKey)
  return keystore
}
