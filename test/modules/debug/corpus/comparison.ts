/** Compares what the debugger shows with the values that are proven. */

import { aligned } from './alignment.ts'
import type { ShownValue, ShownVisit } from './debugged.ts'
import type { Report } from './expected.ts'
import type { Shown } from './shape.ts'

/** Whether a value is right, wrong, or not known. */
type Outcome = 'right' | 'wrong' | 'unknown'

/** A visit of a marked statement by the twin. */
interface ExpectedVisit {
  readonly mark: string
  /** By the expressions. */
  readonly values: ReadonlyMap<string, Shown>
}

/** The visits that made reports: a report of a name that the visit has begins another visit. */
function expectedVisits(reports: readonly Report[]): readonly ExpectedVisit[] {
  const visits: { mark: string; values: Map<string, Shown> }[] = []
  for (const { mark, expression, shown } of reports) {
    const last = visits.at(-1)
    if (last?.mark === mark && !last.values.has(expression)) last.values.set(expression, shown)
    else visits.push({ mark, values: new Map([[expression, shown]]) })
  }
  return visits
}

/** The values of marks, counted. */
export class Tally {
  right = 0
  unknown = 0
  /** Marks and expressions whose values are unknown, by the reason. */
  readonly reasons = new Map<string, string[]>()
  /** Sentences about what is wrong. */
  readonly wrong: string[] = []

  /** Share of the values that are known. */
  get share(): number {
    return this.right / (this.right + this.unknown + this.wrong.length)
  }

  #addUnknown(reason: string, key: string): void {
    this.unknown++
    this.reasons.set(reason, [...(this.reasons.get(reason) ?? []), key])
  }

  /** Compares the visits of one transaction. */
  add(reports: readonly Report[], visits: readonly ShownVisit[]): void {
    const expected = expectedVisits(reports)
    const at = aligned(
      expected.map(({ mark }) => mark),
      visits.map(({ mark }) => mark.id),
    )
    for (const mark of new Set(expected.map((one) => one.mark))) {
      const ours = expected.filter((one) => one.mark === mark)
      const shown = visits.filter((visit) => visit.mark.id === mark)
      if (ours.length === shown.length) ours.forEach((one, index) => this.#compareVisit(one, shown[index]!))
      else this.#compareUnequal(ours, shown, (one) => visits[at[expected.indexOf(one)] ?? -1])
    }
    for (const visit of visits) this.#checkScope(visit)
  }

  #compareVisit({ mark, values }: ExpectedVisit, visit: ShownVisit): void {
    for (const [name, value] of values) this.#compare(`${mark} ${name}`, value, visit.values.get(name)!)
  }

  /** Of statements that the debugger visits more or less often, each value must be one of those that the variable had. */
  #compareUnequal(
    expected: readonly ExpectedVisit[],
    shown: readonly ShownVisit[],
    visitOf: (one: ExpectedVisit) => ShownVisit | undefined,
  ): void {
    for (const visit of shown)
      for (const [name, value] of visit.values)
        if (expected.every((one) => outcomeOf(one.values.get(name)!, value) === 'wrong'))
          this.#addWrong(`${visit.mark.id} ${name}`, 'none of its values', value)
    const counts = `${shown.length} visits in place of ${expected.length}`
    for (const one of expected)
      for (const [name, value] of one.values) {
        const found = visitOf(one)?.values.get(name)
        if (found !== undefined && outcomeOf(value, found) === 'right') this.right++
        else this.#addUnknown(found?.unknown ?? counts, `${one.mark} ${name}`)
      }
  }

  #compare(key: string, expected: Shown, shown: ShownValue): void {
    const outcome = outcomeOf(expected, shown)
    if (outcome === 'right') this.right++
    else if (outcome === 'unknown') this.#addUnknown(unknownIn(shown)!, key)
    else this.#addWrong(key, expected, shown)
  }

  #addWrong(key: string, expected: Shown, shown: ShownValue): void {
    this.wrong.push(`${key}: ${JSON.stringify(expected)} expected, ${JSON.stringify(brief(shown))} shown`)
  }

  /** Only variables in scope are shown. */
  #checkScope({ mark, locals }: ShownVisit): void {
    if (mark.isYul) return
    const roots = new Set(mark.expressions.map((one) => /^\w+/.exec(one)![0]))
    // The names of returned values have several words.
    for (const name of locals.filter((one) => /^\w+$/.test(one)))
      if (!roots.has(name)) this.wrong.push(`${mark.id}: ${name} is not in scope`)
  }
}

function outcomeOf(expected: Shown, shown: ShownValue): Outcome {
  if (shown.unknown !== undefined) return 'unknown'
  if (typeof expected === 'string') return isSame(expected, shown.text) ? 'right' : 'wrong'
  // Of an expression, the parts are in the text alone.
  if (shown.parts.length === 0 && shown.text === `[${expected.map(([, value]) => value).join(', ')}]`)
    return 'right'
  if (expected.length !== shown.parts.length) return 'wrong'
  const outcomes = expected.map(([name, value], at) => {
    const part = shown.parts[at]!
    return part.name === name ? outcomeOf(value, part) : 'wrong'
  })
  if (outcomes.includes('wrong')) return 'wrong'
  return outcomes.includes('unknown') ? 'unknown' : 'right'
}

/** Why a value or a part is unknown. */
function unknownIn({ unknown, parts }: ShownValue): string | undefined {
  return unknown ?? parts.map(unknownIn).find((reason) => reason !== undefined)
}

/** The name of an internal function may have that of its contract before it; variables of assembly are words. */
const isSame = (expected: string, text: string): boolean =>
  text === expected ||
  text.endsWith(`.${expected}`) ||
  (/^0x[\da-f]{64}$/.test(text) && /^\d+$/.test(expected) && BigInt(text) === BigInt(expected)) ||
  (/0x[\da-f]{40}/i.test(expected) && text.toLowerCase() === expected.toLowerCase())

const brief = ({ text, parts }: ShownValue): unknown =>
  parts.length === 0 ? text : parts.map((part) => [part.name, brief(part)])
