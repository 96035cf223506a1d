/** For which options the node of a run was started, told to its workers. */

import type { OptionsInput } from '../config/options.ts'

/** Variable of the environment that workers inherit. */
const STARTED_WITH = 'DEV_NODE_STARTED_WITH'

/** Leaves word for the workers that are started from now on. */
export function rememberOptions(
  options: OptionsInput | undefined,
  environment: Record<string, string | undefined>,
): void {
  environment[STARTED_WITH] = textOf(options)
}

/**
 * Refuses a test file whose project asks for another node: Jest hands the setup one of its projects, whichever comes first.
 * @throws Error
 */
export function checkOptions(options: unknown, environment: Record<string, string | undefined>): void {
  const [started, asked] = [environment[STARTED_WITH], textOf(options)]
  if (started === undefined || started === asked) return
  throw new Error(
    `one node serves all projects of a run, and was started with devNode ${started}; this project has ${asked}: give all the same, or run them one at a time with --selectProjects`,
  )
}

/** The same for the same options, in whatever order they are written. */
function textOf(options: unknown): string {
  const known: object = typeof options === 'object' && options !== null ? options : {}
  const members = Object.entries(known).map(([name, value]): [string, string] => [name, String(value)])
  return JSON.stringify(Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1))))
}
