/** Composition root: creates a running node from options. The services of one chain are wired in services.ts. */

import { claimFiles, type OwnFile } from '../base/file-claim.ts'
import { realHost, type Host } from '../base/host.ts'
import type { Routine } from '../base/routine.ts'
import { claimKeyFolder } from '../accounts/key-folder.ts'
import { claimsOf, kindsOf, type AnyModule, type RunningModules } from '../kernel/running-modules.ts'
import type { Module } from '../kernel/module.ts'
import type { Options } from '../config/options.ts'
import { StateKeeper, type FileSettings } from './persistence/state-keeper.ts'
import type { SnapshotRef } from '../chain/instance/snapshots.ts'
import { wireServices, type Services } from './services.ts'
import { createWorldOpener, resetChain, type ForkRequest, type WorldOpener } from './fork-requests.ts'
import { hostForChain, createForkOpener, createSharedServices } from './shared-services.ts'
import type { SharedServices } from './shared-services.ts'
import { Worlds } from './worlds/worlds.ts'

/** The services of one chain, its state file and the worlds. JSON-RPC methods run on a node. */
export interface Node extends Services {
  readonly stateKeeper: StateKeeper
  /** The worlds (`/w/<id>` in a URL). The default chain and all worlds share this registry. */
  readonly worlds: Worlds<Node, WorldOrigin>
  /** Leftovers of killed nodes beside this node's files, in sentences for the user. */
  readonly findings: readonly string[]
  /** The default chain and all worlds, oldest first. */
  readonly allChains: () => readonly Services[]
  /** The services of a world with its own network or a remote chain. */
  readonly openWorld: WorldOpener
  /** Resets the chain to its beginning, or to a remote chain. @throws NodeError 'remoteFailed', 'invalidParams' */
  readonly reset: (request: ForkRequest | undefined) => Routine<void>
  /**
   * Stops all timers, and writes the state file and the modules' reports, if there are any. After a failed start nothing is
   * written. @throws NodeError 'invalidState', and those of modules
   */
  readonly close: (isAbandoned?: boolean) => Promise<void>
}

/** A module whose methods use its own additions, its options, and parts of the node. */
export type NodeModule<
  In extends { readonly options: object },
  Own extends object = object,
  OfChain extends object = object,
> = Module<In, Own, OfChain, Node & Pick<In, 'options'>>

/** What a world begins with: a snapshot of the default chain, its own genesis, or a remote chain. */
export interface WorldOrigin {
  /** The chain that it continues; by default the default chain. */
  readonly parent?: Services | undefined
  /** A snapshot of that chain; its current head by default. */
  readonly from?: SnapshotRef | undefined
  /** The services of a world with its own network or a remote chain. */
  readonly services?: SharedServices | undefined
}

/** What a node is made of, besides its options. */
interface NodeParts {
  readonly modules: readonly AnyModule[]
  /** Tests replace clock, random source and timers. */
  readonly host?: Host
  /** Called with an error for the user if a remote or the fork cache cannot be used, even before the node exists. */
  readonly onFault?: ((error: Error) => void) | undefined
  /** Whether another process's node writes this node's reports. */
  readonly isWorker?: boolean
}

/** Creates a node. @throws NodeError 'invalidOption', 'remoteFailed', 'invalidState', and those of modules */
export async function createNode(
  given: Options,
  { modules, host = realHost, onFault = () => undefined, isWorker = false }: NodeParts,
): Promise<Node> {
  const options = { ...given, mnemonic: await mnemonicOf(given) }
  const { keystore } = options
  const ownFiles = await claimFiles([
    ...(keystore === undefined ? [] : [() => claimKeyFolder(keystore)]),
    ...(isWorker ? [] : claimsOf(modules, options)),
  ])
  try {
    const forkOpener = createForkOpener(options, host, onFault, kindsOf(modules))
    return await openNode(
      await createSharedServices(options, { host, forkOpener, modules, isWorker }),
      ownFiles,
    )
  } catch (error) {
    await ownFiles.release()
    throw error
  }
}

/** The mnemonic of the options, or a new one on request. Only then the word list is loaded. */
async function mnemonicOf({ mnemonic }: Options): Promise<string | undefined> {
  if (mnemonic !== 'random') return mnemonic
  const { randomMnemonic } = await import('../crypto/random-mnemonic.ts')
  return randomMnemonic()
}

async function openNode(shared: SharedServices, ownFiles: OwnFile): Promise<Node> {
  const { options } = shared
  const node = wireServices(shared)
  const { miner } = node
  shared.failed.on((error) => miner.failed.emit(error))
  const stateKeeper = createStateKeeper(node, shared, fileSettings(options))
  await openFiles(node, stateKeeper, shared.modules)
  // After the state file, because the option takes precedence.
  if (options.autoImpersonate) node.impersonation.setAll(true)
  const worlds: Worlds<Node, WorldOrigin> = new Worlds({
    make: (id, { parent = node, ...origin }) => createWorld(shared, parent, { id, ...registry, ...origin }),
    host: hostForChain(shared),
    limit: options.worldLimit,
    timeoutMs: options.worldTimeout * 1000,
    failed: (error) => miner.failed.emit(error),
  })
  const allChains = () => [node, ...worlds.all.map(({ chain }) => chain)]
  const registry = { worlds, allChains, openWorld: createWorldOpener(shared) }
  const close = async (isAbandoned = false): Promise<void> => {
    if (isAbandoned) stateKeeper.abandon()
    await shared.modules.release()
    miner.close()
    await worlds.close()
    // A request that waits for the remote fails now, and is undone before the state file is written.
    await node.forks.close()
    // The running request ends, and says what it abandons.
    await node.instance.lock.run('write', () => undefined)
    try {
      await stateKeeper.close()
    } finally {
      try {
        await shared.modules.close(isAbandoned)
      } finally {
        await ownFiles.release()
      }
    }
  }
  const findings = [...ownFiles.findings, ...stateKeeper.findings]
  return {
    ...node,
    ...registry,
    reset: (request) => resetChain(node, shared, request),
    findings,
    stateKeeper,
    close,
  }
}

/** Loads the keystore and the state file. If that fails, closes everything. */
async function openFiles(
  { keystore, miner, forks }: Services,
  stateKeeper: StateKeeper,
  modules: RunningModules,
): Promise<void> {
  try {
    await keystore.load()
    await stateKeeper.open()
  } catch (error) {
    miner.close()
    await forks.close()
    await modules.close(true)
    throw error
  }
}

interface NewWorld extends Omit<WorldOrigin, 'parent'>, Pick<Node, 'worlds' | 'allChains' | 'openWorld'> {
  readonly id: string
}

/** Creates a world from the head of a chain, a snapshot of it, a genesis, or a remote chain. @throws NodeError 'unknownSnapshot' */
function createWorld(
  nodeShared: SharedServices,
  parent: Services,
  { id, from, services: own, ...registry }: NewWorld,
): Node {
  parent.miner.makePostponedBlocks()
  const at = from === undefined ? parent.instance.capture() : parent.snapshots.get(from).capture
  const shared = own ?? nodeShared
  const { clock } = parent
  const node = wireServices(shared, own === undefined ? { id, parent: { ...parent, at } } : { id, clock })
  const began = node.chain.height
  // Listeners of the default chain also receive failures, notices and console output of worlds.
  node.miner.failed.on((error) => parent.miner.failed.emit(error))
  node.timers.noticed.on((sentence) => parent.timers.noticed.emit(sentence))
  node.consoleLog.unrequested.on((block) => parent.consoleLog.unrequested.emit(block))
  const stateKeeper = createStateKeeper(node, shared, {})
  const close = async (): Promise<void> => {
    node.miner.close()
    await stateKeeper.close()
    await node.forks.close()
    shared.failures.released(id, 0n, Number(node.chain.height - began))
  }
  return {
    ...node,
    ...registry,
    reset: (request) => resetChain(node, shared, request),
    findings: [],
    stateKeeper,
    close,
  }
}

function fileSettings({
  state,
  loadState,
  dumpState,
  stateInterval,
}: SharedServices['options']): FileSettings {
  return {
    from: state ?? loadState,
    isNewAllowed: state !== undefined,
    to: state ?? dumpState,
    everyMs: stateInterval === undefined ? undefined : stateInterval * 1000,
  }
}

const createStateKeeper = (node: Services, { engine }: SharedServices, file: FileSettings): StateKeeper =>
  new StateKeeper({ ...node, engine: engine.unmonitored }, file)
