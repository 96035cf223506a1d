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
  const { gasLimit } = input.traced.message
  const tree = new CallTree()
  // The outermost frame has the gas limit and the gas used of the transaction.
  const end = ({ gasUsed }: Outcome): string =>
    jsonText(frameOf({ ...tree.root, gas: gasLimit, gasUsed }, input, logIndexes(tree.root, input)))
  return { observer: tree.observer, end }
}

/** Log index in the block by the order of the log in the execution, for logs that were not reverted. */
function logIndexes(root: CallNode, { traced }: TracerInput): ReadonlyMap<number, number> {
  const orders = ordersOf(root).sort((left, right) => left - right)
  return new Map(orders.map((order, index) => [order, traced.firstLogIndex + index]))
}

function frameOf(node: CallNode, input: TracerInput, indexes: ReadonlyMap<number, number>): object {
  const { config } = input
  const { children, logs } = node
  return {
    from: node.from,
    gas: toQuantity(node.gas),
    gasUsed: toQuantity(node.gasUsed),
    to: node.to,
    input: node.input,
    ...(node.output === '0x' ? {} : { output: node.output }),
    ...failureOf(node, input),
    ...(config.onlyTopCall || children.length === 0
      ? {}
      : { calls: children.map((child) => frameOf(child, input, indexes)) }),
    ...(config.withLog && logs.length > 0
      ? {
          logs: logs.map(({ order, position, ...log }) => ({
            ...log,
            index: toQuantity(indexes.get(order) ?? 0),
            position: toQuantity(position),
          })),
        }
      : {}),
    ...(node.kind === 'staticcall' ? {} : { value: toQuantity(node.value) }),
    type: node.kind.toUpperCase(),
  }
}

function failureOf(node: CallNode, { reasonOf }: TracerInput): object {
  if (node.status === 'success') return {}
  if (node.status === 'failed') return { error: gethErrorOf(node) }
  return { error: REVERTED, revertReason: reasonOf(node.output) }
}

function ordersOf({ logs, children }: CallNode): number[] {
  return [...logs.map(({ order }) => order), ...children.flatMap(ordersOf)]
}
