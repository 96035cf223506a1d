/** Methods that control when blocks are mined, with the names of other development nodes, and methods for Ethash miners. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { LAST_TIME } from '../../base/limits.ts'
import type { Routine } from '../../base/routine.ts'
import { minesAtOnce, type MiningMode } from '../../config/mining-mode.ts'
import { command, confirmed, control } from '../../kernel/control.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import { seedHash } from '../../networks/ethereum/consensus/ethash.ts'
import type { Node } from '../../node/node.ts'
import { flag, hashText, quantityText } from '../../schema/results.ts'
import { boolean, optional, optionalWith, quantity64, seconds, data, hash } from '../../schema/wire.ts'
import { MAX_BLOCKS, blockCount } from './evm.ts'
import { UNKNOWN_HASH } from './params.ts'

type MinedChain = Pick<Node, 'instance' | 'miner'>

const MS_PER_SECOND = 1000

/** Changes the mining mode, and mines pending transactions if it is instant. @throws NodeError 'miningRefused' */
const change = ({ instance, miner }: MinedChain, mode: MiningMode): void | Promise<void> =>
  instance.lock.finish(miner.setMode(mode))

export const setAutomine = control({
  name: 'evm_setAutomine',
  aliases: ['anvil_setAutomine', 'hardhat_setAutomine'],
  summary:
    'Turns automine on or off: a block for each transaction at once, pooled ones included, in dialect hardhat with the next transaction. Interval mining continues; in dialect ethereum automine ends it, as in Anvil.',
  params: [param('isEnabled', boolean, 'Whether to mine each transaction at once.')],
  errors: ['miningRefused'],
  example: { params: [true], result: true },
  run: async ({ isEnabled }, node: MinedChain, context) => {
    const { mode } = node.miner
    const keepsInterval = mode.kind === 'interval' && context.dialect !== 'ethereum'
    const next = isEnabled ? withAutomine(mode, keepsInterval) : withoutAutomine(mode)
    if (next === undefined) return
    // Hardhat leaves the pool to the next transaction's block (EDR, set_auto_mining).
    if (context.dialect === 'hardhat') node.miner.chooseMode(next)
    else await change(node, next)
  },
})

const withAutomine = (mode: MiningMode, keepsInterval: boolean): MiningMode =>
  mode.kind === 'interval' && keepsInterval ? { ...mode, isInstantToo: true } : { kind: 'instant' }

/** Absent if the mode does not change. */
function withoutAutomine(mode: MiningMode): MiningMode | undefined {
  if (mode.kind === 'interval') return { ...mode, isInstantToo: false }
  return mode.kind === 'instant' ? { kind: 'manual' } : undefined
}

export const getAutomine = readMethod({
  name: 'hardhat_getAutomine',
  aliases: ['anvil_getAutomine', 'ganache_getAutomine'],
  summary: 'Whether a block is mined for each transaction at once.',
  result: flag,
  example: { params: [], result: true },
  run: (_, { miner }: Pick<Node, 'miner'>) => minesAtOnce(miner.mode),
})

const INTERVAL_EXPECTED = 'expected a span of time of up to a day'

const span = (maximum: number) =>
  quantity64.refine((value) => value <= BigInt(maximum), INTERVAL_EXPECTED).transform(Number)

const DAY_SECONDS = 86_400
const milliseconds = span(DAY_SECONDS * MS_PER_SECOND)
/** A number of milliseconds, or for Hardhat a range from which each interval is drawn. */
const msOrRange = z.union(
  [
    milliseconds.transform((everyMs) => ({ everyMs, upToMs: undefined })),
    z
      .tuple([milliseconds, milliseconds])
      .refine(([minimum, maximum]) => minimum > 0 && minimum <= maximum)
      .transform(([everyMs, upToMs]) => ({ everyMs, upToMs })),
  ],
  'expected a span of time of up to a day, or [least, most] of which each interval is drawn',
)

const BETWEEN_BLOCKS = 'Time between blocks; 0 ends interval mining.'

/** Mines at intervals; 0 stops that. As in Hardhat, automine stays as it is unless it is given. @throws NodeError 'miningRefused' */
async function mineEvery(
  node: MinedChain,
  { everyMs, upToMs }: z.output<typeof msOrRange>,
  isInstantToo = minesAtOnce(node.miner.mode),
): Promise<void> {
  if (everyMs > 0) await change(node, { kind: 'interval', everyMs, upToMs, isInstantToo })
  else if (node.miner.mode.kind === 'interval')
    await change(node, { kind: isInstantToo ? 'instant' : 'manual' })
}

export const setIntervalMining = control({
  name: 'evm_setIntervalMining',
  summary:
    'Mines a block at intervals; 0 ends that. The interval is in milliseconds and automine stays as it is, as in Hardhat. In dialect ethereum it is in seconds and ends automine, as in Anvil.',
  params: [param('interval', msOrRange, BETWEEN_BLOCKS)],
  errors: ['miningRefused'],
  example: { params: [0], result: true },
  run: async ({ interval }, node: MinedChain, context) => {
    // Clients of Hardhat and Anvil use the same name with different units.
    if (context.dialect !== 'ethereum') return mineEvery(node, interval)
    const { everyMs: seconds, upToMs } = interval
    if (upToMs !== undefined || seconds > DAY_SECONDS) {
      throw invalidParams(`params[0] (interval): ${INTERVAL_EXPECTED}, in seconds`)
    }
    await mineEvery(node, { everyMs: seconds * MS_PER_SECOND, upToMs }, false)
  },
})

export const setIntervalMiningMs = confirmed({
  name: 'hardhat_setIntervalMining',
  summary: 'As evm_setIntervalMining in Hardhat: in milliseconds, in every dialect.',
  params: [param('milliseconds', msOrRange, BETWEEN_BLOCKS)],
  errors: ['miningRefused'],
  example: { params: [0], result: true },
  run: ({ milliseconds: interval }, node: MinedChain) => mineEvery(node, interval),
})

export const setIntervalMiningSeconds = command({
  name: 'anvil_setIntervalMining',
  summary: 'As evm_setIntervalMining in Anvil: in seconds, in every dialect.',
  params: [param('seconds', span(DAY_SECONDS), BETWEEN_BLOCKS)],
  errors: ['miningRefused'],
  example: { params: [0], result: null },
  run: ({ seconds }, node: MinedChain) =>
    mineEvery(node, { everyMs: seconds * MS_PER_SECOND, upToMs: undefined }, false),
})

export const getIntervalMining = readMethod({
  name: 'anvil_getIntervalMining',
  summary: 'Seconds between blocks; null without interval mining.',
  result: z.number().nullable(),
  example: { params: [], result: null },
  run: (_, { miner: { mode } }: Pick<Node, 'miner'>) =>
    mode.kind === 'interval' ? mode.everyMs / MS_PER_SECOND : null,
})

export const startMiner = confirmed({
  name: 'miner_start',
  summary: 'Mines a block for each transaction at once, pooled ones included.',
  params: [param('threads', optional(quantity64), 'Ignored.')],
  errors: ['miningRefused'],
  example: { params: [], result: true },
  run: (_, node: MinedChain) => change(node, { kind: 'instant' }),
})

export const stopMiner = confirmed({
  name: 'miner_stop',
  summary: 'Stops automine and interval mining; evm_mine still mines.',
  errors: ['miningRefused'],
  example: { params: [], result: true },
  run: (_, node: MinedChain) => change(node, { kind: 'manual' }),
})

export const mineBlocks = control({
  name: 'hardhat_mine',
  aliases: ['anvil_mine'],
  summary: 'Mines several blocks, some seconds apart.',
  params: [
    param('blocks', optionalWith(blockCount(MAX_BLOCKS), '0x1'), 'How many; one if left out.'),
    param('interval', optional(seconds), 'Seconds between them; the minimum if left out or 0.'),
  ],
  errors: ['miningRefused', 'limitExceeded'],
  example: { params: ['0x2'], result: true },
  run: async ({ blocks, interval }, { miner, clock }: Pick<Node, 'clock' | 'miner'>) => {
    const gap = interval ?? 1n
    if (clock.now + blocks * gap > LAST_TIME) {
      throw invalidParams(
        `params[1] (interval): ${blocks} blocks that are ${gap} seconds apart go beyond the year 9999`,
      )
    }
    await miner.mineMany(blocks, interval)
  },
})

// The node keeps the work until a solution is submitted.
export const getWork = writeMethod({
  name: 'eth_getWork',
  summary: 'Work for the pending block: hash of its header without the seal, seed of its epoch, and target.',
  result: z.tuple([hashText, hashText, hashText]),
  *run(_, { miningWork }: Pick<Node, 'miningWork'>): Routine<[string, string, string]> {
    const { hash: headerHash, target, entry } = yield* miningWork.current()
    return [headerHash, seedHash(entry.block.header.number), target]
  },
})

const nonce = data.refine((bytes) => bytes.length === 8, 'expected a nonce of 8 bytes')

export const submitWork = writeMethod({
  name: 'eth_submitWork',
  summary:
    "Makes a block from work of eth_getWork; false if the work is unknown or not solved, or if the block does not become the head. Work is solved if ethash's final hash, of the nonce and the claimed mix digest, reaches the target; the mix digest itself is not checked. On networks without ethash, what the node makes of this nonce must reach the target.",
  params: [
    param('nonce', nonce, 'Nonce; without ethash at most four bytes, without leading zeros.'),
    param('headerHash', hash, 'The work, as the first member of eth_getWork.'),
    param('mixDigest', hash, 'Mix digest; unused without ethash. The block keeps its randomness.'),
  ],
  result: flag,
  example: { params: ['0x0000000000000001', UNKNOWN_HASH, UNKNOWN_HASH], result: false },
  run: async ({ nonce, headerHash, mixDigest }, { miningWork }: Pick<Node, 'miningWork'>) => {
    const imported = await miningWork.seal(headerHash, { nonce, mixDigest })
    return imported?.result === 'IMPORTED_BEST'
  },
})

export const hashrate = readMethod({
  name: 'eth_hashrate',
  summary: 'Hashes per second of this node: in its blocks of the last hour, and by eth_submitHashrate.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { hashrates }: Pick<Node, 'hashrates'>) => toQuantity(hashrates.ofMiners),
})

export const netHashrate = readMethod({
  name: 'eth_netHashrate',
  summary: 'Hashes per second of the network: the work in the blocks of the last hour, as a JSON integer.',
  result: z.int(),
  example: { params: [], result: 0 },
  run: (_, { hashrates }: Pick<Node, 'hashrates'>) => Number(hashrates.ofChain),
})

export const submitHashrate = confirmed({
  name: 'eth_submitHashrate',
  summary: 'Reports the hashes per second of a miner. The report counts for ten seconds.',
  params: [
    param('hashrate', hash, 'Hashes per second, as 32 bytes.'),
    param('id', hash, 'Id of the miner, as 32 bytes.'),
  ],
  example: { params: [`0x${'00'.repeat(31)}10`, UNKNOWN_HASH], result: true },
  run: ({ hashrate: rate, id }, { hashrates }: Pick<Node, 'hashrates'>) => hashrates.report(id, BigInt(rate)),
})
