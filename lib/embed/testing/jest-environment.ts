/**
 * Environment for Jest: every worker has its own chain, a world of the node of the run, as the global `chain`, and failed tests are
 * explained.
 * Jest's configuration names it as `testEnvironment: 'dev-node/jest'`, together with jest-setup.ts and jest-teardown.ts.
 */

import { TestEnvironment } from 'jest-environment-node'
import type { FileRecorder } from '../affected/file-recorder.ts'
import type { Ask } from '../ask.ts'
import { explainCircus, type CircusEvent } from './jest-hooks.ts'
import { checkOptions } from './run-options.ts'
import { beginChain, connect } from './test-chain.ts'

const ask: Ask = (method, params) => connect().rpc(method, params)

export default class ChainEnvironment extends TestEnvironment {
  readonly #options: unknown
  readonly #file: string
  #recorder: FileRecorder | undefined
  #hasRun = false

  constructor(...settings: ConstructorParameters<typeof TestEnvironment>) {
    super(...settings)
    this.#options = settings[0].projectConfig.testEnvironmentOptions['devNode']
    this.#file = settings[1].testPath
  }

  override async setup(): Promise<void> {
    await super.setup()
    checkOptions(this.#options, process.env)
    await beginChain(this.global)
    if (process.env['DEV_NODE_AFFECTED_RUN'] === undefined) return
    const { beginFile } = await import('../affected/parts.ts')
    this.#recorder = await beginFile(ask, process.env)
  }

  override async teardown(): Promise<void> {
    // A file that failed to load has no tests.
    if (this.#hasRun) await this.#recorder?.end(this.#file)
    await super.teardown()
  }

  async handleTestEvent(event: CircusEvent): Promise<void> {
    if (/^test_(skip|todo)$/.test(event.name)) this.#recorder?.skipped()
    if (/^(hook_failure|error)$/.test(event.name) || event.test?.errors?.length) this.#recorder?.failed()
    this.#hasRun ||= event.name === 'run_finish'
    await explainCircus(event, { file: this.#file, globals: this.global }, ask)
  }
}
