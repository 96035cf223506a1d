/** What the node holds in memory. */

import * as z from 'zod'
import { usedMemory } from '../../base/process-usage.ts'
import { method } from '../method.ts'

const count = z.int()

/** Bytes. */
const bytes = z.int()

export const memory = method({
  name: 'dev_memory',
  summary:
    'What this chain holds: blocks, states after blocks that are not dropped yet (--keep-states), pooled transactions and snapshots; the number of worlds; and the bytes of the process.',
  result: z.strictObject({
    /** Canonical blocks. Blocks of a long run that were not read do not count. */
    blocks: count,
    states: count,
    transactions: count,
    snapshots: count,
    worlds: count,
    process: z.strictObject({
      /** Used part of V8's heap; garbage is a part of it. */
      heap: bytes,
      /** Memory outside the heap that its objects hold. */
      external: bytes,
      /** Resident memory of the process. */
      rss: bytes,
    }),
  }),
  example: { params: [] },
  run: (_, { chain, mempool, snapshots, worlds }) => {
    const entries = chain.entriesFrom(0)
    return {
      blocks: entries.length,
      states: entries.filter(({ keptState }) => keptState !== undefined).length,
      transactions: [...mempool.all()].length,
      snapshots: snapshots.all.length,
      worlds: worlds.all.length,
      process: usedMemory(),
    }
  },
})
