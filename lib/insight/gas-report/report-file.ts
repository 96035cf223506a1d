/** Writes gas reports to files. */

import { realpath, stat, writeFile } from 'node:fs/promises'
import { NodeError } from '../../base/errors.ts'
import { claimFile } from '../../base/file-claim.ts'
import type { OwnFile } from '../../base/file-claim.ts'
import { replaceFile, temporaryPathOf } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { GasReport } from './gas-report.ts'
import { gasReportText } from './report-text.ts'

/**
 * Claims the file of a report for this node; a device or a pipe is not claimed.
 * @throws NodeError 'invalidOption' if its folder cannot be written to, or if another node uses it
 */
export async function claimReportFile(path: string): Promise<OwnFile> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === false) return { findings: [], release: () => Promise.resolve() }
  const target = found === undefined ? path : await realpath(path)
  // The report has nothing of a killed node that could be told.
  const { release } = await claimFile({ path: target, title: `the gas report ${path}` }).catch(fail(path))
  return { findings: [], release }
}

/** Writes a report: as JSON if the name of the file ends in `.json`, else as Markdown. @throws NodeError 'invalidOption' */
export async function writeReportFile(path: string, report: GasReport): Promise<void> {
  const isJson = path.endsWith('.json')
  const text = isJson ? `${JSON.stringify(report, undefined, 2)}\n` : gasReportText(report)
  await write(path, text).catch(fail(path))
}

/** Replaces a file in one step, behind a link too. A device or a pipe is written to. */
async function write(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === false) return writeFile(path, text)
  const target = found === undefined ? path : await realpath(path)
  await replaceFile({ path: target, temporaryPath: temporaryPathOf(target), mode: found?.mode }, text)
}

const fail = (path: string) => (cause: unknown) => {
  if (cause instanceof NodeError) throw cause
  throw new NodeError('invalidOption', `--gas-report: cannot write ${path}: ${reasonOf(cause)}`, { cause })
}
