/** Gas of transactions and calls by contract and function. @example createNode({ gasReport: 'gas.json' }) writes it when it closes. */

import { join } from 'node:path'
import { declare, inGroup } from '../../config/option-description.ts'
import { reportFile } from '../../config/option-values.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import * as z from 'zod'
import type { GasRecorder } from './gas-recorder.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { addToJobPage } from '../../node/job-page.ts'
import { text } from '../../config/values.ts'
import { flag, text as textResult } from '../../schema/results.ts'
import { oneOf, optionalWith } from '../../schema/wire.ts'
import { gasReportObject } from './results.ts'

/** What the gas report adds to the node; undefined without the option. */
export interface GasPart {
  readonly gasRecorder: GasRecorder | undefined
}

const format = oneOf(['json', 'markdown'])

const report = readMethod({
  name: 'dev_gasReport',
  summary: 'Gas of transactions and calls of all worlds by contract and function; null without --gas-report.',
  params: [param('format', optionalWith(format, 'json'), 'json, or markdown for a text.')],
  result: z.union([gasReportObject, textResult]).nullable(),
  example: { params: [], result: null },
  run: async ({ format: wanted }, { gasRecorder }: GasPart) => {
    if (gasRecorder === undefined) return null
    return wanted === 'markdown' ? gasRecorder.reportText() : gasRecorder.report()
  },
})

const reset = writeMethod({
  name: 'dev_resetGasReport',
  summary: 'Begins the gas report anew; false without --gas-report.',
  result: flag,
  example: { params: [], result: false },
  run: (_, { gasRecorder }: GasPart) => {
    gasRecorder?.reset()
    return gasRecorder !== undefined
  },
})

const gasMethods = [report, reset] as const

const gasReportOptions = inGroup('Output', {
  gasReport: declare(
    reportFile.default(false),
    'Record the gas of transactions and calls by contract and function; when the node stops, print the report, or write it to a file, as JSON if the name ends in .json.',
    { form: 'maybe-value' },
  ),
  gasBase: declare(
    text.optional(),
    'Gas report in JSON of an earlier run, such as one of the main branch: reports as text then begin with what has changed. A file that does not exist changes nothing.',
    { defaultDescription: 'none' },
  ),
})

type GasScope = Scope<typeof gasReportOptions>

export const gasReport = {
  name: 'gas report',
  options: gasReportOptions,
  files: {
    gasReport: async (path) => (await import('./report-text.ts')).claimReportFile(path),
  },
  start: async ({ options, contractCatalog, network }) => {
    if (options.gasReport === false) return { gasRecorder: undefined }
    const { GasRecorder } = await import('./gas-recorder.ts')
    const base = await (await import('./comparison.ts')).readBase(options.gasBase)
    return { gasRecorder: new GasRecorder(contractCatalog, network.genesis.gasLimit, base) }
  },
  methods: gasMethods,
  openChain: ({ gasRecorder }, { chain, namedContracts }) => {
    gasRecorder?.watch(chain, namedContracts)
    return {}
  },
  callEnded: ({ gasRecorder }, { request, outcome, ...place }) =>
    gasRecorder?.addCall(request, outcome, place),
  close: async ({ options, host, gasRecorder }, isAbandoned) => {
    if (isAbandoned || gasRecorder === undefined) return
    if (typeof options.gasReport === 'string') await gasRecorder.writeReport(options.gasReport)
    await addToJobPage(host.env, () => gasRecorder.reportText())
  },
  closingText: async ({ options, gasRecorder }) => {
    if (typeof options.gasReport === 'string') return `Gas report: ${options.gasReport}\n`
    return (await gasRecorder?.reportText()) ?? ''
  },
  closingEvent: async ({ options, gasRecorder }) =>
    options.gasReport === true && gasRecorder ? ['gasReport', await gasRecorder.report()] : undefined,
  parallel: {
    reportPath: ({ options }) =>
      options.gasReport === true
        ? join(...options.artifacts.slice(0, 1), 'gas-report')
        : options.gasReport || undefined,
    handOver: async ({ gasRecorder }) => gasRecorder?.json(),
    takeOver: ({ gasRecorder }, text) => gasRecorder?.add(text),
  },
} as const satisfies Module<GasScope, GasPart>
