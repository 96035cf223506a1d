/** The memory of the node by kind. */

import * as z from 'zod'
import { usedMemory } from '../../base/process-usage.ts'
import { method } from '../method.ts'

/** Bytes. */
const bytes = z.int()

export const memory = method({
  name: 'dev_memory',
  summary:
    'Bytes of memory by kind, for the default chain and all worlds together. Those of the chains are estimates; those of the process are measured. limit is --max-memory.',
  result: z.strictObject({
    /** Old states as differences, and the tries of the newest and of some older states. */
    states: bytes,
    /** Headers and transactions. */
    blocks: bytes,
    /** Receipts with logs. */
    receipts: bytes,
    /** Indexes of hashes, addresses and topics. */
    indexes: bytes,
    /** Pooled transactions and blobs. */
    pool: bytes,
    /** Snapshots, with the blocks that only they hold. */
    snapshots: bytes,
    /** States that were rebuilt lately. */
    caches: bytes,
    /** Data that worlds do not share with the default chain. */
    worlds: bytes,
    /** Sum of the kinds above. */
    sum: bytes,
    limit: bytes,
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
  run: (_, { memoryReport, maxMemory: limit }) => ({ ...memoryReport(), limit, process: usedMemory() }),
})
