/** Wires the services of one chain. */

import { lazyPart } from '../base/lazy-part.ts'
import { miningModeOf } from '../config/mining-mode.ts'
import type { Quota } from '../networks/consensus/admission.ts'
import type { Address } from '../base/hex.ts'
import { TransactionCodec } from '../evm/codec.ts'
import type { NameSources } from './address-names.ts'
import { wireContractServices } from './contract-wiring.ts'
import { chainForks } from '../fork/fork.ts'
import { ConsoleLog } from '../chain/filters/console-log.ts'
import { Filters } from '../chain/filters/filters.ts'
import { Subscriptions } from '../chain/filters/subscriptions.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import { SCRYPT_COSTS } from '../accounts/key-file.ts'
import { Impersonation } from '../accounts/impersonation.ts'
import { keyFolder } from '../accounts/key-folder.ts'
import type { PlainChain } from '../kernel/module.ts'
import { Keystore } from '../accounts/keystore.ts'
import { Mempool, Sidecars } from '../chain/mempool/mempool.ts'
import { beginAt } from '../chain/miner/mine-many.ts'
import { Miner } from '../chain/miner/miner.ts'
import { Submission } from '../chain/miner/submission.ts'
import { BlockResolver } from '../chain/miner/block-resolver.ts'
import { Hashrates, MiningWork } from '../chain/miner/mining-work.ts'
import { hostForChain, type SharedServices } from './shared-services.ts'
import { ExecutionTimers } from '../chain/execution-timers.ts'
import { bundleOn, BlockSimulator } from '../chain/simulation/block-simulator.ts'
import { overrideBlock, type BlockOverrides } from '../chain/simulation/call-transaction.ts'
import { Simulator } from '../chain/simulation/simulator.ts'
import { instructionTable } from '../evm/machine/core-tables.ts'
import { Replayer } from '../insight/replay/replay.ts'
import { Snapshots } from '../chain/instance/snapshots.ts'
import { ChainInstance } from '../chain/instance/chain-instance.ts'
import { createChainAndClock, type NewChain } from './new-chain.ts'

export type Services = Readonly<ReturnType<typeof wireServices>>

type CoreServices = ReturnType<typeof createCoreServices>

function createCoreServices(shared: SharedServices, created: NewChain) {
  const { id, parent } = created
  const { options, network, engine, blockCheck: check } = shared
  const instance = new ChainInstance()
  const host = hostForChain(shared, id)
  const { chain, clock } = createChainAndClock(instance, { ...shared, host }, created)
  // A world continues the remote chain of its parent.
  const fork = parent === undefined ? shared.fork : parent.forks.in(parent.at)?.share()
  const mempool = new Mempool(instance, host.elapsed)
  const { allowSameTimestamp, order } = options
  const dependencies = { instance, chain, clock, mempool, engine, network, host }
  const timers = new ExecutionTimers({ now: shared.host.elapsed, timeoutMs: options.callTimeout })
  const mining = { mode: miningModeOf(options), allowSameTimestamp, order, check, timers }
  const miner = new Miner({ ...dependencies, ...mining })
  const beginsAtGenesis = id === undefined && shared.fork === undefined
  if (beginsAtGenesis && options.number > 0n)
    beginAt(options.number, { ...dependencies, ...mining, settings: miner.settings })
  return {
    instance,
    chain,
    clock,
    forks: chainForks(instance, fork),
    mempool,
    /** Blobs of transactions in the pool and in blocks. A world begins with its parent's. */
    sidecars: new Sidecars(instance, parent?.sidecars.kept.in(parent.at)),
    miner,
    timers,
    host,
  }
}

function wireExecution({ network, engine }: SharedServices, { chain, miner, timers }: CoreServices) {
  const { settings } = miner
  const codec = new TransactionCodec(network, settings, network.writesZeroPrice)
  const replayer = new Replayer(network, engine.unmonitored)
  return {
    codec,
    replayer,
    /** Begins a block after another one, for signed transactions that are not mined. */
    bundleOn: (parent: ChainEntry, blockOverrides: BlockOverrides = {}) => {
      const context = overrideBlock(engine.rules, miner.nextBlockContext(parent), { blockOverrides })
      return bundleOn(parent, context, { engine, network })
    },
    simulator: new Simulator({ engine, chain, settings, network }),
    blockSimulator: new BlockSimulator({ engine, codec, chain, settings, network }),
    /** Times the executions of one request from now on. */
    startCallTimer: () => timers.start(),
  }
}

/** Wires all services of a chain. With an id in `created` it is a world, otherwise the default chain. */
export const wireServices = (shared: SharedServices, created: NewChain = {}) =>
  wireChain({ ...shared, engine: shared.engine.of(created.id) }, created)

function wireChain(shared: SharedServices, created: NewChain) {
  const { options, network, funded, engine } = shared
  const core = createCoreServices(shared, created)
  const { instance, chain, clock, forks, mempool, sidecars, miner, host } = core
  const execution = wireExecution(shared, core)
  const blockResolver = new BlockResolver({ chain, mempool, miner, options })
  const pendingBlock = () => blockResolver.pending()
  const timeoutMs = options.filterTimeout * 1000
  const keystore = createKeystore(instance, { ...shared, host }, created)
  const contracts = wireContractServices(shared, { instance, chain, forks, ...execution }, created)
  const { parts, responseHolder } = openModules(shared, { ...core, ...execution, ...contracts }, created)
  const { precompiles } = engine.rules
  const nameSources = { chain, blockResolver, ...execution, ...contracts, keystore, precompiles }
  const logging = instance.cell('logging', 'keep', true)
  const quotas = wireQuotas(shared, core)
  return {
    ...shared.modules.parts,
    ...parts,
    ...core,
    ...execution,
    ...contracts,
    responseHolder,
    loadAddressNames: wireAddressNames(shared, nameSources),
    options,
    network,
    consensus: network.kind.consensus,
    precompiles,
    /** Names of the instructions by opcode; undefined for an undefined opcode. */
    instructionNames: () => Array.from(instructionTable(engine.rules), (instruction) => instruction?.name),
    blockResolver,
    keystore,
    submission: new Submission({ chain, mempool, sidecars, miner, engine, network, host, ...quotas }),
    ...quotas,
    filters: new Filters({ instance, chain, mempool, host, timeoutMs, pendingBlock }),
    subscriptions: new Subscriptions({ instance, chain, mempool, host }),
    impersonation: new Impersonation(instance, options.autoImpersonate),
    /** Banned peers as the requests named them. There are no peers, so a ban has no effect. */
    bannedAddresses: instance.cell<ReadonlySet<string>>('bannedAddresses', 'keep', new Set()),
    /** Work for external miners (eth_getWork, mnr_getWork). */
    miningWork: new MiningWork({ instance, chain, miner }),
    hashrates: new Hashrates({ instance, chain, clock, host }),
    consoleLog: new ConsoleLog(chain, logging, created.id),
    /** Whether requests are logged. */
    logging,
    /** In milliseconds since the epoch. It is part of the instance id of hardhat_metadata. */
    createdAtMs: host.now(),
    worldId: created.id,
    /** The funded accounts of the network, in order. */
    funded,
    // Created last, because it captures all cells registered so far, and a reset restores that capture.
    snapshots: new Snapshots(instance, {
      headOf: () => ({ number: chain.head.block.header.number, hash: chain.head.block.hash }),
      now: host.now,
      isStrict: options.strictRevert,
    }),
  }
}

/** Opens the modules' parts of this chain, which use its other services. */
function openModules(
  { modules, network }: SharedServices,
  core: Omit<PlainChain, 'network' | 'worldId'> & CoreServices,
  { id: worldId, parent }: NewChain,
) {
  const { follower, ...partsAndHolder } = modules.openChain(
    { ...core, network, worldId },
    parent && { part: parent, at: parent.at },
  )
  if (follower !== undefined) core.miner.follow(follower)
  return partsAndHolder
}

/** Loads the names of accounts when they are first needed. */
const wireAddressNames = ({ signatures }: SharedServices, sources: NameSources) =>
  lazyPart('names of accounts', async () => {
    await signatures.load()
    const { AddressNames } = await import('./address-names.ts')
    return new AddressNames(sources)
  })

/** The quotas that limit senders' gas, on networks whose pool has them. */
function wireQuotas({ options, network }: SharedServices, { instance, host }: CoreServices) {
  const remaining = instance.cell<ReadonlyMap<Address, Quota>>('senderQuotas', 'keep', new Map())
  return { quotas: network.kind.consensus.senderQuotas?.(remaining, host.now, options) }
}

/** The keystore of a chain, with the network's or the parent's keys. */
function createKeystore(
  instance: ChainInstance,
  { options, funded, host }: SharedServices,
  { id, parent }: NewChain,
): Keystore {
  const { holdsKeys: isEnabled, keystore: folder, keystoreScrypt } = options
  // Only the default chain writes key files, because a world's accounts end with it.
  const files = folder === undefined || id !== undefined ? undefined : keyFolder(folder)
  const keystore = new Keystore(instance, { isEnabled, host, cost: SCRYPT_COSTS[keystoreScrypt], files })
  if (parent !== undefined) keystore.restore(parent.keystore.captured.in(parent.at))
  else if (isEnabled) for (const account of funded) keystore.add(account.privateKey, account.address)
  return keystore
}
