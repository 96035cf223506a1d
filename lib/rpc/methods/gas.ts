/** Methods that report gas by contract and function. */

import * as z from 'zod'
import { choice } from '../../config/values.ts'
import { gasReportObject } from '../../schema/gas-results.ts'
import { optionalWith } from '../../schema/optional.ts'
import { flag, text } from '../../schema/results.ts'
import { method, param } from '../method.ts'

const gasReport = method({
  name: '{module}_gasReport',
  summary:
    'Gas of the transactions and calls of all worlds by contract and function: number, least, mean, median, most; null without --gas-report.',
  params: [
    param('format', optionalWith(choice(['json', 'markdown']), 'json'), 'json, or markdown for a text.'),
  ],
  result: z.union([gasReportObject, text]).nullable(),
  access: 'read',
  example: { params: [], result: null },
  run: async ({ format }, { gasRecorder }) => {
    if (gasRecorder === undefined) return null
    return format === 'markdown' ? gasRecorder.reportText() : gasRecorder.report()
  },
})

const resetGasReport = method({
  name: '{module}_resetGasReport',
  summary: 'Begins the gas report anew; false without --gas-report.',
  params: [],
  result: flag,
  access: 'write',
  example: { params: [], result: false },
  run: (_, { gasRecorder }) => {
    gasRecorder?.reset()
    return gasRecorder !== undefined
  },
})

export const gasMethods = [gasReport, resetGasReport]
