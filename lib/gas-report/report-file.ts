/** Writes gas reports to files. */

import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { reasonOf } from '../base/system-errors.ts'
import type { GasReport } from './gas-report.ts'
import { gasReportText } from './report-text.ts'

/** Checks that the folder of a report can be written to. @throws NodeError 'invalidOption' */
export async function checkReportFile(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch(fail(path))
}

/** Writes a report: as JSON if the name of the file ends in `.json`, else as Markdown. @throws NodeError 'invalidOption' */
export async function writeReportFile(path: string, report: GasReport): Promise<void> {
  const isJson = path.endsWith('.json')
  const text = isJson ? `${JSON.stringify(report, undefined, 2)}\n` : gasReportText(report)
  await writeFile(path, text).catch(fail(path))
}

const fail = (path: string) => (cause: unknown) => {
  throw new NodeError('invalidOption', `--gas-report: cannot write ${path}: ${reasonOf(cause)}`, { cause })
}
