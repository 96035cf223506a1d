/** The law of the peg: random traffic neither makes nor loses coins, and a revert undoes it. */

import { expect, test } from '@jest/globals'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { freshNode } from '../../../support/node.ts'
import { STEPS, placeForwarder } from '../support/peg-steps.ts'
import { PegTraffic } from '../support/peg-traffic.ts'
import { drawsFrom } from '../../../support/random-draws.ts'
import { isWhole } from '../../../support/tier.ts'

/** Number of steps of each run; `PEG_SEED` repeats or changes the traffic. */
const COUNT = isWhole ? 1_000 : 40
const SEED = Number(process.env['PEG_SEED'] ?? 8)

/** What the traffic has to reach. */
const EVENTS = [
  'pegin_aux',
  'rejected_pegin',
  'unrefundable_pegin',
  'release_request_received',
  'release_request_rejected',
  'batch_pegout_created',
  'pegout_confirmed',
  'add_signature',
  'release_aux',
]

test.each([
  ['manual', '9.1.0'],
  ['auto', '9.0.3'],
] as const)(
  'random peg traffic keeps the sums, with --federation %s --release %s',
  async (federation, release) => {
    const node = await freshNode({ federation, release, autoImpersonate: true })
    await placeForwarder(node)
    const traffic = new PegTraffic(node, drawsFrom(SEED))
    for (let steps = 0; steps < COUNT; steps++) {
      try {
        await traffic.step(STEPS)
      } catch (error) {
        ;(error as Error).message += `\nseed ${SEED}, step ${steps}:\n${traffic.log.slice(-30).join('\n')}`
        throw error
      }
    }
    const seen = Object.entries(BRIDGE_EVENTS).filter(([, { topic }]) => traffic.topics.has(topic))
    expect(seen.map(([name]) => name)).toEqual(expect.arrayContaining(isWhole ? EVENTS : ['pegin_aux']))
  },
  600_000,
)
