/** Converts what a method of this node returns, at once or later, into what the reference node returns. */

import { NodeError, type ErrorKind } from '../../base/errors.ts'
import { PausedRoutine } from '../../base/routine.ts'
import type { Node } from '../../node/node.ts'
import { RawJson } from '../raw-json.ts'

/** A call of a method whose params are read. */
export interface FaithfulCall {
  /** Runs the method of this node; with other params if some are given. */
  readonly run: (params?: readonly unknown[]) => unknown
  readonly params: readonly unknown[]
  /** The params as the client sent them. */
  readonly given: readonly unknown[]
}

/** The result of a method after a conversion. */
export function converted(result: unknown, convert: (ended: unknown) => unknown): unknown {
  if (result instanceof PausedRoutine) return result.map(convert)
  if (result instanceof Promise) return result.then((value: unknown) => converted(value, convert))
  return convert(result)
}

/** The result of a method, or another one instead of its error; `handle` throws what the client gets. */
export function recovered(attempt: () => unknown, handle: (error: unknown) => unknown): unknown {
  try {
    const result = attempt()
    if (result instanceof PausedRoutine) return result.recover(handle)
    if (!(result instanceof Promise)) return result
    return result.then(
      (value: unknown) => (value instanceof PausedRoutine ? value.recover(handle) : value),
      handle,
    )
  } catch (error) {
    return handle(error)
  }
}

/** A result as plain values, although it may be JSON text. */
export const plain = (result: unknown): unknown => (result instanceof RawJson ? result.toJSON() : result)

/** Whether an error is of one of these kinds. */
export const hasKind = (error: unknown, kinds: readonly ErrorKind[]): error is NodeError =>
  error instanceof NodeError && kinds.includes(error.kind)

/** Runs a method, and answers errors of these kinds with another error or with a result. */
export const answering =
  (
    kinds: readonly ErrorKind[],
    answer: (error: NodeError, call: FaithfulCall, node: Node) => unknown,
    attempt = ({ run }: FaithfulCall, _: Node) => run(),
  ) =>
  (call: FaithfulCall, node: Node): unknown =>
    recovered(
      () => attempt(call, node),
      (error) => {
        const answered = hasKind(error, kinds) ? answer(error, call, node) : error
        if (answered instanceof Error) throw answered
        return answered
      },
    )
