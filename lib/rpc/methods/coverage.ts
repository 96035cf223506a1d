/** Methods of the coverage, which counts the executions of all chains of the node. */

import * as z from 'zod'
import { coverageObject } from '../../schema/coverage-results.ts'
import { optional } from '../../schema/wire.ts'
import { command } from '../control.ts'
import { method, param } from '../method.ts'

const EXPECTED = 'expected {lcov, write}'

const outputs = z.strictObject(
  {
    lcov: z.boolean({ error: 'expected a boolean' }).optional(),
    write: z.boolean({ error: 'expected a boolean' }).optional(),
  },
  { error: EXPECTED },
)

export const startCoverage = command({
  name: 'dev_startCoverage',
  summary: 'Counts the executions of all chains of the node from now on. Counts that exist stay.',
  example: { params: [], result: null },
  run: (_args, { coverage }) => coverage.start(),
})

export const coverage = method({
  name: 'dev_coverage',
  summary:
    'How often the Solidity sources of the artifacts were executed on all chains of the node: shares by file, and counts in the format of Istanbul.',
  params: [
    param(
      'outputs',
      optional(outputs),
      'lcov: return the text of an lcov.info too; write: write the files of the option coverage now.',
    ),
  ],
  result: coverageObject,
  errors: ['coverageOff', 'coverageFailed'],
  example: { params: [], refusal: 'coverageOff' },
  run: async ({ outputs: { lcov = false, write = false } = {} }, { coverage: counted }) => {
    const report = await counted.report()
    if (write) await counted.write()
    const { istanbul, summary, unknownCodes } = report
    return { summary, unknownCodes, istanbul, ...(lcov ? { lcov: report.lcov } : {}) }
  },
})

export const resetCoverage = command({
  name: 'dev_resetCoverage',
  summary: 'Sets all counts of the coverage to zero.',
  errors: ['coverageOff'],
  example: { after: [{ method: 'dev_startCoverage', params: [] }], params: [], result: null },
  run: (_args, { coverage: counted }) => counted.reset(),
})
