/** Coverage of the Solidity sources. @example createNode({ coverage: 'coverage' }) writes coverage/lcov.info when it closes. */

import { join } from 'node:path'
import { lazyPart } from '../../base/lazy-part.ts'
import { Coverage } from './coverage.ts'
import { declare, inGroup, toggle } from '../../config/option-description.ts'
import { textList } from '../../config/option-values.ts'
import { text } from '../../config/values.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import * as z from 'zod'
import { command } from '../../kernel/control.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { addToJobPage } from '../../node/job-page.ts'
import { optional } from '../../schema/wire.ts'
import { coverageObject } from './results.ts'

export interface CoveragePart {
  readonly coverage: Coverage
}

const chosen = z.boolean('expected a boolean')
const outputs = z.strictObject(
  { lcov: chosen.optional(), write: chosen.optional() },
  'expected {lcov, write}',
)

const startCoverage = command({
  name: 'dev_startCoverage',
  summary: 'Counts the executions of all chains of the node from now on. Counts that exist stay.',
  example: { params: [], result: null },
  run: (_, { coverage }: CoveragePart) => coverage.start(),
})

const report = readMethod({
  name: 'dev_coverage',
  summary: 'Coverage of the Solidity sources by all chains of the node: shares by file, Istanbul counts.',
  params: [
    param(
      'outputs',
      optional(outputs),
      'lcov: return an lcov.info too; write: write the files of --coverage.',
    ),
  ],
  result: coverageObject,
  errors: ['coverageOff', 'coverageFailed'],
  example: { params: [], refusal: 'coverageOff' },
  run: async ({ outputs: { lcov = false, write = false } = {} }, { coverage: counted }: CoveragePart) => {
    const counts = await counted.report()
    if (write) await counted.write()
    const { istanbul, summary, unknownCodes } = counts
    return { summary, unknownCodes, istanbul, ...(lcov ? { lcov: counts.lcov } : {}) }
  },
})

const resetCoverage = command({
  name: 'dev_resetCoverage',
  summary: 'Sets all counts of the coverage to zero.',
  errors: ['coverageOff'],
  example: { after: [{ method: 'dev_startCoverage', params: [] }], params: [], result: null },
  run: (_, { coverage: counted }: CoveragePart) => counted.reset(),
})

const coverageMethods = [startCoverage, report, resetCoverage] as const

const coverageOptions = inGroup('Output', {
  coverage: declare(
    text.optional(),
    'Folder to write the coverage of the Solidity sources to when the node stops: lcov.info, coverage-final.json (Istanbul) and html/index.html.',
    { defaultDescription: 'no coverage' },
  ),
  coverageExclude: declare(
    textList.default([]),
    'Pattern of sources that coverage leaves out, such as contracts/mocks or *Test.sol; may be repeated. Libraries are always left out.',
    { form: 'list' },
  ),
  coverageBase: declare(
    text.optional(),
    'Folder with the coverage of an earlier run, such as one of the main branch: the table then has the files whose lines are covered more or less. A folder without it changes nothing.',
    { defaultDescription: 'none' },
  ),
  coverageMerge: toggle(
    'Add the coverage to that of an earlier run in the same folder; otherwise it is replaced.',
  ),
})

const loadFiles = lazyPart('files of coverage', () => import('./coverage-files.ts'))

type CoverageScope = Scope<typeof coverageOptions>

export const coverage = {
  name: 'coverage',
  options: coverageOptions,
  files: { coverage: async (folder) => (await loadFiles()).claimCoverageFolder(folder) },
  start: async ({ options, contractCatalog, failed }) => {
    const { coverage: folder, coverageExclude: exclude, coverageMerge: merges, coverageBase: base } = options
    const counting = new Coverage(contractCatalog, { folder, exclude, merges, base }, failed)
    await counting.readEarlier()
    if (folder !== undefined) await counting.start()
    return { coverage: counting }
  },
  methods: coverageMethods,
  monitor: ({ coverage: { monitor } }) => monitor,
  close: async ({ options: { coverage: folder }, host, coverage: counting }, isAbandoned) => {
    if (isAbandoned) return counting.stop()
    await counting.close()
    if (folder)
      await addToJobPage(host.env, async () => (await loadFiles()).coverageText(folder, counting.base))
  },
  closingText: async ({ options: { coverage: folder }, coverage: { base } }, paint) =>
    folder === undefined ? '' : (await loadFiles()).coverageText(folder, base, paint),
  parallel: {
    laterNodes: { coverageMerge: true },
    reportPath: ({ options: { coverage: folder } }) => folder && join(folder, 'coverage'),
    handOver: async ({ coverage: counting }) => JSON.stringify((await counting.report()).istanbul),
    takeOver: ({ coverage: counting }, text) => counting.add(JSON.parse(text)),
  },
} as const satisfies Module<CoverageScope, CoveragePart>
