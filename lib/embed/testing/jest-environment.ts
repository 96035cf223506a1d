/**
 * Environment for Jest: every worker has its own chain, a world of the node of the run, as the global `chain`, and failed tests are
 * explained.
 * Jest's configuration names it as `testEnvironment: 'dev-node/jest'`, together with jest-setup.ts and jest-teardown.ts.
 */

import { TestEnvironment } from 'jest-environment-node'
import { explainCircus, type CircusEvent } from './jest-hooks.ts'
import { checkOptions } from './run-options.ts'
import { beginChain, connect } from './test-chain.ts'

/** Node's environment with a chain. */
export default class ChainEnvironment extends TestEnvironment {
  readonly #options: unknown
  readonly #file: string

  constructor(...settings: ConstructorParameters<typeof TestEnvironment>) {
    super(...settings)
    this.#options = settings[0].projectConfig.testEnvironmentOptions['devNode']
    this.#file = settings[1].testPath
  }

  override async setup(): Promise<void> {
    await super.setup()
    checkOptions(this.#options, process.env)
    await beginChain(this.global)
  }

  /** Called by Jest with each event of a test. */
  async handleTestEvent(event: CircusEvent): Promise<void> {
    await explainCircus(event, { file: this.#file, globals: this.global }, (method, params) =>
      connect().rpc(method, params),
    )
  }
}
