import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { GasTally } from '../../../lib/modules/gas-report/gas-tally.ts'

const tallyOf = (amounts: readonly number[]): GasTally => {
  const tally = new GasTally()
  for (const gas of amounts) tally.add(gas)
  return tally
}

/** The figures from the sorted list. */
function figuresOf(amounts: readonly number[]) {
  const sorted = amounts.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [lower, upper] = [sorted[Math.ceil(middle) - 1]!, sorted[Math.floor(middle)]!]
  return {
    count: sorted.length,
    least: sorted[0],
    mean: Math.round(sorted.reduce((sum, gas) => sum + gas, 0) / sorted.length),
    median: Math.round((lower + upper) / 2),
    most: sorted.at(-1),
  }
}

describe('a tally of gas', () => {
  test('has no figures without amounts', () => {
    expect(new GasTally().figures).toBeUndefined()
  })

  test('has the figures of the sorted amounts, also when two are merged', () => {
    const amounts = fc.array(fc.integer({ min: 21_000, max: 21_050 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        const merged = tallyOf(one)
        merged.merge(tallyOf(other))
        merged.merge(new GasTally())
        expect(tallyOf(one).figures).toEqual(figuresOf(one))
        expect(merged.figures).toEqual(figuresOf([...one, ...other]))
      }),
    )
  })

  test('keeps the median of 100,000 different amounts exact to a thousandth', () => {
    const amounts = Array.from({ length: 100_000 }, (_, index) => 21_000 + ((index * 7919) % 100_000))
    const { median, ...rest } = tallyOf(amounts).figures!
    const { median: exact, ...expected } = figuresOf(amounts)
    expect(rest).toEqual(expected)
    expect(Math.abs(median - exact) / exact).toBeLessThan(0.001)
  })
})
