/**
 * Environment for Jest: every worker has its own chain, a world of the node of the run, as the global `chain`.
 * Jest's configuration names it as `testEnvironment: 'dev-node/jest'`, together with jest-setup.ts and jest-teardown.ts.
 */

import { TestEnvironment } from 'jest-environment-node'
import { checkOptions } from './run-options.ts'
import { beginChain } from './test-chain.ts'

/** Node's environment with a chain. */
export default class ChainEnvironment extends TestEnvironment {
  readonly #options: unknown

  constructor(...settings: ConstructorParameters<typeof TestEnvironment>) {
    super(...settings)
    this.#options = settings[0].projectConfig.testEnvironmentOptions['devNode']
  }

  override async setup(): Promise<void> {
    await super.setup()
    checkOptions(this.#options, process.env)
    await beginChain(this.global)
  }
}
