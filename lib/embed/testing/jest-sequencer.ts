/** Jest's `testSequencer: 'dev-node/jest/sequencer'`: leaves out test files that no change affects, if the user wants it. */

import sequencer from '@jest/test-sequencer'
import type { RunSettings } from './run-nodes.ts'

type SequencerClass = typeof sequencer.default
type Tests = Parameters<InstanceType<SequencerClass>['sort']>[0]

/** Jest 30 exports the class to ES modules, Jest 29 an object that contains it. */
const isClass = (exported: unknown): exported is SequencerClass => typeof exported === 'function'
const Sequencer = isClass(sequencer) ? sequencer : sequencer.default

/** Jest's order of files, without those that are left out. */
export default class AffectedSequencer extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const [first] = tests
    if (first === undefined) return super.sort(tests)
    const { rootDir, testEnvironmentOptions } = first.context.config
    const { devNode: { affected, artifacts } = {} }: RunSettings = testEnvironmentOptions
    const { begin, filesOfWorkers } = await import('../affected/parts.ts')
    await begin({ root: rootDir, affected, artifacts, chains: 'worlds' }, process.env)
    const paths = tests.map(({ path }) => path)
    const runs = await filesOfWorkers(paths, process.env)
    const sorted = await super.sort(tests)
    return sorted.filter(({ path }) => runs.includes(path))
  }
}
