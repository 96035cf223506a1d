/** Assigns recorded differences to the rows of the table of differences. */

import type { Place, Row } from '../../../../scripts/reference-differences.ts'
import type { Difference } from './replay.ts'

/** The differences of a mode that no row explains, and the rows that explain one. */
export interface Verdict {
  readonly unexplained: readonly Difference[]
  readonly used: ReadonlySet<Row>
}

/** Finds the row of each difference: the first that fits. */
export function explain(differences: readonly Difference[], rows: readonly Row[]): Verdict {
  const used = new Set<Row>()
  const unexplained: Difference[] = []
  for (const difference of differences) {
    const row = rows.find(({ where }) => where.some((place) => fits(difference, place)))
    if (row === undefined) unexplained.push(difference)
    else used.add(row)
  }
  return { unexplained, used }
}

function fits({ method, path, recorded, own }: Difference, place: Place): boolean {
  const { methods } = place
  if (methods instanceof RegExp ? !methods.test(method) : methods?.includes(method) === false) return false
  if (place.path?.test(path) === false) return false
  return place.recorded?.test(textOf(recorded)) !== false && place.own?.test(textOf(own)) !== false
}

/** A value as rows describe it: JSON, or `absent`. */
const textOf = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value))

const SHOWN = 300

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text)

/** A difference as the failing test prints it. */
export function describeDifference({
  session,
  step,
  method,
  path,
  request,
  recorded,
  own,
}: Difference): string {
  return [
    `${session}, step ${step}: ${method}${path === '' ? '' : `, ${path}`}`,
    `  request   ${shortened(JSON.stringify(request.params ?? request.raw ?? []))}`,
    `  reference ${shortened(textOf(recorded))}`,
    `  dev-node  ${shortened(textOf(own))}`,
  ].join('\n')
}
