/** Methods that create, list and delete isolated chains. Each has its own path. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import type { ForkRequest } from '../../node/fork-requests.ts'
import type { Node } from '../../node/node.ts'
import { optional, text } from '../../schema/wire.ts'
import { flag, hashText, list, quantityText } from '../../schema/results.ts'
import { WORLD_ID_EXPECTED, isWorldId } from '../../node/worlds/worlds.ts'
import type { RegisteredWorld } from '../../node/worlds/worlds.ts'
import { param, readMethod } from '../method.ts'
import { snapshotRef, worldFork } from './evm-snapshots.ts'

const worldId = text(WORLD_ID_EXPECTED, (id) => (isWorldId(id) ? id : undefined))

const worldObject = z.strictObject({
  id: z.string(),
  /** Path of the world's own URL. */
  path: z.string(),
  blockNumber: quantityText,
  blockHash: hashText,
  /** When it was made (ISO 8601). */
  time: z.string(),
  /** Requests under way and open sockets. */
  visitors: z.int(),
})

function shown(world: RegisteredWorld<Node>): z.output<typeof worldObject> {
  const { id, createdAt, visitors } = world
  const { chain, miner } = world.chain
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
    'expected {id, from} or {id, fork}',
  )
  .refine(({ from, fork }) => from === undefined || fork === undefined, 'expected either from or fork')

export const createWorld = readMethod({
  name: 'dev_createWorld',
  summary:
    'Creates an isolated chain at /w/<id> from the head of the default chain, from one of its snapshots, or from a remote chain with the chain id and the hard fork of that chain; at whichever path it is called. The first call to an unknown world creates it too.',
  params: [
    param(
      'world',
      optional(newWorld),
      'Id of the world, a free one if left out; `from`: id or name of a snapshot of the default chain; `fork`: {url, blockNumber, transaction, headers} of a remote chain, without a URL that of --fork-url; `url` may be a list.',
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

export const listWorlds = readMethod({
  name: 'dev_worlds',
  summary: 'The isolated chains, oldest first.',
  result: list(worldObject),
  example: { params: [], result: [] },
  run: (_, { worlds }) => worlds.all.map(shown),
})

export const deleteWorld = readMethod({
  name: 'dev_deleteWorld',
  summary: 'Deletes an isolated chain and closes its sockets; false if the chain does not exist.',
  params: [param('id', worldId, 'Id of the world.')],
  result: flag,
  example: { params: ['worker-1'], result: false },
  run: ({ id }, { worlds }) => worlds.delete(id),
})
