/** The callTracer: calls as nested frames, in geth's format (go-ethereum, eth/tracers/native/call.go). */

import { toQuantity } from '../../base/hex.ts'
import { jsonText } from '../../base/json-text.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { CallTree } from './call-tree.ts'
import type { CallNode } from './call-tree.ts'
import { REVERTED, gethErrorOf } from './errors.ts'
import type { Tracer, TracerInput } from './tracer.ts'

/** Traces calls. `withLog` adds the logs of each frame, `onlyTopCall` leaves out inner calls. */
export function callTracer(input: TracerInput): Tracer {
  const tree = new CallTree()
  return {
    observer: tree.observer,
    end: (outcome) => jsonText(new Frames(input, tree.root).outermost(outcome)),
  }
}

class Frames {
  readonly #input: TracerInput
  readonly #root: CallNode
  /** Log index in the block by the order of the log in the execution, for logs that were not reverted. */
  readonly #indices: ReadonlyMap<number, number>

  constructor(input: TracerInput, root: CallNode) {
    this.#input = input
    this.#root = root
    const orders = ordersOf(root).sort((left, right) => left - right)
    this.#indices = new Map(orders.map((order, index) => [order, input.traced.firstLogIndex + index]))
  }

  /** The outermost frame has the gas limit and the gas used of the transaction. */
  outermost({ gasUsed }: Outcome): object {
    return this.#frame({ ...this.#root, gas: this.#input.traced.message.gasLimit, gasUsed })
  }

  #frame(node: CallNode): object {
    const { config } = this.#input
    const { children, logs } = node
    return {
      from: node.from,
      gas: toQuantity(node.gas),
      gasUsed: toQuantity(node.gasUsed),
      ...(node.to === undefined ? {} : { to: node.to }),
      input: node.input,
      ...(node.output === '0x' ? {} : { output: node.output }),
      ...this.#failureOf(node),
      ...(config.onlyTopCall || children.length === 0
        ? {}
        : { calls: children.map((child) => this.#frame(child)) }),
      ...(config.withLog && logs.length > 0 ? { logs: this.#logsOf(node) } : {}),
      ...(node.kind === 'staticcall' ? {} : { value: toQuantity(node.value) }),
      type: node.kind.toUpperCase(),
    }
  }

  #failureOf(node: CallNode): object {
    const { status, output } = node
    if (status === 'success') return {}
    if (status === 'failed') return { error: gethErrorOf(node) }
    const revertReason = this.#input.reasonOf(output)
    return { error: REVERTED, ...(revertReason === undefined ? {} : { revertReason }) }
  }

  #logsOf({ logs }: CallNode): readonly object[] {
    return logs.map(({ address, topics, data, position, order }) => ({
      address,
      topics,
      data,
      index: toQuantity(this.#indices.get(order) ?? 0),
      position: toQuantity(position),
    }))
  }
}

function ordersOf({ logs, children }: CallNode): number[] {
  return [...logs.map(({ order }) => order), ...children.flatMap(ordersOf)]
}
