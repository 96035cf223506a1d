/**
 * Watches every call of a method in the process of the node: a call that is refused, and a call of a method that only reads,
 * must not change a cell.
 */

import { NodeError } from '../lib/base/errors.ts'
import { isRoutine, type Routine } from '../lib/base/routine.ts'
import { TextStream } from '../lib/base/text-stream.ts'
import type { ChainInstance } from '../lib/chain/instance/chain-instance.ts'
import type { Node } from '../lib/node/node.ts'
import type { Method } from '../lib/kernel/method.ts'
import { Registry } from '../lib/rpc/registry.ts'
import { glance, textOf } from '../test/support/fingerprint.ts'

/** Counts of watched calls. */
export interface WatchCounts {
  /** Calls of writing methods that were refused and changed nothing. */
  refused: number
  /** Calls of reading methods that changed nothing. */
  read: number
  /** Calls that ended after other requests ran, so that changes have no one cause. */
  unwatched: number
}

/** Called with a method whose call changed cells, how it ended, and the changes. */
export type OnChange = (method: string, end: string, changes: readonly string[]) => void

/** Changes a call of a method, to plant a defect. */
export type Plant = (name: string, invoke: Invoke) => Invoke
type Invoke = ReturnType<Method<Node>['prepare']>

/** Cells at a time. */
interface Cells {
  readonly glance: string
  readonly values: ReadonlyMap<string, unknown>
}

const cellsOf = (instance: ChainInstance): Cells => ({ glance: glance(instance), values: instance.peek() })

/** Cells that differ by value: a cell may be replaced by an equal one. */
function changesSince(before: Cells, instance: ChainInstance): readonly string[] {
  const now = glance(instance)
  if (now === before.glance) return []
  const lines = new Set(before.glance.split('\n'))
  const names = now.split('\n').flatMap((line) => (lines.has(line) ? [] : [line.slice(0, line.indexOf(':'))]))
  const values = instance.peek()
  return names.flatMap((name) => {
    // Pool and filters change their objects, so only their glance tells the difference.
    if (name === 'mempool' || name === 'filters') return [name]
    const [old, new_] = [textOf(before.values.get(name)), textOf(values.get(name))]
    return old === new_ ? [] : [`${name}: ${old.slice(0, 300)} -> ${new_.slice(0, 300)}`]
  })
}

/** Whether an error is the answer to a call that did its work: a mined transaction that failed, or a wait that ended. */
const didItsWork = (error: unknown): boolean =>
  error instanceof NodeError && (error.details.txHash !== undefined || error.kind === 'receiptTimeout')

/** Cells that a refused call of a method may change, with the reason. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  // Its blocks are mined before it turns out that a transaction does not fit. They are taken back, and filters are told of both.
  anvil_reorg: ['filters'],
}

/** Watches the calls of all nodes of this process from now on. */
export function watchCalls(onChange: OnChange, plant: Plant): WatchCounts {
  const counts: WatchCounts = { refused: 0, read: 0, unwatched: 0 }
  const watched = new WeakMap<Method, Method<Node>>()
  const find = Object.getOwnPropertyDescriptor(Registry.prototype, 'find')!.value as Registry['find']
  Registry.prototype.find = function (name) {
    const method = find.call(this, name)
    if (method === undefined) return undefined
    const known = watched.get(method) ?? watchedMethod(method, { counts, onChange, plant })
    watched.set(method, known)
    return known
  }
  return counts
}

interface Watch {
  readonly counts: WatchCounts
  readonly onChange: OnChange
  readonly plant: Plant
}

function watchedMethod(method: Method<Node>, watch: Watch): Method<Node> {
  return {
    ...method,
    prepare: (params) => {
      const invoke = watch.plant(method.name, method.prepare(params))
      return (node, context) => watchedCall(method, () => invoke(node, context), node.instance, watch)
    },
  }
}

function watchedCall(method: Method, call: () => unknown, instance: ChainInstance, watch: Watch): unknown {
  const before = cellsOf(instance)
  const check = (end: string, count: 'refused' | 'read'): void => {
    const changes = changesSince(before, instance).filter(
      (name) => TOLD[method.name]?.includes(name) !== true,
    )
    if (changes.length > 0) watch.onChange(method.name, end, changes)
    else watch.counts[count]++
  }
  const refuse = (error: unknown): never => {
    if (method.access === 'read') check(`refused: ${String(error)}`, 'read')
    else if (!didItsWork(error)) check(`refused: ${String(error)}`, 'refused')
    throw error
  }
  const end = (result: unknown): unknown => {
    if (result instanceof TextStream) watch.counts.unwatched++
    else if (method.access === 'read') check('answered', 'read')
    return result
  }
  try {
    const result = call()
    if (isRoutine(result))
      return watchedRoutine(result, { end, refuse, onPause: () => watch.counts.unwatched++ })
    return result instanceof Promise ? result.then(end, refuse) : end(result)
  } catch (error) {
    return refuse(error)
  }
}

interface RoutineWatch {
  readonly end: (result: unknown) => unknown
  readonly refuse: (error: unknown) => never
  readonly onPause: () => void
}

/** A routine whose end is watched if it comes before the first pause. */
function* watchedRoutine(
  routine: Routine<unknown>,
  { end, refuse, onPause }: RoutineWatch,
): Routine<unknown> {
  let step: IteratorResult<Promise<void>, unknown>
  try {
    step = routine.next()
  } catch (error) {
    return refuse(error)
  }
  if (step.done === true) return end(step.value)
  onPause()
  while (step.done !== true) {
    try {
      yield step.value
      step = routine.next()
    } catch (error) {
      step = routine.throw(error)
    }
  }
  return step.value
}
