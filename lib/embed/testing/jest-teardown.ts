/** Jest's `globalTeardown: 'dev-node/jest/teardown'`. Imports the node late, for the same reason as jest-setup.ts. */

export default async (): Promise<void> => {
  const run = await import('./test-run.ts')
  await run.closeNode()
}
