/** Methods that control when blocks are mined. Names and params are those of other development nodes. */

import * as z from 'zod'
import { LAST_TIME } from '../../base/limits.ts'
import { minesAtOnce, type MiningMode } from '../../config/mining-mode.ts'
import type { Node } from '../../node/node.ts'
import { boolean, optional, optionalWith, quantity64, seconds } from '../../schema/wire.ts'
import { flag } from '../../schema/results.ts'
import { command, confirmed, control } from '../../kernel/control.ts'
import { invalidParams, param, readMethod } from '../../kernel/method.ts'
import { MAX_BLOCKS, blockCount } from './evm.ts'

const MS_PER_SECOND = 1000

/** Changes the mining mode, and mines the pending transactions if it is instant. @throws NodeError 'miningRefused' */
const change = ({ instance, miner }: Node, mode: MiningMode): void | Promise<void> =>
  instance.lock.finish(miner.setMode(mode))

export const setAutomine = control({
  name: 'evm_setAutomine',
  aliases: ['anvil_setAutomine', 'hardhat_setAutomine'],
  summary:
    'Turns automine on or off: a block for each transaction at once, pooled ones included, in dialect hardhat with the next transaction. Interval mining continues; in dialect ethereum automine ends it, as in Anvil.',
  params: [param('isEnabled', boolean, 'Whether to mine each transaction at once.')],
  errors: ['miningRefused'],
  example: { params: [true], result: true },
  run: async ({ isEnabled }, node, context) => {
    const { mode } = node.miner
    const keepsInterval = mode.kind === 'interval' && context.dialect !== 'ethereum'
    const next = isEnabled ? withAutomine(mode, keepsInterval) : withoutAutomine(mode)
    if (next === undefined) return
    // Hardhat leaves the pool to the block of the next transaction (EDR, set_auto_mining).
    if (context.dialect === 'hardhat') node.miner.chooseMode(next)
    else await change(node, next)
  },
})

const withAutomine = (mode: MiningMode, keepsInterval: boolean): MiningMode =>
  mode.kind === 'interval' && keepsInterval ? { ...mode, isInstantToo: true } : { kind: 'instant' }

/** Absent if the mode stays as it is. */
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
  run: (_, { miner }) => minesAtOnce(miner.mode),
})

const INTERVAL_EXPECTED = 'expected a span of time of up to a day'

const span = (maximum: number) =>
  quantity64.refine((value) => value <= BigInt(maximum), INTERVAL_EXPECTED).transform(Number)

const DAY_SECONDS = 86_400
const milliseconds = span(DAY_SECONDS * MS_PER_SECOND)
/** A number of milliseconds, or, for Hardhat, a range from which each interval is drawn. */
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

/** Mines at intervals; 0 ends that. Automine stays on if it was, as in Hardhat, unless it is given. @throws NodeError 'miningRefused' */
async function mineEvery(
  node: Node,
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
  run: async ({ interval }, node, context) => {
    // Clients of Hardhat and of Anvil use the same name with different units.
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
  run: ({ milliseconds: interval }, node) => mineEvery(node, interval),
})

export const setIntervalMiningSeconds = command({
  name: 'anvil_setIntervalMining',
  summary: 'As evm_setIntervalMining in Anvil: in seconds, in every dialect.',
  params: [param('seconds', span(DAY_SECONDS), BETWEEN_BLOCKS)],
  errors: ['miningRefused'],
  example: { params: [0], result: null },
  run: ({ seconds }, node) => mineEvery(node, { everyMs: seconds * MS_PER_SECOND, upToMs: undefined }, false),
})

export const getIntervalMining = readMethod({
  name: 'anvil_getIntervalMining',
  summary: 'Seconds between blocks; null without interval mining.',
  result: z.number().nullable(),
  example: { params: [], result: null },
  run: (_, { miner: { mode } }) => (mode.kind === 'interval' ? mode.everyMs / MS_PER_SECOND : null),
})

export const startMiner = confirmed({
  name: 'miner_start',
  summary: 'Mines a block for each transaction at once, pooled ones included.',
  params: [param('threads', optional(quantity64), 'Ignored.')],
  errors: ['miningRefused'],
  example: { params: [], result: true },
  run: (_, node) => change(node, { kind: 'instant' }),
})

export const stopMiner = confirmed({
  name: 'miner_stop',
  summary: 'Stops automine and interval mining; evm_mine still mines.',
  errors: ['miningRefused'],
  example: { params: [], result: true },
  run: (_, node) => change(node, { kind: 'manual' }),
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
  run: async ({ blocks, interval }, { miner, clock }) => {
    const gap = interval ?? 1n
    if (clock.now + blocks * gap > LAST_TIME) {
      throw invalidParams(
        `params[1] (interval): ${blocks} blocks that are ${gap} seconds apart go beyond the year 9999`,
      )
    }
    await miner.mineMany(blocks, interval)
  },
})
