/** Jest's `globalTeardown: 'dev-node/jest/teardown'`. Loads as jest-setup.ts does, for the same reason. */

/** Closes the node of the run. */
export default async (): Promise<void> => {
  const run = await import('./jest-run.ts')
  await run.closeNode()
}
