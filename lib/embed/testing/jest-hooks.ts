/** The event of jest-circus by which failed tests are explained. */

import { explainFailedTest } from './failed-tests.ts'

/** A test or a describe block of jest-circus with the members that are read. */
interface CircusBlock {
  readonly name: string
  readonly parent?: CircusBlock
  readonly startedAt?: number | null
  readonly invocations?: number
  /** Errors, or pairs of an error and one with the place of the test. */
  readonly errors?: readonly unknown[]
}

export interface CircusEvent {
  readonly name: string
  readonly test?: CircusBlock
}

/** Explains a test that has ended with errors. `ask` sends a request to its node. */
export async function explainCircus(
  { name, test }: CircusEvent,
  file: string | undefined,
  ask: Parameters<typeof explainFailedTest>[1],
): Promise<void> {
  if (name !== 'test_done' || test === undefined) return
  const { errors = [], startedAt, invocations = 1 } = test
  const described = { title: titleOf(test), file, retry: invocations - 1, startedAt: startedAt ?? 0 }
  for (const each of errors) {
    const error: unknown = Array.isArray(each) ? each[0] : each
    await explainFailedTest({ ...described, error }, ask)
  }
}

const ROOT = 'ROOT_DESCRIBE_BLOCK'

const titleOf = ({ name, parent }: CircusBlock): string =>
  parent === undefined || parent.name === ROOT ? name : `${titleOf(parent)} ${name}`
