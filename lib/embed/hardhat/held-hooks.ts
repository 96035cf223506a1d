/** Explains the transactions by which tests fail, in a process that is held. */

/** The test that has run, as Mocha has it. */
interface TestContext {
  readonly currentTest?: { readonly err?: unknown } | undefined
}

/** Root hooks of Mocha that explain the transaction of each test that failed by one. */
export const heldHooks = (explain: (hash: string) => void | Promise<void>) => ({
  afterEach(this: TestContext): void | Promise<void> {
    const hash = failedTransaction(this.currentTest?.err)
    return hash === undefined ? undefined : explain(hash)
  },
})

/** Hash of the transaction that an error or one of its causes is about. */
export function failedTransaction(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const hash: unknown = Reflect.get(error, 'transactionHash')
  const isHash = typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)
  return isHash ? hash : failedTransaction(error.cause)
}
