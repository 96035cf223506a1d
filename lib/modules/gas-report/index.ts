/** Gas of transactions and calls by contract and function. @example createNode({ gasReport: 'gas.json' }) writes it when it closes. */

import { join } from 'node:path'
import type { Module, Scope } from '../../kernel/module.ts'
import { gasMethods, type GasPart } from './methods.ts'
import { gasReportOptions } from './options.ts'

type GasScope = Scope<typeof gasReportOptions>

export const gasReport = {
  name: 'gas report',
  options: gasReportOptions,
  files: {
    gasReport: async (path) =>
      (await import('../../insight/gas-report/report-text.ts')).claimReportFile(path),
  },
  start: async ({ options, contractCatalog, network }) => {
    if (options.gasReport === false) return { gasRecorder: undefined }
    const { GasRecorder } = await import('../../insight/gas-report/gas-recorder.ts')
    return { gasRecorder: new GasRecorder(contractCatalog, network.genesis.gasLimit) }
  },
  methods: gasMethods,
  chainOpened: ({ gasRecorder }, { chain, namedContracts }) => gasRecorder?.watch(chain, namedContracts),
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
