/** The newest requests of the node, for the explorer and for clients that watch it. */

import * as z from 'zod'
import { timeText } from '../../base/host.ts'
import { optional } from '../../schema/wire.ts'
import { text } from '../../schema/results.ts'
import { method, param } from '../method.ts'
import { KEPT_FOR_MS, MAX_KEPT, PAGE_ID } from '../request-history.ts'
import type { KeptRequest } from '../request-history.ts'

const shortText = z.strictObject({
  text,
  /** Characters of the whole text. */
  length: z.int(),
})

const requestObject = z.strictObject({
  /** From 1, in the order in which requests ended. */
  number: z.int(),
  /** When it ended (ISO 8601). */
  time: text,
  method: text,
  /** Id of the world that was called; null for the default chain. */
  world: text.nullable(),
  durationMs: z.number(),
  /** JSON, or its beginning. */
  params: shortText,
  /** JSON, or its beginning. Absent for an error and for a long result. */
  result: shortText.optional(),
  error: z.strictObject({ code: z.int(), message: text }).optional(),
})

const EXPECTED = 'expected {after, method, world}'

const filter = z.strictObject(
  {
    after: z.int({ error: 'expected the number of a request' }).min(0).optional(),
    method: z.string({ error: 'expected a method' }).optional(),
    world: z.string({ error: 'expected the id of a world' }).optional(),
  },
  { error: EXPECTED },
)

export const requests = method({
  name: 'dev_requests',
  summary: `The newest requests of all chains, oldest first, at most ${MAX_KEPT}. The node keeps them from the first call on, until none comes for ${KEPT_FOR_MS / 60_000} minutes. Passphrases and keys are not shown; requests whose id is a text that begins with ${PAGE_ID} are left out.`,
  params: [
    param(
      'filter',
      optional(filter),
      'after: only requests with a higher number; method: only requests of it; world: only requests to the world with the id.',
    ),
  ],
  result: z.strictObject({
    requests: z.array(requestObject).readonly(),
    /** Number of the newest request, to ask for later ones. */
    last: z.int(),
  }),
  example: { params: [], result: { requests: [], last: 0 } },
  run: ({ filter: { after = 0, method: name, world } = {} }, _, { requestHistory }) => {
    const { requests: kept, last } = requestHistory.since(after)
    const isWanted = (one: KeptRequest): boolean =>
      (name === undefined || one.method === name) && (world === undefined || one.world === world)
    return { requests: kept.filter(isWanted).map(shown), last }
  },
})

const shown = ({ endedAt, world, ...kept }: KeptRequest): z.output<typeof requestObject> => ({
  ...kept,
  time: timeText(endedAt),
  world: world ?? null,
})
