/** The events of jest-circus by which failed tests and hooks are explained. */

import { realHost } from '../../base/host.ts'
import { beforeAllTitle, explainFailedTest, tellOfTests } from './failed-tests.ts'

/** The members of a test or describe block of jest-circus that are read here. */
interface CircusBlock {
  readonly name: string
  readonly parent?: CircusBlock
  readonly startedAt?: number | null
  readonly invocations?: number
  /** Errors, or pairs of an error and one that shows the test's place. */
  readonly errors?: readonly unknown[]
}

export interface CircusEvent {
  readonly name: string
  readonly test?: CircusBlock
  readonly describeBlock?: CircusBlock
  readonly hook?: { readonly type: string }
  readonly error?: unknown
}

/** `jest.retryTimes` stores the number of retries under this symbol. */
const RETRY_TIMES = Symbol.for('RETRY_TIMES')

/** When the running hook began, in milliseconds since the epoch. */
let hookBegan = 0

/**
 * Explains a test that has ended with errors and does not run again, and a hook that fails before all tests of a block. `ask` sends a
 * request to its node.
 */
export async function explainCircus(
  { name, test, describeBlock, hook, error }: CircusEvent,
  { file, globals }: { readonly file?: string; readonly globals: object },
  ask: Parameters<typeof explainFailedTest>[1],
): Promise<void> {
  if (name === 'hook_start') hookBegan = realHost.now()
  // Its error becomes the error of each test of the block.
  if (name === 'hook_failure' && hook?.type === 'beforeAll' && describeBlock !== undefined)
    await explainFailedTest(
      { title: beforeAllTitle(titleOf(describeBlock)), file, startedAt: hookBegan, error },
      ask,
    )
  if (name !== 'test_done' || test === undefined) return
  await tellOfTests(ask)
  const { errors = [], startedAt, invocations = 1 } = test
  if (invocations <= Number(Reflect.get(globals, RETRY_TIMES) ?? 0)) return
  const described = { title: titleOf(test), file, startedAt: startedAt ?? 0 }
  for (const each of errors) {
    const error: unknown = Array.isArray(each) ? each[0] : each
    await explainFailedTest({ ...described, error }, ask)
  }
}

const ROOT = 'ROOT_DESCRIBE_BLOCK'

const titleOf = ({ name, parent }: CircusBlock): string => {
  if (parent === undefined) return name === ROOT ? '' : name
  return `${titleOf(parent)} ${name}`.trimStart()
}
