/** Methods that create, list and delete isolated chains, and advance their time. Each has its own path. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import { waitFor } from '../../base/routine.ts'
import { NETWORK_FORKS } from '../../config/eips.ts'
import { checkMines } from '../../config/mining-mode.ts'
import { didYouMean } from '../../config/nearest.ts'
import { shippedNetworks } from '../../config/network.ts'
import { MAX_CHAIN_ID } from '../../config/values.ts'
import type { Node } from '../../node/node.ts'
import type { Services } from '../../node/services.ts'
import { boolean, oneOf, optional, quantity, seconds, text } from '../../schema/wire.ts'
import { flag, hashText, list, quantityText } from '../../schema/results.ts'
import { WORLD_ID_EXPECTED, aloneOnAll, isWorldId } from '../../node/worlds/worlds.ts'
import type { RegisteredWorld } from '../../node/worlds/worlds.ts'
import { param, readMethod, wideMethod } from '../../kernel/method.ts'
import { snapshotRef, worldFork } from './evm-snapshots.ts'

const worldId = text(WORLD_ID_EXPECTED, (id) => (isWorldId(id) ? id : undefined))

const worldObject = z.strictObject({
  id: z.string(),
  /** Path of the world's own URL. */
  path: z.string(),
  blockNumber: quantityText,
  blockHash: hashText,
  network: z.string(),
  hardfork: z.string(),
  chainId: quantityText,
  /** When it was made (ISO 8601). */
  time: z.string(),
  /** Requests under way and open sockets. */
  visitors: z.int(),
})

function shown(world: RegisteredWorld<Node>): z.output<typeof worldObject> {
  const { id, createdAt, visitors } = world
  const { chain, miner, network } = world.chain
  miner.makePostponedBlocks()
  const { hash, header } = chain.head.block
  return {
    id,
    path: `/w/${id}`,
    blockNumber: toQuantity(header.number),
    blockHash: hash,
    network: network.name,
    hardfork: network.hardfork,
    chainId: toQuantity(miner.settings.chainId),
    time: timeText(createdAt),
    visitors,
  }
}

/** The name of a preset. Paths are refused, because a request must not read files. */
const preset = z.string('expected the name of a preset').refine((name) => shippedNetworks().includes(name), {
  error: ({ input }) =>
    `expected the name of a preset (${shippedNetworks().join(', ')})${didYouMean(String(input), shippedNetworks())}`,
})

const chainId = quantity.refine(
  (id) => id >= 1n && id <= MAX_CHAIN_ID,
  `expected a chain id from 1 to ${MAX_CHAIN_ID}`,
)

const newWorld = z
  .strictObject(
    {
      id: worldId.optional(),
      from: snapshotRef.optional(),
      fork: worldFork.optional(),
      network: preset.optional(),
      hardfork: oneOf(NETWORK_FORKS).optional(),
      chainId: chainId.optional(),
    },
    'expected {id, from}, {id, network, hardfork, chainId} or {id, fork}',
  )
  .superRefine(({ id: _, from, ...others }, context) => {
    const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0]
    if (from === undefined || other === undefined) return
    const message = `expected either from or ${other}, because a snapshot is of the default chain and has its network`
    context.addIssue({ code: 'custom', message })
  })

export const createWorld = readMethod({
  name: 'dev_createWorld',
  summary:
    'Creates an isolated chain at /w/<id>: from the head of the default chain or one of its snapshots; from a genesis, if it has a network, hard fork or chain id of its own; or from a remote chain, with its chain id and hard fork unless others are given. The same at whichever path it is called. The first call to an unknown world creates it too.',
  params: [
    param(
      'world',
      optional(newWorld),
      'Id of the world, a free one if left out; `from`: id or name of a snapshot of the default chain; `network`: name of a preset; `hardfork`; `chainId`; `fork`: {url, blockNumber, transaction, headers} of a remote chain, without a URL that of --fork-url; `url` may be a list.',
    ),
  ],
  result: worldObject,
  // The chain that receives the request does not change.
  errors: ['limitExceeded', 'unknownSnapshot', 'remoteFailed'],
  example: { params: [{ id: 'worker-1' }] },
  // The lock is released while the remote is asked, because it may be the same node.
  *run(
    { world: { id, from, fork, ...network } = {} },
    { worlds, openWorld }: Pick<Node, 'openWorld' | 'worlds'>,
  ) {
    const isOwn = fork !== undefined || Object.values(network).some((value) => value !== undefined)
    const services = isOwn ? yield* waitFor(openWorld({ network, fork })) : undefined
    try {
      return shown(worlds.create(id, { from, services }))
    } catch (error) {
      if (services?.fork !== undefined) yield* waitFor(services.fork.close())
      throw error
    }
  },
})

export const listWorlds = readMethod({
  name: 'dev_worlds',
  summary: 'The isolated chains, oldest first.',
  result: list(worldObject),
  example: { params: [], result: [] },
  run: (_, { worlds }: Pick<Node, 'worlds'>) => worlds.all.map(shown),
})

export const deleteWorld = readMethod({
  name: 'dev_deleteWorld',
  summary: 'Deletes an isolated chain and closes its sockets; false if the chain does not exist.',
  params: [param('id', worldId, 'Id of the world.')],
  result: flag,
  example: { params: ['worker-1'], result: false },
  run: ({ id }, { worlds }: Pick<Node, 'worlds'>) => worlds.delete(id),
})

const advanceOptions = z.strictObject({ mine: boolean.optional() }, 'expected {mine}')

const advancedChain = z.strictObject({
  /** Id of the world; null for the default chain. */
  world: z.string().nullable(),
  /** Time of the chain now, in seconds since the epoch. */
  time: quantityText,
  blockNumber: quantityText,
})

export const advanceAll = wideMethod({
  name: 'dev_advanceAll',
  summary:
    'Moves the time of the default chain and of all worlds forward by the same seconds, as evm_increaseTime does, and with `mine` mines a block in each; in all or, if one refuses, in none.',
  params: [
    param('seconds', seconds, 'Seconds to move by.'),
    param('options', optional(advanceOptions), '{mine: true}: mine a block in each chain.'),
  ],
  result: list(advancedChain),
  errors: ['miningRefused'],
  example: { params: ['0xe10'] },
  run: async ({ seconds: span, options }, { allChains }: Pick<Node, 'allChains'>) => {
    const chains = allChains()
    await aloneOnAll(chains, async () => {
      if (options?.mine === true) for (const { miner } of chains) checkMines(miner.mode)
      for (const { clock } of chains) clock.increase(span)
      if (options?.mine === true) await mineInEach(chains)
    })
    return chains.map(({ worldId, clock, chain }) => ({
      world: worldId ?? null,
      time: toQuantity(clock.now),
      blockNumber: toQuantity(chain.height),
    }))
  },
})

/** Mines a block in each chain. While a fork waits for its remote, which may be another of the chains, those can be read. */
async function mineInEach(chains: readonly Services[]): Promise<void> {
  for (const services of chains) {
    const others = services.chain.remote === undefined ? [] : chains.filter((other) => other !== services)
    await others.reduce(
      (mined, { instance: { lock } }) => lock.admitReadsDuring(mined),
      services.miner.mineMany(1n),
    )
  }
}
