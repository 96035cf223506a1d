/**
 * A module is a feature of the node in one folder: a plain object that says what it adds. The folder's index.ts declares it, and
 * modules/list.ts names all of them. The kernel runs their hooks (running-modules.ts) and asks for none by name.
 *
 * @example
 * interface Own { readonly clicks: Clicks }
 * export const clicks = {
 *   name: 'clicks',
 *   options: inGroup('Output', { clicks: toggle('Count clicks.') }),
 *   start: async ({ options }: Scope<typeof clicksOptions>) => ({ clicks: new Clicks(options.clicks) }),
 *   methods: [readMethod({ name: 'dev_clicks', ..., run: (_, { clicks }: Own) => clicks.count })],
 * } satisfies NodeModule<Scope<typeof clicksOptions>, Own>
 */

import type * as z from 'zod'
import type { Emitter } from '../base/events.ts'
import type { OwnFile } from '../base/file-claim.ts'
import type { Host } from '../base/host.ts'
import type { Routine } from '../base/routine.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Chain } from '../chain/chain.ts'
import type { Capture, ChainInstance } from '../chain/instance/chain-instance.ts'
import type { Mempool } from '../chain/mempool/mempool.ts'
import type { BlockFollower } from '../chain/miner/miner-dependencies.ts'
import type { TransactionRequest } from '../chain/simulation/transaction-request.ts'
import type { Network } from '../config/network.ts'
import type { NetworkKind } from '../config/network-kind.ts'
import type { ClosingEvent, Paint } from '../config/request-log.ts'
import type { Options } from '../config/options.ts'
import type { Engine } from '../evm/engine.ts'
import type { CallTimer, CurrentMonitor } from '../evm/observer.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { ContractCatalog } from '../insight/artifacts/catalog.ts'
import type { NamedContracts } from '../insight/artifacts/named-contracts.ts'
import type { Failures } from '../insight/explain/failures.ts'
import type { KnownContracts, SourceFinder } from '../insight/explain/explained-call.ts'
import type { Replayer } from '../insight/replay/replay.ts'
import type { StateRoot } from '../state/state-root.ts'
import type { Method } from './method.ts'
import type { ResponseHolder } from './request-context.ts'
import type { Front } from './wire-form.ts'

/** Schemas of options by name, made by `declare` (config/option-description.ts). */
export type OptionShape = Readonly<Record<string, z.ZodType>>

/** What a node has before its modules start. */
export interface NodeCore {
  readonly options: Options
  readonly network: Network
  readonly contractCatalog: ContractCatalog
  readonly failures: Failures
  readonly host: Host
  /** Whether the node belongs to a worker of a parallel run. Such a node has no port. */
  readonly isWorker: boolean
  /** Emits a module's errors that belong to no request, for the user. */
  readonly failed: Emitter<Error>
}

/** What a module with these options gets. */
export interface Scope<Own extends OptionShape> extends NodeCore {
  readonly options: Options & Readonly<z.output<z.ZodObject<Own>>>
}

/** What a chain has before its modules add their parts, to the default chain and to each world. */
export interface PlainChain {
  /** Undefined for the default chain. */
  readonly worldId: string | undefined
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly mempool: Mempool
  readonly network: Network
  readonly replayer: Replayer
  readonly namedContracts: NamedContracts
  readonly knownContracts: KnownContracts
  /** Times the executions of one request from now on. */
  readonly startCallTimer: () => CallTimer
}

/** The part of the chain that a world continues, and when it does. */
export interface ParentPart<OfChain> {
  readonly part: OfChain
  readonly at: Capture
}

export type BlockCheck = (entry: ChainEntry) => Routine<void>

/** A client's call that succeeded. */
export interface EndedCall {
  readonly request: TransactionRequest
  readonly outcome: Outcome
  readonly state: StateRoot
  readonly namedContracts: NamedContracts
}

/** How the nodes of one test run share a report. */
export interface ParallelRun<In, Own> {
  /** Options for all nodes but the first, which make them add to the files of the others. Without it, several nodes are refused. */
  readonly laterNodes?: Readonly<Record<string, unknown>>
  /** Workers leave their reports beside this path for the process that started them, which merges them. */
  reportPath(scope: In): string | undefined
  handOver(scope: Own): Promise<string | undefined>
  /** @throws ZodError if the text is something else */
  takeOver(scope: Own, text: string): void | Promise<void>
}

/**
 * `In` is what the module gets. `Own` is what it adds to the node and `OfChain` what it adds to each chain, for its own hooks and
 * methods. `Whole` is what its methods use besides. Members are methods, so that a list can hold modules of any scope.
 */
export interface Module<In, Own extends object = object, OfChain extends object = object, Whole = unknown> {
  readonly name: string
  /** The kind of network that it brings. Only chains of this kind have its methods and its part of the chain. */
  readonly network?: NetworkKind
  readonly options?: OptionShape
  /** Claims the file or folder that an option names for this node. @throws NodeError 'invalidOption' if another node has it */
  readonly files?: Readonly<Record<string, (path: string) => Promise<OwnFile>>>
  readonly methods?: readonly Method<Whole & Own & OfChain>[]
  readonly parallel?: ParallelRun<In, In & Own>
  /** Creates its part of the node. @throws NodeError */
  start(scope: In): Own | Promise<Own>
  /** Counts executions, or notes which codes run. */
  monitor?(scope: In & Own): CurrentMonitor | undefined
  /** Creates its part of the default chain and of each world. Cells belong to the chain's instance. */
  openChain?(scope: In & Own, chain: PlainChain, parent?: ParentPart<OfChain>): OfChain
  /** Acts after each block of a chain. */
  follower?(part: In & Own & OfChain): BlockFollower | undefined
  /** Checks the blocks of all chains of a network before they are added. The check throws to drop a block. */
  blockCheck?(scope: In & Own, network: Network, engine: Engine): Promise<BlockCheck | undefined>
  /** Answers like another node, on the chains of its network. */
  front?(scope: In & Own): Front<Whole & Own & OfChain> | undefined
  callEnded?(scope: In & Own, call: EndedCall): void
  responseHolder?(part: In & Own & OfChain): ResponseHolder
  sourceFinder?(scope: In & Own): SourceFinder | undefined
  /** What the first requests wait for, such as `a debugger attaches`. */
  waitsFor?(scope: In & Own): string | undefined
  /** Releases held responses before the connections close. */
  release?(scope: In & Own): Promise<void>
  /** Ends the module. After a failed start (`isAbandoned`) it writes no files. @throws NodeError */
  close?(scope: In & Own, isAbandoned: boolean): void | Promise<void>
  /** Rows for the text that the command prints at the start: a word, and its value. */
  facts?(scope: In & Own): Readonly<Record<string, string | undefined>>
  /** The module's report after the end, for a terminal; empty without one. */
  closingText?(scope: In & Own, paint: Paint): Promise<string>
  /** The module's report for programs (--json). */
  closingEvent?(scope: In & Own): Promise<ClosingEvent | undefined>
}
