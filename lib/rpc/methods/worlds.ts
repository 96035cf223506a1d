/** Methods that create, list and delete isolated chains. Each has its own path. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import type { ForkRequest } from '../../node/fork-requests.ts'
import type { Node } from '../../node/node.ts'
import { optional } from '../../schema/wire.ts'
import { flag, hashText, quantityText, text } from '../../schema/results.ts'
import { WORLD_ID_EXPECTED, isWorldId } from '../../node/worlds/worlds.ts'
import type { RegisteredWorld } from '../../node/worlds/worlds.ts'
import { method, param } from '../method.ts'
import { snapshotRef } from './evm-snapshots.ts'
import { worldFork } from './evm-snapshots.ts'

const ID_EXPECTED = `expected ${WORLD_ID_EXPECTED}`
const CREATE_EXPECTED = 'expected {id, from} or {id, fork}'

const worldId = z.string({ error: ID_EXPECTED }).refine(isWorldId, { error: ID_EXPECTED })

const worldObject = z.strictObject({
  id: text,
  /** Path of the world's own URL. */
  path: text,
  blockNumber: quantityText,
  blockHash: hashText,
  /** When it was made (ISO 8601). */
  time: text,
  /** Requests under way and open sockets. */
  visitors: z.int(),
})

function shown({
  id,
  chain: { chain, miner },
  createdAt: createdAt,
  visitors,
}: RegisteredWorld<Node>): z.output<typeof worldObject> {
  miner.makePostponedBlocks()
  const { hash, header } = chain.head.block
  return {
    id,
    path: `/w/${id}`,
    blockNumber: toQuantity(header.number),
    blockHash: hash,
    time: timeText(createdAt),
    visitors,
  }
}

const newWorld = z
  .strictObject(
    { id: worldId.optional(), from: snapshotRef.optional(), fork: worldFork.optional() },
    { error: CREATE_EXPECTED },
  )
  .refine(({ from, fork }) => from === undefined || fork === undefined, {
    error: 'expected either from or fork',
  })

export const createWorld = method({
  name: 'dev_createWorld',
  summary:
    'Creates an isolated chain at /w/<id> from the head of the default chain, from one of its snapshots, or from a remote chain with the chain id and the hard fork of that chain; at whichever path it is called. The first call to an unknown world creates it too.',
  params: [
    param(
      'world',
      optional(newWorld),
      'Id of the world, a free one if left out; `from`: id or name of a snapshot of the default chain; `fork`: {url, blockNumber, transaction, headers} of a remote chain, without a URL that of --fork-url.',
    ),
  ],
  result: worldObject,
  // The chain that the request was sent to does not change.
  errors: ['limitExceeded', 'unknownSnapshot', 'remoteFailed'],
  example: { params: [{ id: 'worker-1' }] },
  run: ({ world }, node) =>
    world?.fork === undefined
      ? shown(node.worlds.create(world?.id, { from: world?.from }))
      : createForkedWorld(node, world.id, world.fork),
})

async function createForkedWorld(
  { worlds, openWorldFork }: Node,
  id: string | undefined,
  request: ForkRequest,
): Promise<z.output<typeof worldObject>> {
  const forked = await openWorldFork(request)
  try {
    return shown(worlds.create(id, { forked }))
  } catch (error) {
    await forked.fork?.close()
    throw error
  }
}

export const listWorlds = method({
  name: 'dev_worlds',
  summary: 'The isolated chains, oldest first.',
  result: z.array(worldObject).readonly(),
  example: { params: [], result: [] },
  run: (_, { worlds }) => worlds.all.map(shown),
})

export const deleteWorld = method({
  name: 'dev_deleteWorld',
  summary: 'Deletes an isolated chain and closes its sockets; false if the chain does not exist.',
  params: [param('id', worldId, 'Id of the world.')],
  result: flag,
  example: { params: ['worker-1'], result: false },
  run: ({ id }, { worlds }) => worlds.delete(id),
})
