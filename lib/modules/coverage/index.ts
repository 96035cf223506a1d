/** Coverage of the Solidity sources. @example createNode({ coverage: 'coverage' }) writes coverage/lcov.info when it closes. */

import { join } from 'node:path'
import { lazyPart } from '../../base/lazy-part.ts'
import { Coverage } from '../../insight/coverage/coverage.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import { coverageMethods, type CoveragePart } from './methods.ts'
import { coverageOptions } from './options.ts'

const loadFiles = lazyPart('files of coverage', () => import('../../insight/coverage/coverage-files.ts'))

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
