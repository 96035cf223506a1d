/** The forks that a node has open. Chains that continue one remote share its connection and the facts about a block. */

import type * as z from 'zod'
import type { Address, Hash } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import type { Block } from '../chain/block.ts'
import type { Capture, ChainInstance } from '../chain/instance/chain-instance.ts'
import type { RemoteEntry } from '../chain/remote-history.ts'
import type { NetworkKind } from '../config/network-kind.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import type { Funding } from '../state/state-source.ts'
import { cacheFolderOf } from './cache-folder.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { FactStore } from './fact-store.ts'
import { findForkBlock, forkedHead, forkedNetwork, unasked, type FoundBlock } from './fork-block.ts'
import { findCachedBlock, forkCache, type RecordOf } from './fork-cache.ts'
import { chainName } from './known-chains.ts'
import { readRemote, blockQuestion, type Question } from './question.ts'
import { remoteSettingsOf } from './remote-address.ts'
import { RemoteBlocks } from './remote-chain.ts'
import { AbsentRemote, RemoteSet } from './remote-set.ts'
import { Remote } from './remote.ts'
import { FIRST_DELAY_MS } from './transport.ts'

/** Opens the forks of one node. `onFault` gets a sentence for the user if the cache or a remote cannot be used. */
export function forkOpener(
  nodeOptions: Options,
  host: Host,
  onFault: (sentence: string) => void,
  kinds: readonly NetworkKind[],
) {
  const cacheFolder = cacheFolderOf(nodeOptions)
  const cache = cacheFolder === undefined ? undefined : forkCache(cacheFolder, { host, onFault })
  const sets = new SharedValues<RemoteSet | AbsentRemote>((set) => set.close())
  const remotes = new SharedValues<Remote>((remote) => remote.close())
  const find = async (options: Options, set: RemoteSet | AbsentRemote): Promise<FoundBlock> => {
    const recordOf: RecordOf = (url) => cache?.remote(url)
    return set instanceof AbsentRemote
      ? unasked(await findCachedBlock(options, cacheFolder, recordOf))
      : findForkBlock(options, set, recordOf)
  }
  const openRemote = async (set: RemoteSet | AbsentRemote, found: FoundBlock): Promise<Remote> => {
    const store = (await cache?.openStore(found)) ?? new FactStore()
    const { blockNumber: number, blockHash: hash, depth } = found
    return new Remote(set.of(found), store, { block: { number, hash }, isAway: depth === undefined })
  }
  /** Opens the fork that the options name. @throws NodeError 'remoteFailed', 'invalidOption' */
  return async (options: Options): Promise<Fork> => {
    const settings = remoteSettingsOf(options)
    const key = JSON.stringify(settings)
    const set = await sets.use(key, () =>
      options.forkCacheOnly === true
        ? new AbsentRemote(options.forkUrl, onFault)
        : new RemoteSet(settings, host, onFault),
    )
    const leases: ValueLease<unknown>[] = [set]
    try {
      const found = await find(options, set.value)
      const remoteKey = `${key} ${found.chainId} ${found.blockHash}`
      const remote = await remotes.use(remoteKey, () => openRemote(set.value, found))
      leases.unshift(remote)
      const block = await readHead(remote.value, found)
      const genesis = remote.value.recall(blockQuestion(0n))
      const network = forkedNetwork(options, found, { block, genesis }, kinds)
      return new Fork({ options, found, network, cacheFolder }, set, remote)
    } catch (error) {
      for (const lease of leases) await lease.release()
      throw error
    }
  }
}

interface ForkFacts {
  readonly options: Options
  readonly found: FoundBlock
  readonly network: Network
  readonly cacheFolder: string | undefined
}

/** The remote chain that a chain continues. It uses the connection and the stored facts until it is closed. */
export class Fork {
  readonly shownUrl: string
  /** Options that lead to the same remote again. */
  readonly origin: Pick<Options, 'forkUrl' | 'forkHeaders'>
  readonly block: ForkedBlock
  readonly chainName: string | undefined
  /** Distance between the forked block and the remote's head; absent if the remote was not asked. */
  readonly depth: bigint | undefined
  /** Longest delay before the first retry of a request to the remote. */
  readonly retryBackoffMs = FIRST_DELAY_MS
  readonly cacheFolder: string | undefined
  readonly network: Network
  /** The transaction of the next remote block after which the chain continues; absent if the chain continues a whole block. */
  readonly lastTransaction: Hash | undefined
  readonly #facts: ForkFacts
  readonly #set: ValueLease<RemoteSet | AbsentRemote>
  readonly #remote: ValueLease<Remote>

  constructor(facts: ForkFacts, set: ValueLease<RemoteSet | AbsentRemote>, remote: ValueLease<Remote>) {
    const { forkUrl, forkHeaders, forkTransaction } = facts.options
    const { chainId, blockNumber, blockHash, depth } = facts.found
    this.shownUrl = set.value.shownUrl
    this.origin = { forkUrl, forkHeaders }
    this.block = { chainId, blockNumber, blockHash }
    this.chainName = chainName(chainId)
    this.depth = depth
    this.cacheFolder = facts.cacheFolder
    this.network = facts.network
    this.lastTransaction = forkTransaction
    this.#facts = facts
    this.#set = set
    this.#remote = remote
  }

  /** Opens a remote block on a chain with these rules, by default the newest. `funded` are the accounts that the node funds. */
  async open(
    network: Network,
    funded: ReadonlyMap<Address, Funding>,
    last = this.block.blockNumber,
  ): Promise<RemoteEntry> {
    const remote = this.#remote.value
    const { chainId } = this.block
    const existing = new Set(network.kind.consensus.precompileAccounts)
    const changes = { funded, existing, hasOwnLayout: existing.size === 0 || isOwnNode(remote) }
    const blocks = new RemoteBlocks({ remote, network, chainId, last, changes })
    await blocks.loadEnds()
    return blocks.head
  }

  /** The remote block after that one. */
  async nextBlock(network: Network): Promise<Block> {
    return (await this.open(network, new Map(), this.block.blockNumber + 1n)).block
  }

  /** Whether the remote's chain made the token, or continues the chain that did. Only nodes of this program can answer this. */
  async leadsTo(token: Hash): Promise<boolean> {
    const set = this.#set.value
    if (set instanceof AbsentRemote || !isOwnNode(this.#remote.value)) return false
    return (await set.askAll('dev_leadsTo', [token])).includes(true)
  }

  /** The same fork for another chain, which closes it separately. */
  share(): Fork {
    return new Fork(this.#facts, this.#set.share(), this.#remote.share())
  }

  /** Ends the use of the remote. The last user writes the cache and closes the connection. */
  async close(): Promise<void> {
    await this.#remote.release()
    await this.#set.release()
  }
}

const VERSION: Question = { method: 'web3_clientVersion', params: [] }

/** Whether the remote is a node of this program. Its precompiles keep their values in the same slots. */
function isOwnNode(remote: Remote): boolean {
  const version = remote.recall(VERSION)
  return typeof version === 'string' && /\bdev-node\b/.test(version)
}

/** The forked block's block object. The other answers that led to it are stored too. */
async function readHead(
  remote: Remote,
  { blockNumber, blocks, version }: FoundBlock,
): Promise<z.output<ReturnType<typeof forkedHead>>> {
  for (const [number, json] of blocks) remote.remember(blockQuestion(number), json)
  if (version !== '') remote.remember(VERSION, version)
  return readRemote(forkedHead(), await remote.ask(blockQuestion(blockNumber)), `block ${blockNumber}`)
}

export type ChainForks = ReturnType<typeof chainForks>

/** The forks of one chain instance: its first fork, and the fork of the last reset. */
export function chainForks(instance: ChainInstance, initial: Fork | undefined) {
  const current = instance.cell<Fork | undefined>('fork', 'restore', initial)
  let replacement: Fork | undefined
  /** Identifies this chain when a remote turns out to be the chain itself. */
  let ownToken: Hash | undefined
  return {
    /** The fork that the chain continues; absent if it continues no remote chain. */
    get current(): Fork | undefined {
      return current.value
    },
    in: (capture: Capture): Fork | undefined => current.in(capture),
    /** Whether this chain made the token, or continues the chain that made it. */
    leadTo: async (token: Hash): Promise<boolean> =>
      ownToken === token || (await current.value?.leadsTo(token)) === true,
    /** Whether a fork continues this chain itself. The token is a random one. */
    isLoop(fork: Fork, token: Hash): Promise<boolean> {
      ownToken = token
      return fork.leadsTo(token)
    },
    /**
     * Records the fork of a reset; absent if the chain was put back to its beginning. Returns the previous fork for the caller to
     * close: a reset drops all snapshots, so none needs it any more.
     */
    replace(fork: Fork | undefined): Fork | undefined {
      const earlier = replacement
      replacement = fork
      current.value = fork ?? initial
      return earlier
    },
    async close(): Promise<void> {
      await Promise.all([initial?.close(), replacement?.close()])
    },
  }
}

interface ValueLease<Value> {
  readonly value: Value
  /** Another lease of the same value, released separately. */
  readonly share: () => ValueLease<Value>
  readonly release: () => Promise<void>
}

interface SharedValue<Value> {
  readonly made: Promise<Value>
  users: number
}

class SharedValues<Value> {
  readonly #values = new Map<string, SharedValue<Value>>()
  readonly #close: (value: Value) => unknown

  constructor(close: (value: Value) => unknown) {
    this.#close = close
  }

  /** The value of a key. It is made if nobody uses it. @throws the error of making it */
  async use(key: string, make: () => Value | Promise<Value>): Promise<ValueLease<Value>> {
    const shared = this.#values.get(key) ?? { made: Promise.resolve().then(make), users: 0 }
    this.#values.set(key, shared)
    shared.users++
    try {
      return this.#lease(key, shared, await shared.made)
    } catch (error) {
      this.#leave(key, shared)
      throw error
    }
  }

  #lease(key: string, shared: SharedValue<Value>, value: Value): ValueLease<Value> {
    let isReleased = false
    return {
      value,
      share: () => {
        shared.users++
        return this.#lease(key, shared, value)
      },
      release: async () => {
        if (isReleased) return
        isReleased = true
        if (this.#leave(key, shared)) await this.#close(value)
      },
    }
  }

  /** Ends a use. Returns whether it was the last one. */
  #leave(key: string, shared: SharedValue<Value>): boolean {
    shared.users--
    if (shared.users > 0) return false
    this.#values.delete(key)
    return true
  }
}
