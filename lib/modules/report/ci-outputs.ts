/** Writes failed tests in the formats of continuous integration (CI): Markdown, JUnit XML, and annotations for GitHub Actions. */

import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { refuseOption } from '../../base/errors.ts'
import type { Host } from '../../base/host.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { addToJobPage, isGithub } from '../../node/job-page.ts'
import { annotations } from './ci-annotations.ts'
import { junitXml } from './ci-junit.ts'
import { markdownSummary } from './ci-summary.ts'
import { ciTest } from './failure-text.ts'
import type { ReportedTest } from './report-file.ts'

/**
 * Writes the files that have a path. Returns what GitHub Actions reads in the run's output; empty elsewhere. `report` is the path
 * of the file of failures. `earlier` is the number of tests, at the beginning, that other nodes of the run have reported. @throws
 * NodeError 'invalidOption'
 */
export async function writeCiOutputs(
  paths: Readonly<Partial<Record<'summary' | 'junit' | 'report', string | undefined>>>,
  { env }: Pick<Host, 'env'>,
  all: readonly ReportedTest[],
  earlier = 0,
): Promise<string> {
  const reportFile = paths.report && basename(paths.report)
  const tests = all.map((test) => ciTest(test, reportFile))
  await writeText('--summary', paths.summary, markdownSummary(tests, reportFile))
  await writeText('--junit', paths.junit, junitXml(tests))
  const own = tests.slice(earlier)
  await addToJobPage(env, () => markdownSummary(own, reportFile))
  return isGithub(env) ? annotations(own, env['GITHUB_WORKSPACE']) : ''
}

async function writeText(flag: string, path: string | undefined, text: string): Promise<void> {
  if (path === undefined) return
  const made = mkdir(dirname(path), { recursive: true })
  await made
    .then(() => replaceFile({ path }, text))
    .catch((cause: unknown) =>
      refuseOption('DN-WRITE', `${flag}: cannot write ${path}: ${reasonOf(cause)}`, cause),
    )
}
