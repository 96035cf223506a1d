/** Sends what a report contains, to a new node, and finds a shorter list that breaks a law too. */

import type { Exchange } from './exchange.ts'
import { BrokenLaw } from './node-client.ts'
import type { Failure } from './campaign.ts'
import { Session } from './session.ts'
import type { SessionSettings } from './session.ts'

/** The law that the exchanges of a failure break on a new node, with the detail; undefined if none. */
export async function replay(
  program: string,
  { setting }: Pick<Failure, 'setting'>,
  exchanges: readonly Exchange[],
  settings: SessionSettings = {},
): Promise<BrokenLaw | undefined> {
  const session = await Session.start(program, setting, settings)
  try {
    for (const exchange of exchanges) await session.fire(exchange)
    await session.settle()
    return undefined
  } catch (error) {
    if (error instanceof BrokenLaw) return error
    throw error
  } finally {
    await session.stop()
  }
}

/**
 * A shorter list of exchanges that fails, too: halves, quarters and so on are left out while the rest still fails. A batch is one
 * exchange.
 */
export async function shrink(
  exchanges: readonly Exchange[],
  fails: (exchanges: readonly Exchange[]) => Promise<boolean>,
): Promise<readonly Exchange[]> {
  let kept = exchanges
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = kept.length - size; at > -size; at -= size) {
      const from = Math.max(0, at)
      const rest = kept.toSpliced(from, size)
      if (rest.length < kept.length && rest.length > 0 && (await fails(rest))) kept = rest
    }
  }
  return kept
}
