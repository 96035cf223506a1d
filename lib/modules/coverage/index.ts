/** Coverage of the Solidity sources. @example createNode({ coverage: 'coverage' }) writes coverage/lcov.info when it closes. */

import { join } from 'node:path'
import { lazyPart } from '../../base/lazy-part.ts'
import { Coverage } from './coverage.ts'
import { declare, inGroup, toggle } from '../../config/option-description.ts'
import { textList } from '../../config/option-values.ts'
import { text } from '../../config/values.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import { coverageMethods, type CoveragePart } from './methods.ts'

const coverageOptions = inGroup('Output', {
  coverage: declare(
    text.optional(),
    'Folder to write the coverage of the Solidity sources to when the node stops: lcov.info, coverage-final.json (Istanbul) and html/index.html.',
    { defaultDescription: 'no coverage' },
  ),
  coverageExclude: declare(
    textList.default([]),
    'Pattern of sources that coverage leaves out, such as contracts/mocks or *Test.sol; may be repeated. Libraries are left out without it.',
    { form: 'list' },
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
    const { coverage: folder, coverageExclude: exclude, coverageMerge: merges } = options
    const counting = new Coverage(contractCatalog, { folder, exclude, merges }, failed)
    await counting.readEarlier()
    if (folder !== undefined) await counting.start()
    return { coverage: counting }
  },
  methods: coverageMethods,
  monitor: ({ coverage: { monitor } }) => monitor,
  close: ({ coverage: counting }, isAbandoned) => (isAbandoned ? counting.stop() : counting.close()),
  closingText: async ({ options: { coverage: folder } }, paint) =>
    folder === undefined ? '' : (await loadFiles()).coverageText(folder, paint),
  parallel: {
    laterNodes: { coverageMerge: true },
    reportPath: ({ options: { coverage: folder } }) => folder && join(folder, 'coverage'),
    handOver: async ({ coverage: counting }) => JSON.stringify((await counting.report()).istanbul),
    takeOver: ({ coverage: counting }, text) => counting.add(JSON.parse(text)),
  },
} as const satisfies Module<CoverageScope, CoveragePart>
