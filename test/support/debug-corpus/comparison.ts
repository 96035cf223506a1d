/** Compares what the debugger shows with the values that are proven. */

import type { ShownValue, ShownVisit } from './debugged.ts'
import type { Report } from './expected.ts'
import type { Shown } from './shape.ts'

/** Whether a value is right, wrong, or not known. */
type Outcome = 'right' | 'wrong' | 'unknown'

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
    const expectedAt = new Map<string, Report[]>()
    for (const report of reports) {
      const key = `${report.mark} ${report.expression}`
      expectedAt.set(key, [...(expectedAt.get(key) ?? []), report])
    }
    for (const [key, expected] of expectedAt) this.#addAll(key, expected, visits)
    for (const visit of visits) this.#checkScope(visit)
  }

  #addAll(key: string, expected: readonly Report[], visits: readonly ShownVisit[]): void {
    const { mark, expression } = expected[0]!
    const shown = visits.flatMap(({ mark: { id }, values }) => (id === mark ? [values.get(expression)!] : []))
    if (shown.length !== expected.length) this.#compareUnaligned(key, expected, shown)
    else expected.forEach((one, at) => this.#compare(key, one.shown, shown[at]!))
  }

  #compare(key: string, expected: Shown, shown: ShownValue): void {
    const outcome = outcomeOf(expected, shown)
    if (outcome === 'right') this.right++
    else if (outcome === 'unknown') this.#addUnknown(unknownIn(shown)!, key)
    else this.wrong.push(`${key}: ${JSON.stringify(expected)}, but shown is ${JSON.stringify(brief(shown))}`)
  }

  /** Of statements that the debugger visits more or less often, each value must be one of those that the variable had. */
  #compareUnaligned(key: string, expected: readonly Report[], shown: readonly ShownValue[]): void {
    expected.forEach(() => this.#addUnknown(`${shown.length} visits in place of ${expected.length}`, key))
    for (const one of shown)
      if (expected.every((report) => outcomeOf(report.shown, one) === 'wrong'))
        this.wrong.push(`${key}: shown is ${JSON.stringify(brief(one))} at one of ${shown.length} visits`)
  }

  /** Only variables in scope are shown. */
  #checkScope({ mark, locals }: ShownVisit): void {
    if (mark.isYul) return
    const roots = new Set(mark.expressions.map((one) => /^\w+/.exec(one)![0]))
    for (const name of locals) if (!roots.has(name)) this.wrong.push(`${mark.id}: ${name} is not in scope`)
  }
}

function outcomeOf(expected: Shown, shown: ShownValue): Outcome {
  if (shown.unknown !== undefined) return 'unknown'
  if (typeof expected === 'string') return isSame(expected, shown.text) ? 'right' : 'wrong'
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
