/** The modules of one node while it runs. Calls their hooks in the order of the list, and closes them in the opposite order. */

import type { OwnFile } from '../base/file-claim.ts'
import { invariant } from '../base/invariant.ts'
import { oncePer } from '../base/once.ts'
import type { BlockFollower } from '../chain/miner/miner-dependencies.ts'
import type { Network } from '../config/network.ts'
import type { Engine } from '../evm/engine.ts'
import type { NetworkKind } from '../config/network-kind.ts'
import type { CurrentMonitor, RunningCode } from '../evm/observer.ts'
import type { ClosingEvent, Paint } from '../config/request-log.ts'
import { ethereumKind } from '../networks/ethereum/consensus/ethereum.ts'
import type { SourceFinder } from '../insight/explain/explained-call.ts'
import type { ResponseHolder } from './request-context.ts'
import type { Front } from './wire-form.ts'
import type { BlockCheck, EndedCall, Module, PlainChain, NodeCore, ParentPart } from './module.ts'

export type AnyModule = Module<object, object, object, never>

export interface RunningModules {
  readonly on: (kind: NetworkKind) => readonly AnyModule[]
  /** What the modules added to the node. Methods find it in the node. */
  readonly parts: object
  readonly monitor: CurrentMonitor | undefined
  readonly openChain: (chain: PlainChain, parent?: ParentPart<object>) => ChainParts
  /** Checks the blocks of a network; undefined without a check. */
  readonly blockCheck: (network: Network, engine: Engine) => Promise<BlockCheck | undefined>
  /** How chains of this kind of network answer like another node; undefined if they do not. */
  readonly front: (kind: NetworkKind) => Front | undefined
  readonly callEnded: (call: EndedCall) => void
  readonly sourceFinder: SourceFinder | undefined
  /** What to print at the start: a word, and its value. */
  readonly facts: readonly (readonly [word: string, fact: string | undefined])[]
  /** What the first requests wait for. */
  readonly waitsFor: string | undefined
  readonly release: () => Promise<void>
  /** Ends all modules, even if one throws. @throws the first error */
  readonly close: (isAbandoned: boolean) => Promise<void>
  readonly closingText: (paint?: Paint) => Promise<string>
  readonly closingEvents: () => Promise<readonly ClosingEvent[]>
  /**
   * The reports that workers of a run hand to the process that started them: the path beside which they lie, and functions that
   * write and read them.
   */
  readonly reports: () => readonly WorkerReport[]
}

interface ChainParts {
  /** What the modules added to the chain. Methods find it there. */
  readonly parts: object
  readonly follower: BlockFollower | undefined
  readonly responseHolder: ResponseHolder | undefined
}

interface WorkerReport {
  readonly path: string
  readonly handOver: () => Promise<string | undefined>
  readonly takeOver: (text: string) => void | Promise<void>
}

const plain = (text: string): string => text
const NO_PAINT: Paint = { green: plain, yellow: plain, red: plain }

/**
 * Starts modules in order. Each finds the parts of those before it. If one fails, those before it are closed. @throws the error of
 * the start
 */
export async function startModules(list: readonly AnyModule[], core: NodeCore): Promise<RunningModules> {
  let scope: object = core
  let parts = {}
  const started: AnyModule[] = []
  for (const module of list) {
    try {
      parts = { ...parts, ...(await module.start(scope)) }
    } catch (error) {
      await closeAll(started, scope, true)
      throw error
    }
    scope = { ...core, ...parts }
    started.push(module)
  }
  const on = modulesOn(list)
  const front = (kind: NetworkKind) =>
    onlyOne(
      'chain answers as one other node',
      on(kind).map((module) => module.front?.(scope)),
    )
  const ofNetworks = {
    on,
    front: oncePer(front),
    openChain: chainOpener(on, scope),
    blockCheck: checkOpener(on, scope),
  }
  return { parts, ...ofNetworks, ...hooksOf(list, scope), ...reportsOf(list, scope) }
}

/** The kinds of networks that these modules bring. */
export const kindsOf = (list: readonly AnyModule[]): readonly NetworkKind[] => [
  ethereumKind,
  ...list.flatMap(({ network }) => network ?? []),
]

/** A module without a network of its own belongs to all chains. */
const modulesOn = (list: readonly AnyModule[]) =>
  oncePer((kind: NetworkKind) => list.filter(({ network = kind }) => network === kind))

const chainOpener =
  (on: RunningModules['on'], scope: object): RunningModules['openChain'] =>
  (chain, parent) => {
    const list = on(chain.network.kind)
    const parts = list.reduce(
      (opened, module) => ({ ...opened, ...module.openChain?.(scope, chain, parent) }),
      {},
    )
    const part = { ...scope, ...parts }
    const follower = onlyOne(
      'miner has one follower',
      list.map((module) => module.follower?.(part)),
    )
    const holders = list.map((module) => module.responseHolder?.(part))
    return { parts, follower, responseHolder: onlyOne('request has one holder of responses', holders) }
  }

const checkOpener =
  (on: RunningModules['on'], scope: object): RunningModules['blockCheck'] =>
  async (network, engine) => {
    const opened = on(network.kind).map(async (module) => module.blockCheck?.(scope, network, engine))
    return onlyOne('miner has one check', await Promise.all(opened))
  }

/** The value of the only module that provides one. Several are an error in the list of modules. */
function onlyOne<Value>(rule: string, values: readonly (Value | undefined)[]): Value | undefined {
  const [value, ...others] = values.filter((each) => each !== undefined)
  invariant(others.length === 0, `the ${rule}`)
  return value
}

/** Hooks of the running node. The lists are built only once, because every send and call uses them. */
function hooksOf(list: readonly AnyModule[], scope: object) {
  const monitors = list.flatMap((module) => module.monitor?.(scope) ?? [])
  const ended = list.filter((module) => module.callEnded !== undefined)
  return {
    monitor: joined(monitors),
    sourceFinder: onlyOne(
      'node has one finder of sources',
      list.map((module) => module.sourceFinder?.(scope)),
    ),
    facts: list.flatMap((module) => Object.entries(module.facts?.(scope) ?? {})),
    waitsFor: list.map((module) => module.waitsFor?.(scope)).find((event) => event !== undefined),
    release: async () => {
      for (const module of list) await module.release?.(scope)
    },
    callEnded: (call: EndedCall) => ended.forEach((module) => module.callEnded?.(scope, call)),
    close: (isAbandoned: boolean) => closeAll(list, scope, isAbandoned),
  }
}

/** Joins the monitors of several modules. At most one of them counts; the others only note which code runs. */
const joined =
  (monitors: readonly CurrentMonitor[]): CurrentMonitor =>
  (worldId) => {
    const [first, ...others] = monitors.flatMap((monitor) => monitor(worldId) ?? [])
    if (first === undefined || others.length === 0) return first
    const all = [first, ...others]
    const counting = all.find((monitor) => monitor.monitorOf !== undefined)
    return {
      ...(counting && { monitorOf: (running: RunningCode) => counting.monitorOf?.(running) }),
      codeEntered: (running) => all.forEach((monitor) => monitor.codeEntered?.(running)),
    }
  }

function reportsOf(list: readonly AnyModule[], scope: object) {
  return {
    closingText: async (paint = NO_PAINT) => {
      const texts: string[] = []
      for (const module of list.toReversed()) texts.push((await module.closingText?.(scope, paint)) ?? '')
      return texts.filter(Boolean).join('\n')
    },
    closingEvents: async () => {
      const events: ClosingEvent[] = []
      for (const module of list) {
        const event = await module.closingEvent?.(scope)
        if (event !== undefined) events.push(event)
      }
      return events
    },
    reports: () =>
      list.flatMap(({ parallel }) => {
        const path = parallel?.reportPath(scope)
        if (parallel === undefined || path === undefined) return []
        return {
          path,
          handOver: () => parallel.handOver(scope),
          takeOver: (text: string) => parallel.takeOver(scope, text),
        }
      }),
  }
}

/** Ends modules in reverse order, even if one throws. @throws the first error */
async function closeAll(list: readonly AnyModule[], scope: object, isAbandoned: boolean): Promise<void> {
  const errors: unknown[] = []
  for (const module of list.toReversed()) {
    try {
      await module.close?.(scope, isAbandoned)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

export const claimsOf = (list: readonly AnyModule[], options: object): readonly (() => Promise<OwnFile>)[] =>
  list.flatMap(({ files = {} }) =>
    Object.entries(files).flatMap(([name, claim]) => {
      const path: unknown = Reflect.get(options, name)
      return typeof path === 'string' ? [() => claim(path)] : []
    }),
  )
