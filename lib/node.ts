/** Composition root: creates a running node from options. The services of one chain are wired in services.ts. */

import { realHost } from './base/host.ts'
import type { Host } from './base/host.ts'
import { emptyState } from './chain/genesis.ts'
import type { Options } from './config/options.ts'
import { StateKeeper } from './persistence/state-keeper.ts'
import type { FileSettings } from './persistence/state-keeper.ts'
import type { SnapshotRef } from './instance/snapshots.ts'
import { wireServices } from './services.ts'
import type { Services } from './services.ts'
import { hostForChain, createSharedServices } from './shared-services.ts'
import type { SharedServices } from './shared-services.ts'
import { Worlds } from './worlds/worlds.ts'

/** The services of one chain, its state file and the worlds. JSON-RPC methods run on a node. */
export interface Node extends Services {
  readonly stateKeeper: StateKeeper
  /** The worlds (`/w/<id>` in a URL). The default chain and all worlds share this registry. */
  readonly worlds: Worlds<Node>
  /** Stops all timers, and writes the state file if there is one. @throws NodeError 'invalidState' */
  readonly close: () => Promise<void>
}

/** Creates a node. Tests pass a `host` that replaces clock, random source and timers. */
export async function createNode(options: Options, host: Host = realHost): Promise<Node> {
  const shared = await createSharedServices(options, host)
  await shared.customErrors.check()
  const node = wireServices(shared)
  const { keystore, miner } = node
  shared.fork?.faults.on((sentence) => miner.failed.emit(new Error(sentence)))
  await keystore.load()
  const stateKeeper = createStateKeeper(node, shared, fileSettings(options))
  await stateKeeper.open()
  // After the state file, because the option takes precedence.
  if (options.autoImpersonate) node.impersonation.setAll(true)
  const worlds: Worlds<Node> = new Worlds({
    make: (id, from) => createWorld(shared, node, { id, from, worlds }),
    host: hostForChain(shared),
    limit: options.worldLimit,
    timeoutMs: options.worldTimeout * 1000,
    failed: (error) => miner.failed.emit(error),
  })
  const close = async (): Promise<void> => {
    miner.close()
    await worlds.close()
    await stateKeeper.close()
    await shared.fork?.close()
  }
  return { ...node, stateKeeper, worlds, close }
}

/** The world to create. */
interface NewWorld {
  readonly id: string
  /** A snapshot of the default chain; its current head by default. */
  readonly from: SnapshotRef | undefined
  readonly worlds: Worlds<Node>
}

/** Creates a world from the default chain's head or a snapshot. @throws NodeError 'unknownSnapshot' */
function createWorld(shared: SharedServices, parent: Services, { id, from, worlds }: NewWorld): Node {
  const at = from === undefined ? undefined : parent.snapshots.get(from).capture
  parent.miner.makePostponedBlocks()
  const node = wireServices(shared, { id, parent, at })
  // Listeners of the default chain also get the failures and the console output of the worlds.
  node.miner.failed.on((error) => parent.miner.failed.emit(error))
  node.consoleLog.unrequested.on((block) => parent.consoleLog.unrequested.emit(block))
  const stateKeeper = createStateKeeper(node, shared, {})
  const close = async (): Promise<void> => {
    node.miner.close()
    await stateKeeper.close()
  }
  return { ...node, stateKeeper, worlds, close }
}

/** Settings of the state file from the options. */
function fileSettings({ state, loadState, dumpState, stateInterval }: Options): FileSettings {
  return {
    from: state ?? loadState,
    isNewAllowed: state !== undefined,
    to: state ?? dumpState,
    everyMs: stateInterval === undefined ? undefined : stateInterval * 1000,
  }
}

function createStateKeeper(node: Services, shared: SharedServices, file: FileSettings): StateKeeper {
  const { host, engine, network } = shared
  const { stateParts, stateFormat: format } = node.options
  const selection = {
    blocks: stateParts.includes('blocks'),
    transactions: stateParts.includes('transactions'),
    receipts: stateParts.includes('receipts'),
    snapshots: stateParts.includes('snapshots'),
    keystore: stateParts.includes('keystore'),
  }
  return new StateKeeper(
    { ...node, host, engine, failed: node.miner.failed, emptyState: emptyState(network) },
    { ...file, selection, format },
  )
}
