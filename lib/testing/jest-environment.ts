/**
 * Environment for Jest: every worker has a chain of its own on the one node of the run, as the global `chain`.
 * Named in Jest's configuration as `testEnvironment: 'dev-node/jest'`, beside the two halves of jest-run.ts.
 */

import { TestEnvironment } from 'jest-environment-node'
import { checkOptions } from './run-options.ts'
import { connect } from './test-chain.ts'

/** Node's environment with a chain in it. */
export default class ChainEnvironment extends TestEnvironment {
  readonly #options: unknown

  constructor(...settings: ConstructorParameters<typeof TestEnvironment>) {
    super(...settings)
    this.#options = settings[0].projectConfig.testEnvironmentOptions['devNode']
  }

  override async setup(): Promise<void> {
    await super.setup()
    checkOptions(this.#options, process.env)
    const chain = connect()
    // The worker's world outlives the file: what earlier files left there is taken back.
    await chain.beginWorld()
    Object.assign(this.global, { chain })
  }
}
