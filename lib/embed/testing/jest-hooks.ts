/** Handles the jest-circus event through which failed tests are explained. */

import { explainFailedTest, tellOfTests } from './failed-tests.ts'

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
}

/** `jest.retryTimes` stores the number of retries under this symbol. */
const RETRY_TIMES = Symbol.for('RETRY_TIMES')

/** Explains a test that has ended with errors and will not run again. `ask` sends a request to its node. */
export async function explainCircus(
  { name, test }: CircusEvent,
  { file, globals }: { readonly file?: string; readonly globals: object },
  ask: Parameters<typeof explainFailedTest>[1],
): Promise<void> {
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

const titleOf = ({ name, parent }: CircusBlock): string =>
  parent === undefined || parent.name === ROOT ? name : `${titleOf(parent)} ${name}`
