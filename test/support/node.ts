/** Creates nodes in process with a controlled clock, randomness and timers, and calls them without a transport. */

import { MODULES } from '../../lib/modules/list.ts'
import type { Host } from '../../lib/base/host.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { createNode } from '../../lib/node/node.ts'
import type { Node } from '../../lib/node/node.ts'
import { Dispatcher } from '../../lib/rpc/dispatch.ts'
import { wholeText } from '../../lib/rpc/streamed-response.ts'
import { RequestHistory } from '../../lib/rpc/request-history.ts'
import type { DispatchOptions } from '../../lib/rpc/dispatch.ts'
import { ExecutionLog } from '../../lib/rpc/execution-log.ts'
import type { Registry } from '../../lib/rpc/registry.ts'
import { TextStream } from '../../lib/base/text-stream.ts'
import { servedBy } from '../../lib/rpc/methods/all.ts'

/** Initial wall clock of every test: 2023-11-14, in milliseconds. */
export const STARTED_AT_MS = 1_700_000_000_000

interface Task {
  readonly dueMs: number
  readonly run: () => void
}

/** A host with a stopped wall clock, deterministic randomness, and timers that fire when the test steps. */
export class ManualHost implements Host {
  #nowMs = STARTED_AT_MS
  #setBackMs = 0
  #seed = 1
  readonly #tasks = new Set<Task>()

  readonly now = () => this.#nowMs - this.#setBackMs

  readonly elapsed = () => this.#nowMs

  /** Sets the wall clock back. Timers are not affected, as those of the system. */
  setBack(ms: number): void {
    this.#setBackMs += ms
  }

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

  /** Number of scheduled tasks. */
  get waiting(): number {
    return this.#tasks.size
  }

  /** Advances the wall clock at most to the next task, which it starts. Returns the remaining time. */
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

/** A new node with options of the programmatic API. */
export function freshNode(
  options: OptionsInput = {},
  host: Host = new ManualHost(),
  onFault?: (error: Error) => void,
): Promise<Node> {
  return createNode(resolveOptions({ values: options }), { modules: MODULES, host, onFault })
}

/** Advances the wall clock. Every timer fires at its time and completes before the next one. */
export async function elapse(node: Node, host: ManualHost, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0;) {
    leftMs = host.step(leftMs)
    // Waits for the work of the timer, then for one turn of the event loop.
    await node.instance.lock.run('write', () => undefined)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A dispatcher whose long responses are one text, too. */
export class WholeDispatcher extends Dispatcher {
  readonly #node: Node
  readonly #registry: Registry

  constructor(node: Node, options: DispatchOptions) {
    super(node, options)
    this.#node = node
    this.#registry = options.registry
  }

  /** Runs a method without an envelope, and returns its result in wire form. @throws NodeError */
  async call(method: string, params: unknown, dialect: Dialect): Promise<any> {
    const request = { id: null, method, params }
    const declared = this.#registry.find(method)
    const result = await this.run(declared, request, dialect, new ExecutionLog(this.#node))
    return JSON.parse(result instanceof TextStream ? await result.collect() : JSON.stringify(result ?? null))
  }

  /** The response to a request body, or the text of an error if the production of its pieces fails. */
  async answer(body: string, dialect: Dialect): Promise<string | undefined> {
    const answer = await this.answerStreamed(body, dialect)
    return typeof answer === 'object' ? wholeText(answer) : answer
  }
}

/** The dispatcher of a node, for tests of envelopes. */
export function dispatcherOf(node: Node, options: Partial<DispatchOptions> = {}): WholeDispatcher {
  const { batchLimit, answerLimit } = node.options
  const now = () => 0
  const history = new RequestHistory({ now, elapsed: now })
  return new WholeDispatcher(node, { ...servedBy(node), batchLimit, answerLimit, now, history, ...options })
}

/**
 * Calls a method as a client would, and returns the result in wire form.
 * @throws NodeError
 */
export async function call(
  node: Node,
  method: string,
  params: readonly unknown[] | object = [],
  dialect: Dialect = node.options.dialect ?? 'node33',
): Promise<any> {
  return dispatcherOf(node).call(method, params, dialect)
}

/** Kind and message of a call's error; fails if the call succeeds. */
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
