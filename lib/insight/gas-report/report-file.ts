/** Writes gas reports to files. */

import { realpath, stat, writeFile } from 'node:fs/promises'
import { NodeError } from '../../base/errors.ts'
import { claimFile } from '../../base/file-claim.ts'
import type { OwnFile } from '../../base/file-claim.ts'
import { replaceFile, temporaryPathOf } from '../../base/replace-file.ts'
import type { FileReplacement } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { GasReport } from '../../schema/gas-results.ts'
import { gasReportText } from './report-text.ts'

/**
 * Claims the file of a report for this node; a device or a pipe is not claimed.
 * @throws NodeError 'invalidOption' if its folder cannot be written to, or if another node uses it
 */
export async function claimReportFile(path: string): Promise<OwnFile> {
  const target = await targetOf(path)
  if (target === undefined) return { findings: [], release: () => Promise.resolve() }
  // The report has no leftovers of a killed node.
  const { release } = await claimFile({ path: target.path, title: `the gas report ${path}` }).catch(
    fail(path),
  )
  return { findings: [], release }
}

/** Writes a report: as JSON if the name of the file ends in `.json`, else as Markdown. @throws NodeError 'invalidOption' */
export async function writeReportFile(path: string, report: GasReport, gasLimit: bigint): Promise<void> {
  const isJson = path.endsWith('.json')
  const text = isJson ? `${JSON.stringify(report, undefined, 2)}\n` : gasReportText(report, gasLimit)
  const target = await targetOf(path)
  const written =
    target === undefined
      ? writeFile(path, text)
      : replaceFile({ ...target, temporaryPath: temporaryPathOf(target.path) }, text)
  await written.catch(fail(path))
}

/** The file to replace, behind a link too; undefined for a device or a pipe. */
async function targetOf(path: string): Promise<Omit<FileReplacement, 'temporaryPath'> | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return { path }
  return found.isFile() ? { path: await realpath(path), mode: found.mode } : undefined
}

const fail = (path: string) => (cause: unknown) => {
  if (cause instanceof NodeError) throw cause
  throw new NodeError('invalidOption', `--gas-report: cannot write ${path}: ${reasonOf(cause)}`, { cause })
}
