/**
 * Checks a law under random steps: a revert restores every answer, and a step in one world does not change another world.
 * The steps are in random-sequence.ts.
 */

import { randomInt } from 'node:crypto'
import type { OptionsInput } from '../../lib/config/options.ts'
import { ManualHost, freshNode } from './node.ts'
import { drawsFrom } from './random-draws.ts'
import { RandomSequence } from './random-sequence.ts'
import { WatchedWorld } from './watched-world.ts'

/** A new seed in every run; the variable `SEED` repeats the seed of a failure. */
export function anySeed(): number {
  const given = process.env['SEED']
  return given === undefined ? randomInt(2 ** 32) : Number(given)
}

/** Parameters of a run. */
interface LawRun {
  readonly seed: number
  readonly steps: number
  /** Runs without filters and subscriptions. */
  readonly isSilent?: boolean
}

/** Runs random steps. @throws Error with the seed and the last steps when the law is broken */
export async function checkRevertLaw(
  options: OptionsInput,
  { seed, steps, isSilent = false }: LawRun,
): Promise<void> {
  const draw = drawsFrom(seed)
  const host = new ManualHost()
  const node = await freshNode(options, host)
  const first = await WatchedWorld.watch('default', node, draw)
  const sequence = new RandomSequence(first, { host, draw, isSilent })
  for (let step = 0; step < steps; step++) {
    try {
      await sequence.step()
    } catch (error) {
      const details = `seed ${seed}, step ${step}, options ${JSON.stringify(options)}`
      throw new Error(`${details}: ${String(error)}\n${sequence.lastSteps()}`, { cause: error })
    }
  }
  await node.close()
}
