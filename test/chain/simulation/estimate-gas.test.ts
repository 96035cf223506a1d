import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { NodeError } from '../../../lib/base/errors.ts'
import { runAtOnce, type Routine } from '../../../lib/base/routine.ts'
import type { Outcome } from '../../../lib/evm/outcome.ts'
import { estimateGas } from '../../../lib/chain/simulation/simulator.ts'

/** An execution that requires an amount of gas, and then uses less. */
function needing(threshold: bigint, used: bigint) {
  const runs: bigint[] = []
  const run = function* (gas: bigint): Routine<Outcome> {
    runs.push(gas)
    const status = gas >= threshold ? 'success' : 'failed'
    return { status, gasNeeded: used } as Outcome
  }
  return { run, runs }
}

const minimumGas = (...args: Parameters<typeof estimateGas>) => runAtOnce(estimateGas(...args))

describe('minimum gas', () => {
  test('is the threshold', () => {
    const amounts = fc.tuple(
      fc.bigInt(21_000n, 10_000_000n),
      fc.bigInt(0n, 500_000n),
      fc.bigInt(0n, 10n ** 7n),
    )
    fc.assert(
      fc.property(amounts, ([used, above, spare]) => {
        const { run, runs } = needing(used + above, used)
        expect(minimumGas(used + above + spare, run).gas).toBe(used + above)
        expect(runs.length).toBeLessThan(60)
      }),
    )
  })

  test('takes two runs where the used gas is enough', () => {
    const { run, runs } = needing(30_000n, 30_000n)
    expect(minimumGas(10_000_000n, run).gas).toBe(30_000n)
    expect(runs).toEqual([10_000_000n, 30_000n])
  })

  test('takes one run where the execution says that its gas does not matter', () => {
    const { run, runs } = needing(30_000n, 30_000n)
    const independent = function* (gas: bigint): Routine<Outcome> {
      return { ...(yield* run(gas)), isGasIndependent: true }
    }
    expect(minimumGas(10_000_000n, independent).gas).toBe(30_000n)
    expect(runs).toEqual([10_000_000n])
  })

  test('is the failed outcome when no gas is enough', () => {
    const { run } = needing(2n ** 60n, 0n)
    expect(minimumGas(10_000_000n, run)).toMatchObject({ gas: undefined, outcome: { status: 'failed' } })
  })

  test('counts too little intrinsic gas as a failure, and throws other errors', () => {
    const refusing = (kind: 'intrinsicGasTooLow' | 'unknownBlock') =>
      function* (gas: bigint): Routine<Outcome> {
        if (gas < 50_000n) throw new NodeError(kind, 'refused')
        return { status: 'success', gasNeeded: 40_000n } as Outcome
      }
    expect(minimumGas(100_000n, refusing('intrinsicGasTooLow')).gas).toBe(50_000n)
    expect(() => minimumGas(100_000n, refusing('unknownBlock'))).toThrow(
      expect.objectContaining({ kind: 'unknownBlock' }),
    )
  })
})
