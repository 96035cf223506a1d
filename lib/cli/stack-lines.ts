/** A Solidity stack as lines, in the form of JavaScript's stacks, with the line of the source below each entry. */

import type { ChalkInstance } from 'chalk'
import { placeTexts, shown } from '../config/console-lines.ts'
import type { LoggedFunction, LoggedStack } from '../config/request-log.ts'

/** The lines of a stack. */
export const stackLines = (stack: LoggedStack, paint: ChalkInstance): readonly string[] =>
  stack.flatMap((entry) => [
    placeLine(entry, paint),
    ...(entry.excerpt === undefined ? [] : [paint.dim(`     ${shown(entry.excerpt)}`)]),
  ])

/** The function and its place in the source. */
function placeLine(entry: LoggedFunction, paint: ChalkInstance): string {
  const { who, where } = placeTexts(entry)
  return `  at ${paint.bold(shown(who))}${where === '' ? '' : shown(` (${where})`)}`
}
