/** The page of a GitHub Actions job: a file to which its steps append Markdown. */

import { appendFile } from 'node:fs/promises'
import type { Host } from '../base/host.ts'

export const isGithub = (env: Host['env']): env is NonNullable<Host['env']> =>
  env?.['GITHUB_ACTIONS'] === 'true'

/** Appends to the page. Outside of GitHub Actions it does nothing. */
export async function addToJobPage(env: Host['env'], load: () => string | Promise<string>): Promise<void> {
  const page = isGithub(env) ? env['GITHUB_STEP_SUMMARY'] : undefined
  // A container that a step starts itself does not share the file. The run's output says the same.
  if (page) await appendFile(page, `${await load()}\n`).catch(() => undefined)
}
