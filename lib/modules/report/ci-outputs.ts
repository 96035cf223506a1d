/** Writes what services of continuous integration (CI) read of failed tests: Markdown, XML of JUnit, and annotations of GitHub Actions. */

import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { refuseOption } from '../../base/errors.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { addToJobPage, isGithub } from '../../node/job-page.ts'
import { annotations } from './ci-annotations.ts'
import { junitXml } from './ci-junit.ts'
import { markdownSummary } from './ci-summary.ts'
import { ciTests } from './ci-test.ts'
import type { ReportedTest } from './report-file.ts'

/** The variables of the environment that are read. */
type Environment = Readonly<Record<string, string | undefined>>

/** Where the outputs go. */
export interface CiTargets {
  readonly summary: string | undefined
  readonly junit: string | undefined
  /** Path of the file of failures, if there is one. */
  readonly report: string | undefined
  readonly env: Environment
}

/** Writes the files. `all`: the tests of all nodes of the run; `own`: those of this node. @throws NodeError 'invalidOption' */
export async function writeCiFiles(
  { summary, junit, report, env }: CiTargets,
  all: readonly ReportedTest[],
  own: readonly ReportedTest[],
): Promise<void> {
  const reportFile = report && basename(report)
  if (summary !== undefined)
    await writeText('--summary', summary, markdownSummary(ciTests(all, reportFile), reportFile))
  if (junit !== undefined) await writeText('--junit', junit, junitXml(ciTests(all, reportFile)))
  await addToJobPage({ env }, () => markdownSummary(ciTests(own, reportFile), reportFile))
}

/** What GitHub Actions reads in the output of the run; empty elsewhere. */
export const ciAnnotations = ({ env, report }: CiTargets, own: readonly ReportedTest[]): string =>
  isGithub({ env }) ? annotations(ciTests(own, report && basename(report)), env['GITHUB_WORKSPACE']) : ''

async function writeText(flag: string, path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile({ path }, text)
  } catch (cause) {
    refuseOption(`${flag}: cannot write ${path}: ${reasonOf(cause)}`, cause)
  }
}
