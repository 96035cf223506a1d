/** The page of a job in GitHub Actions: a file to which the steps of the job append Markdown. */

import { appendFile } from 'node:fs/promises'
import type { Host } from '../base/host.ts'

export const isGithub = (env: Host['env']): env is NonNullable<Host['env']> =>
  env?.['GITHUB_ACTIONS'] === 'true'

/** Appends to the page. In other runs it does nothing. */
export async function addToJobPage(env: Host['env'], load: () => string | Promise<string>): Promise<void> {
  const page = isGithub(env) ? env['GITHUB_STEP_SUMMARY'] : undefined
  // A container that a step starts by itself does not share the file. The output of the run says the same.
  if (page) await appendFile(page, `${await load()}\n`).catch(() => undefined)
}
