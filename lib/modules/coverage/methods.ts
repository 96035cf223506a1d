/** The methods of coverage. */

import * as z from 'zod'
import type { Coverage } from './coverage.ts'
import { command } from '../../kernel/control.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { optional } from '../../schema/wire.ts'
import { coverageObject } from './results.ts'

/** What coverage adds to the node. */
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

const coverage = readMethod({
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
    const report = await counted.report()
    if (write) await counted.write()
    const { istanbul, summary, unknownCodes } = report
    return { summary, unknownCodes, istanbul, ...(lcov ? { lcov: report.lcov } : {}) }
  },
})

const resetCoverage = command({
  name: 'dev_resetCoverage',
  summary: 'Sets all counts of the coverage to zero.',
  errors: ['coverageOff'],
  example: { after: [{ method: 'dev_startCoverage', params: [] }], params: [], result: null },
  run: (_, { coverage: counted }: CoveragePart) => counted.reset(),
})

export const coverageMethods = [startCoverage, coverage, resetCoverage] as const
