/** Says in a few lines why an execution failed. */

import { withNames } from '../../base/named-text.ts'
import { placeTexts, shown } from '../../config/request-log.ts'
import type { ExplanationResult } from '../../schema/explanation-results.ts'

/** Functions of a stack that are shown. */
const MAX_FUNCTIONS = 4

/** The reason, and the functions with the line at which each was. */
export function failureLines({
  reason,
  status,
  stack = [],
  names = {},
}: ExplanationResult): readonly [string, ...string[]] {
  const places = stack.slice(0, MAX_FUNCTIONS).flatMap((place) => {
    const { who, where } = placeTexts(place)
    const excerpt = place.excerpt === undefined ? [] : [`    ${shown(place.excerpt)}`]
    return [`  in ${who}${where === '' ? '' : ` (${where})`}`, ...excerpt]
  })
  const named = (line: string): string => withNames(line, names)
  return [named(shown(reason?.message ?? status)), ...places.map(named)]
}
