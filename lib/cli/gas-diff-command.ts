/** Runs `dev-node gas-diff`: compares two gas reports in files. */

import { refuseOption } from '../base/errors.ts'
import { compareReports, comparisonText, readGasReport } from '../modules/gas-report/comparison.ts'
import type { GasReport } from '../modules/gas-report/results.ts'
import { COMMAND_FLAGS, readFlag, refuseExtra, refuseUnknown, type CommandLine } from './command-flags.ts'
import { toJson, type CommandResult } from './io.ts'

const MORE_GAS = 1

/** Runs the command. @throws NodeError 'invalidOption' naming the word, the flag, or the file and the place in it */
export async function runGasDiffCommand({
  words: [before, after, extra],
  flags,
}: CommandLine): Promise<CommandResult> {
  refuseExtra(extra)
  if (before === undefined || after === undefined)
    return refuseOption('DN-MISSING', `gas-diff: expected two files, got ${before ?? 'nothing'}`)
  refuseUnknown(flags, 'gas-diff', COMMAND_FLAGS['gas-diff'])
  const thresholdPercent = readFlag(flags, 'threshold', 'a percentage such as 1%', readPercent) ?? 0
  const changes = compareReports(await readReport(before), await readReport(after))
  const exceeding = changes.filter(({ percent = 0 }) => percent > thresholdPercent).length
  const code = exceeding > 0 ? MORE_GAS : 0
  if (flags['json'] === true) return { text: `${toJson({ thresholdPercent, exceeding, changes })}\n`, code }
  const summary = `Functions whose mean increased by more than ${thresholdPercent}%: ${exceeding}`
  return { text: `${comparisonText(changes)}\n${summary}\n`, code }
}

function readPercent(text: string): number | undefined {
  const digits = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

async function readReport(path: string): Promise<GasReport> {
  const report = await readGasReport(path, 'gas-diff')
  // Two empty reports would be equal and hide that the tests ran on another node.
  if (report.contracts.length === 0)
    return refuseOption(
      'DN-GAS',
      `gas-diff: ${path} has no transactions and no calls: its tests did not run on the node that wrote it`,
    )
  return report
}
