/** Records what test files depend on, as one process runs them in turn. The hooks of the runners call it. */

import { realHost } from '../../base/host.ts'
import type { RpcMethods } from '../rpc-types.ts'
import type { Ask } from '../ask.ts'
import type { AffectedRun } from './affected-run.ts'
import { localModules } from './local-modules.ts'
import { FAILED, writeRecord, type TestRecord } from './test-record.ts'

type Executed = NonNullable<RpcMethods['dev_executedContracts']['result']>

const isExecuted = (answer: unknown): answer is Executed =>
  typeof answer === 'object' && answer !== null && 'contracts' in answer

/** Contracts that the running test file has read. */
const named = new Set<string>()

/** Notes that the running test file reads a contract, such as contracts/Token.sol:Token. */
export const noteContract = (id: string): void => void named.add(id)

export class FileRecorder {
  readonly #run: AffectedRun
  readonly #ask: Ask
  readonly #doubts = new Set<string>()

  /** `ask` sends a request to the nodes of this process. */
  constructor(run: AffectedRun, ask: Ask) {
    this.#run = run
    this.#ask = ask
  }

  /** A test file begins. Executions before this belong to no file. */
  async begin(): Promise<void> {
    this.#doubts.clear()
    named.clear()
    await this.#executed()
  }

  /** Makes the file run again in any case. */
  doubt(reason: string): void {
    this.#doubts.add(reason)
  }

  failed(): void {
    this.doubt(FAILED)
  }

  skipped(): void {
    this.doubt('skipped tests')
  }

  /** The test file has ended. `shared` are files that packages have loaded for all tests. */
  async end(file: string, shared: readonly string[] = []): Promise<void> {
    const answers = await this.#executed()
    const executed = answers.filter(isExecuted)
    for (const { doubts } of executed) for (const doubt of doubts) this.#doubts.add(doubt)
    if (executed.length < answers.length) this.#doubts.add('a node that does not answer')
    const contracts = Object.fromEntries(executed.flatMap((each) => Object.entries(each.contracts)))
    this.#write([file, ...shared], { contracts, hasTests: true, doubts: [...this.#doubts] })
  }

  withoutTests(file: string, doubts: readonly string[]): void {
    this.#write([file], { contracts: {}, hasTests: false, doubts })
  }

  #write(
    [file, ...others]: readonly [string, ...string[]],
    {
      doubts,
      ...record
    }: Pick<TestRecord, 'contracts' | 'hasTests'> & { readonly doubts: readonly string[] },
  ): void {
    const { root, settings } = this.#run
    const { hashes: modules, doubts: inText } = localModules([file, ...others], root)
    const all = [...new Set([...doubts, ...inText])]
    writeRecord(file, root, { at: realHost.now(), settings, modules, ...record, doubts: all })
  }

  async #executed(): Promise<readonly unknown[]> {
    return [
      await this.#ask('dev_executedContracts', [[...named], this.#run.chains !== 'worlds']).catch(() => null),
    ].flat()
  }
}
