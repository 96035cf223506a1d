/** The page of a job in GitHub Actions: a file to which the steps of the job append Markdown. */

import { appendFile } from 'node:fs/promises'
import type { Host } from '../base/host.ts'

/** Whether this is a run of GitHub Actions. */
export const isGithub = ({ env }: Pick<Host, 'env'>): boolean => env?.['GITHUB_ACTIONS'] === 'true'

/** Appends to the page. In other runs it does nothing. */
export async function addToJobPage(
  host: Pick<Host, 'env'>,
  loadMarkdown: () => string | Promise<string>,
): Promise<void> {
  const page = host.env?.['GITHUB_STEP_SUMMARY']
  if (!isGithub(host) || !page) return
  const markdown = await loadMarkdown()
  // A container that a step starts by itself does not share the file. The output of the run says the same.
  if (markdown !== '') await appendFile(page, `${markdown}\n`).catch(() => undefined)
}
