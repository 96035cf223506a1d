/** Reports of the node: memory and the newest requests. */

import * as z from 'zod'
import { keptRequest } from '../../schema/report-results.ts'
import { optional } from '../../schema/wire.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { list } from '../../schema/results.ts'
import { usedMemory } from '../../base/process-usage.ts'
import { KEPT_FOR_MS, MAX_KEPT, PAGE_ID } from '../request-history.ts'
import type { Node } from '../../node/node.ts'

const count = z.int()

/** Bytes. */
const bytes = z.int()

export const memory = readMethod({
  name: 'dev_memory',
  summary:
    'What this chain holds: blocks, states after blocks that are not dropped yet (--keep-states), pooled transactions and snapshots; the number of worlds; and the bytes of the process.',
  result: z.strictObject({
    /** Canonical blocks. Unread blocks of a long run do not count. */
    blocks: count,
    states: count,
    transactions: count,
    snapshots: count,
    worlds: count,
    process: z.strictObject({
      /** Used part of V8's heap, including garbage. */
      heap: bytes,
      /** Memory outside the heap held by its objects. */
      external: bytes,
      /** Resident memory of the process. */
      rss: bytes,
    }),
  }),
  run: (
    _,
    { chain, mempool, snapshots, worlds }: Pick<Node, 'chain' | 'mempool' | 'snapshots' | 'worlds'>,
  ) => {
    const entries = chain.entriesFrom(0)
    return {
      blocks: entries.length,
      states: entries.filter(({ keptState }) => keptState !== undefined).length,
      transactions: [...mempool.all()].length,
      snapshots: snapshots.count,
      worlds: worlds.all.length,
      process: usedMemory(),
    }
  },
})

const filter = z.strictObject(
  {
    after: z.int('expected the number of a request').min(0).optional(),
    method: z.string('expected a method').optional(),
    world: z.string('expected the id of a world').optional(),
  },
  'expected {after, method, world}',
)

export const requests = readMethod({
  name: 'dev_requests',
  summary: `The newest requests of all chains, oldest first, at most ${MAX_KEPT}. A node with an explorer keeps them from its start, other nodes from the first call on. Results other than texts are kept only after the first call, until none has come for ${KEPT_FOR_MS / 60_000} minutes. Passphrases and keys are not shown; requests whose id is a text that begins with ${PAGE_ID} are left out.`,
  params: [
    param(
      'filter',
      optional(filter),
      'after: only those with a higher number; method, world: only those to it.',
    ),
  ],
  result: z.strictObject({
    requests: list(keptRequest),
    /** Number of the newest request, for asking later ones. */
    last: z.int(),
  }),
  example: { params: [], result: { requests: [], last: 0 } },
  run: ({ filter: { after = 0, method: name, world } = {} }, _, { requestHistory }) => {
    const { requests: kept, last } = requestHistory.since(after)
    const isWanted = (request: (typeof kept)[number]): boolean =>
      (name === undefined || request.method === name) && (world === undefined || request.world === world)
    return { requests: kept.filter(isWanted), last }
  },
})
