/** Explains the executions by which tests fail, in a process that is held. */

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
