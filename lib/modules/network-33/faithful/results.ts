/** What the changes of methods and results for the reference node share. */

import { NodeError, type ErrorKind } from '../../../base/errors.ts'
import { recovered } from '../../../base/routine.ts'
import type { FaithfulChain } from './scope.ts'
import { RawJson } from '../../../kernel/raw-json.ts'

/** A call of a method whose params are read. */
export interface FaithfulCall {
  /** Runs the method of this node; with other params if some are given. */
  readonly run: (params?: readonly unknown[]) => unknown
  readonly params: readonly unknown[]
  /** The params as the client sent them. */
  readonly given: readonly unknown[]
}

/** A result as plain values, although it may be JSON text. */
export const plain = (result: unknown): unknown => (result instanceof RawJson ? result.toJSON() : result)

export const hasKind = (error: unknown, kinds: readonly ErrorKind[]): error is NodeError =>
  error instanceof NodeError && kinds.includes(error.kind)

/** Runs a method, and answers errors of these kinds with another error or with a result. */
export const answering =
  (
    kinds: readonly ErrorKind[],
    answer: (error: NodeError, call: FaithfulCall, node: FaithfulChain) => unknown,
    attempt = ({ run }: FaithfulCall, _: FaithfulChain) => run(),
  ) =>
  (call: FaithfulCall, node: FaithfulChain): unknown =>
    recovered(
      () => attempt(call, node),
      (error) => {
        const answered = hasKind(error, kinds) ? answer(error, call, node) : error
        if (answered instanceof Error) throw answered
        return answered
      },
    )
