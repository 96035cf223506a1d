/** The methods of the gas report. */

import * as z from 'zod'
import type { GasRecorder } from './gas-recorder.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { flag, text } from '../../schema/results.ts'
import { oneOf, optionalWith } from '../../schema/wire.ts'
import { gasReportObject } from './results.ts'

/** What the gas report adds to the node; undefined without the option. */
export interface GasPart {
  readonly gasRecorder: GasRecorder | undefined
}

const format = oneOf(['json', 'markdown'])

const gasReport = readMethod({
  name: 'dev_gasReport',
  summary: 'Gas of transactions and calls of all worlds by contract and function; null without --gas-report.',
  params: [param('format', optionalWith(format, 'json'), 'json, or markdown for a text.')],
  result: z.union([gasReportObject, text]).nullable(),
  example: { params: [], result: null },
  run: async ({ format: wanted }, { gasRecorder }: GasPart) => {
    if (gasRecorder === undefined) return null
    return wanted === 'markdown' ? gasRecorder.reportText() : gasRecorder.report()
  },
})

const resetGasReport = writeMethod({
  name: 'dev_resetGasReport',
  summary: 'Begins the gas report anew; false without --gas-report.',
  result: flag,
  example: { params: [], result: false },
  run: (_, { gasRecorder }: GasPart) => {
    gasRecorder?.reset()
    return gasRecorder !== undefined
  },
})

export const gasMethods = [gasReport, resetGasReport] as const
