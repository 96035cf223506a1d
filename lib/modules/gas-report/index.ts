/** Gas of transactions and calls by contract and function. @example createNode({ gasReport: 'gas.json' }) writes it when it closes. */

import { join } from 'node:path'
import { declare, inGroup } from '../../config/option-description.ts'
import { reportFile } from '../../config/option-values.ts'
import type { Module, Scope } from '../../kernel/module.ts'
import { gasMethods, type GasPart } from './methods.ts'

const gasReportOptions = inGroup('Output', {
  gasReport: declare(
    reportFile.default(false),
    'Record the gas of transactions and calls by contract and function; when the node stops, print the report, or write it to a file, as JSON if the name ends in .json.',
    { form: 'maybe-value' },
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
    return { gasRecorder: new GasRecorder(contractCatalog, network.genesis.gasLimit) }
  },
  methods: gasMethods,
  openChain: ({ gasRecorder }, { chain, namedContracts }) => {
    gasRecorder?.watch(chain, namedContracts)
    return {}
  },
  callEnded: ({ gasRecorder }, { request, outcome, ...place }) =>
    gasRecorder?.addCall(request, outcome, place),
  close: async ({ options, gasRecorder }, isAbandoned) => {
    if (!isAbandoned && typeof options.gasReport === 'string')
      await gasRecorder?.writeReport(options.gasReport)
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
