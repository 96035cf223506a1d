/**
 * The law of snapshots and worlds under random steps: whatever is done in whatever order, a revert brings every answer
 * back, and what happens in one world is nowhere else to be seen. The steps are in random-sequence.ts.
 */

import { randomInt } from 'node:crypto'
import type { OptionsInput } from '../../lib/config/options.ts'
import { ManualHost, freshNode } from './node.ts'
import { drawsFrom } from './random-draws.ts'
import { RandomSequence } from './random-sequence.ts'
import { WatchedWorld } from './watched-world.ts'

/** A seed of its own in every run; `SEED` repeats one that a failure printed. */
export function anySeed(): number {
  const given = process.env['SEED']
  return given === undefined ? randomInt(2 ** 32) : Number(given)
}

/** A part of the law. */
interface LawRun {
  readonly seed: number
  readonly steps: number
  /** No filters and no subscriptions. */
  readonly isSilent?: boolean
}

/** Does random steps. @throws Error that tells the seed and the last steps when the law is broken */
export async function checkRevertLaw(
  options: OptionsInput,
  { seed, steps, isSilent = false }: LawRun,
): Promise<void> {
  const draw = drawsFrom(seed)
  const host = new ManualHost()
  const node = await freshNode(options, host)
  const first = await WatchedWorld.watch('default', node, draw)
  const play = new RandomSequence(first, { host, draw, isSilent })
  for (let step = 0; step < steps; step++) {
    try {
      await play.step()
    } catch (error) {
      const told = `seed ${seed}, step ${step}, options ${JSON.stringify(options)}`
      throw new Error(`${told}: ${String(error)}\n${play.lastSteps()}`, { cause: error })
    }
  }
  await node.close()
}
