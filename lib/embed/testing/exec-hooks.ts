/**
 * Loaded before the programs of `dev-node exec`, by NODE_OPTIONS: lets the test runner that a program loads, if it is one, explain its
 * failed tests. Programs that are no runner notice nothing but the time of this file.
 */

import nodeModule, { Module } from 'node:module'
import type { explainFailedTest } from './failed-tests.ts'
import { changed, hasPlace, isChanged, JEST, MOCHA, VITEST, withCall } from './exec-sources.ts'

const ask: Parameters<typeof explainFailedTest>[1] = async (method, params) => {
  const { TestChain } = await import('./test-chain.ts')
  return new TestChain({ url: process.env['DEV_NODE_URL'] ?? '' }).rpc(method, params)
}

/** What runners call, by name. */
const RECEIVERS = {
  [MOCHA]: (mocha: { rootHooks: (hooks: object) => void }) => mocha.rootHooks(mochaHooks),
  [VITEST]: ({ config }: { readonly config: { setupFiles: readonly string[] } }) => {
    config.setupFiles = [...config.setupFiles, new URL('./exec-vitest.js', import.meta.url).pathname]
  },
  [JEST]: (exported: object) => {
    for (const environment of new Set(Object.values(exported))) explainIn(environment)
  },
}

/** Hooks that load what they need when a test has failed. */
const mochaHooks = {
  beforeEach(): void {
    startedAt = Date.now()
  },
  async afterEach(this: { readonly currentTest?: { readonly state?: string } }): Promise<void> {
    if (this.currentTest?.state !== 'failed') return
    const { explainMocha } = await import('./mocha-hooks.ts')
    await explainMocha(this.currentTest, startedAt, ask)
  },
}
let startedAt = 0
