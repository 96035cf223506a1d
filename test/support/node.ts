/** Fresh nodes in process: a clock, randomness and timers the test holds in its hand, and calls without a transport. */

import type { Host } from '../../lib/base/host.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import type { OptionsInput } from '../../lib/config/options.ts'
import { resolveOptions } from '../../lib/config/resolve-options.ts'
import { createNode } from '../../lib/node.ts'
import type { Node } from '../../lib/node.ts'
import { Dispatcher } from '../../lib/rpc/dispatch.ts'
import type { DispatchOptions } from '../../lib/rpc/dispatch.ts'
import { allMethods } from '../../lib/rpc/methods/all.ts'

/** Where the wall clock of every test stands at first: 2023-11-14, in milliseconds. */
export const STARTED_AT_MS = 1_700_000_000_000

interface Task {
  readonly dueMs: number
  readonly run: () => void
}

/** A wall clock that stands still, randomness that repeats itself, and timers that fire when the test says so. */
export class ManualHost implements Host {
  #nowMs = STARTED_AT_MS
  #seed = 1
  readonly #tasks = new Set<Task>()

  readonly now = () => this.#nowMs

  /** Bytes of a linear congruential generator: the same in every run. */
  readonly random = (length: number) =>
    Uint8Array.from({ length }, () => {
      this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0
      return this.#seed >>> 24
    })

  readonly schedule = (delayMs: number, run: () => void) => {
    const task = { dueMs: this.#nowMs + delayMs, run }
    this.#tasks.add(task)
    return () => void this.#tasks.delete(task)
  }

  /** Tasks that wait for their time. */
  get waiting(): number {
    return this.#tasks.size
  }

  /** Moves the wall clock forward, and no further than to the next task, which then starts. Answers the time left. */
  step(ms: number): number {
    const untilMs = this.#nowMs + ms
    const [next] = [...this.#tasks].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)
    this.#nowMs = next?.dueMs ?? untilMs
    if (next === undefined) return 0
    this.#tasks.delete(next)
    next.run()
    return untilMs - this.#nowMs
  }
}

/** A node that nobody has used. Options are those of the programmatic API. */
export function freshNode(options: OptionsInput = {}, host: Host = new ManualHost()): Promise<Node> {
  return createNode(resolveOptions({ values: options }), host)
}

/** Lets wall-clock time pass: every timer fires at its moment, and its work is done before the next one's. */
export async function elapse(node: Node, host: ManualHost, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0;) {
    leftMs = host.step(leftMs)
    // Behind whatever a timer has begun; then once around the event loop for what follows it.
    await node.instance.lock.run('write', () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The dispatcher of a node, for tests of envelopes. */
export function dispatcherOf(node: Node, options: Partial<DispatchOptions> = {}): Dispatcher {
  const { batchLimit, answerLimit } = node.options
  const registry = allMethods.named(node.network.names)
  return new Dispatcher(node, { registry, batchLimit, answerLimit, now: () => 0, ...options })
}

/**
 * Calls a method as a client would, and answers the result as it stands on the wire.
 * @throws NodeError whose `kind` says what is wrong
 */
export async function call(
  node: Node,
  method: string,
  params: readonly unknown[] | object = [],
  dialect: Dialect = node.options.dialect,
): Promise<any> {
  const result = await dispatcherOf(node).call(method, params, dialect)
  return JSON.parse(JSON.stringify(result ?? null))
}

/** Kind of the error a call ends with, and its message; fails when the call succeeds. */
export async function refusal(
  node: Node,
  method: string,
  params: readonly unknown[] | object = [],
): Promise<{ readonly kind: string; readonly message: string }> {
  const outcome = await call(node, method, params).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: error as { kind: string; message: string } }),
  )
  if ('result' in outcome) throw new Error(`${method} answered ${JSON.stringify(outcome.result)}`)
  const { kind, message } = outcome.error
  return { kind, message }
}
