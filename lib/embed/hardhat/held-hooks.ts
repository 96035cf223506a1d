/** Explains the executions by which tests fail, in a process that is held. */

import { toHex } from '../../base/hex.ts'
import type { Node } from '../../node/node.ts'

/** The test that has run, as Mocha has it. */
interface TestContext {
  readonly currentTest?: { readonly err?: unknown } | undefined
}

/** Root hooks of Mocha that explain the execution of each test that failed by one. */
export const heldHooks = (explain: (mark: string) => void | Promise<void>) => ({
  afterEach(this: TestContext): void | Promise<void> {
    const mark = failedExecution(this.currentTest?.err)
    return mark === undefined ? undefined : explain(mark)
  },
})

/** A mark of the execution that an error or its innermost cause is about: the hash of the transaction, or else the revert data. */
export function failedExecution(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const marks: readonly unknown[] = [Reflect.get(error, 'transactionHash'), Reflect.get(error, 'data')]
  const isMark = (mark: unknown): mark is string => typeof mark === 'string' && /^0x[0-9a-f]*$/i.test(mark)
  return failedExecution(error.cause) ?? marks.find(isMark)
}

/** The newest failure with a mark. Of the many without revert data, only the newest of all failures is certain to be meant. */
export function failureWith({ failures }: Pick<Node, 'failures'>, mark: string) {
  const hasMark = ({ mined, outcome }: Node['failures']['all'][number]): boolean =>
    (mined?.receipt.transaction.hash ?? toHex(outcome.returnData)) === mark
  const found = failures.findNewest((failure) => mark === '0x' || hasMark(failure))
  return found && hasMark(found) ? found : undefined
}
