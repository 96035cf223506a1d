/** Reads what a test run passes to its workers through the environment: the URLs of its nodes, and their options. */

import { trouble } from '../../base/errors.ts'
import { quotableMember } from '../../base/shown-url.ts'
import { readSwitch } from '../../config/option-values.ts'
import type { OptionsInput } from '../../modules/options.ts'

/** Whether a run opens its explorer and prints the URL. By default nodes serve it silently. */
export const asksForExplorer = (
  { explorer }: Pick<OptionsInput, 'explorer'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean => readSwitch(explorer ?? environment['DEV_NODE_EXPLORER']) === true

export const explorerLine = (urls: readonly string[]): string =>
  `dev-node: the chains of this run and their explorer: ${urls.join(', ')}`

/** Environment variable that workers inherit. */
const STARTED_WITH = 'DEV_NODE_STARTED_WITH'

export function rememberOptions(
  options: OptionsInput | undefined,
  environment: Record<string, string | undefined>,
): void {
  environment[STARTED_WITH] = textOf(options)
}

/** Refuses other options than those of the run: one node serves all projects of a run. @throws NodeError 'invalidOption' */
export function checkOptions(options: unknown, environment: Record<string, string | undefined>): void {
  const [started, asked] = [environment[STARTED_WITH], textOf(options)]
  if (started === undefined || started === asked) return
  throw trouble(
    'DN-SHARE',
    `one node serves all projects of a run, and was started with devNode ${shown(started)}; this project has ${shown(asked)}: give all the same, or run them one at a time with --selectProjects (in Vitest --project)`,
  )
}

/**
 * URL of the node that has a world. The worker's number at the end of the world's id selects the node; without a number it is the
 * first one. Undefined if the environment names no node.
 */
export function nodeOfWorld(
  world: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const urls = environment['DEV_NODE_URLS']?.split(' ') ?? []
  const number = Number(/\d{1,9}$/.exec(world)?.[0] ?? 0)
  // In a test file it names the world of its worker.
  return urls[number % urls.length] ?? environment['DEV_NODE_URL']?.replace(/\/w\/[^/]+$/, '')
}

/** Options as text, the same in any order. */
function textOf(options: unknown): string {
  const known: object = typeof options === 'object' && options !== null ? options : {}
  const members = Object.entries(known).map(([name, value]): [string, string] => [name, String(value)])
  return JSON.stringify(Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** The text without a remote's secrets: the path of its URL and its headers may be keys. */
const shown = (text: string): string => JSON.stringify(JSON.parse(text), quotableMember)
