/** Methods that report gas: of all executions by contract and function, of one by line and call path. */

import * as z from 'zod'
import { gasProfileObject, gasReportObject } from '../../schema/gas-results.ts'
import { optionalWith, hash } from '../../schema/wire.ts'
import { flag, text } from '../../schema/results.ts'
import { method, param } from '../method.ts'
import { SENT } from './examples.ts'

const format = z.enum(['json', 'markdown'], { error: 'expected one of json, markdown' })

export const gasReport = method({
  name: 'dev_gasReport',
  summary:
    'Gas of the transactions and calls of all worlds by contract and function: number, least, mean, median, most; null without --gas-report.',
  params: [param('format', optionalWith(format, 'json'), 'json, or markdown for a text.')],
  result: z.union([gasReportObject, text]).nullable(),
  example: { params: [], result: null },
  run: async ({ format: wanted }, { gasRecorder }) => {
    if (gasRecorder === undefined) return null
    return wanted === 'markdown' ? gasRecorder.reportText() : gasRecorder.report()
  },
})

export const resetGasReport = method({
  name: 'dev_resetGasReport',
  summary: 'Begins the gas report anew; false without --gas-report.',
  result: flag,
  access: 'write',
  example: { params: [], result: false },
  run: (_, { gasRecorder }) => {
    gasRecorder?.reset()
    return gasRecorder !== undefined
  },
})

export const profile = method({
  name: 'dev_profile',
  summary:
    'Gas of a mined transaction by line of the sources, and by call path in the form that flame graphs read; null if it is unknown.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: gasProfileObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: async ({ hash: wanted }, { chain, loadGasProfiler }) => {
    const mined = chain.receipt(wanted)
    if (mined === undefined) return null
    return (await loadGasProfiler()).transaction(mined.entry, mined.receipt)
  },
})
