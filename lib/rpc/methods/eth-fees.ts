/** Methods that suggest fees and return the fees of past blocks. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { MAX_UINT256 } from '../../base/limits.ts'
import { blobFeeHistory, feeHistory } from '../../chain/fee-history.ts'
import { loadBlocks } from '../../chain/search.ts'
import { DEFAULT_TIP, nextBaseFee } from '../../chain/fees.ts'
import type { Block } from '../../chain/block.ts'
import type { Node } from '../../node/node.ts'
import { simpleBlockRef } from '../../schema/requests.ts'
import { optional, quantity64 } from '../../schema/wire.ts'
import { list, quantityText } from '../../schema/results.ts'
import { param, readMethod } from '../../kernel/method.ts'

type PricedChain = Pick<Node, 'blockResolver' | 'chain' | 'miner' | 'network'>

/** Price per gas that is enough to be mined, if a price of 256 bits can be. */
function defaultPrice(node: PricedChain): bigint {
  const price = uncappedPrice(node)
  return price < MAX_UINT256 ? price : MAX_UINT256
}

function uncappedPrice({ network, chain, miner }: PricedChain): bigint {
  if (network.baseFee !== false) return miner.nextBaseFee + DEFAULT_TIP
  const { minimumGasPrice = chain.head.block.header.minimumGasPrice } = miner.settings.value.later
  // gasPriceMultiplier 1.1 of the reference (node-rpc 5.2), rounded down to whole wei.
  return (minimumGasPrice * 11n) / 10n
}

export const gasPrice = readMethod({
  name: 'eth_gasPrice',
  summary: 'Wei per gas: minimum gas price of the head and a tenth, or base fee and default tip.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, node: PricedChain) => toQuantity(defaultPrice(node)),
})

export const maxPriorityFeePerGas = readMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Tip per gas in wei that is enough to be mined: eth_gasPrice without the base fee.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, node: PricedChain) => toQuantity(defaultPrice(node) - node.miner.nextBaseFee),
})

export const baseFee = readMethod({
  name: 'eth_baseFee',
  summary: 'Base fee per gas in wei of the next block; zero if the network has none.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { miner }: Pick<Node, 'miner'>) => toQuantity(miner.nextBaseFee),
})

export const blobBaseFee = readMethod({
  name: 'eth_blobBaseFee',
  summary: 'Price of blob gas in wei in the next block; zero if blocks have no blobs.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { miner }: Pick<Node, 'miner'>) => toQuantity(miner.blobBaseFeeOf(miner.nextBlock())),
})

/** Maximum number of blocks in one result (geth, MaxHeaderHistory in eth/ethconfig/config.go). */
const MAX_BLOCKS = 1024n

const PERCENTILES_EXPECTED = 'expected strictly rising percentiles from 0 to 100, at most 100 of them'
const percentile = z.number(PERCENTILES_EXPECTED).min(0, PERCENTILES_EXPECTED).max(100, PERCENTILES_EXPECTED)
const percentiles = z
  .array(percentile, PERCENTILES_EXPECTED)
  .max(100, PERCENTILES_EXPECTED)
  .refine(
    (values) => values.every((value, position) => value > (values[position - 1] ?? -1)),
    PERCENTILES_EXPECTED,
  )

const ratio = z.number().min(0).max(1)

export const getFeeHistory = readMethod({
  name: 'eth_feeHistory',
  summary: 'Base fees, gas use and tips of up to 1024 blocks, oldest first, and the base fee after them.',
  params: [
    param('blockCount', quantity64, 'Number of blocks; the result has fewer if the chain has fewer.'),
    param('newestBlock', simpleBlockRef, 'Number or tag of the newest of them.'),
    param('percentiles', optional(percentiles), 'Percentiles of the gas at which to read the tip.'),
  ],
  result: z.strictObject({
    oldestBlock: quantityText,
    baseFeePerGas: list(quantityText),
    gasUsedRatio: list(ratio),
    baseFeePerBlobGas: list(quantityText),
    blobGasUsedRatio: list(ratio),
    reward: list(list(quantityText)).optional(),
  }),
  errors: ['unknownBlock'],
  example: {
    params: ['0x4', 'latest', [50]],
    result: {
      oldestBlock: '0x0',
      baseFeePerGas: ['0x0', '0x0'],
      gasUsedRatio: [0],
      baseFeePerBlobGas: ['0x0', '0x0'],
      blobGasUsedRatio: [0],
      reward: [['0x0']],
    },
  },
  *run({ blockCount, newestBlock, percentiles: wanted = [] }, node: PricedChain) {
    const newest = node.blockResolver.at(newestBlock).block
    const count = blockCount < MAX_BLOCKS ? blockCount : MAX_BLOCKS
    const { number } = newest.header
    const from = number < count ? 0n : number - count + 1n
    if (count > 0n) yield* loadBlocks(node.chain, { from, to: number }, wanted.length > 0)
    const blocks = endingWith(newest, count, node)
    const { baseFees, gasUsedRatios, rewards } = feeHistory(blocks, baseFeeAfter(newest, node), wanted)
    const blobs = blobFeeHistory(blocks, node.network)
    return {
      oldestBlock: toQuantity(blocks[0]?.header.number ?? 0n),
      baseFeePerGas: baseFees.map(toQuantity),
      gasUsedRatio: gasUsedRatios,
      baseFeePerBlobGas: blobs.baseFees.map(toQuantity),
      blobGasUsedRatio: blobs.gasUsedRatios,
      // Without percentiles there is no list of tips, as in geth (eth/gasprice/feehistory.go).
      ...(wanted.length === 0 ? {} : { reward: rewards.map((tips) => tips.map(toQuantity)) }),
    }
  },
})

/** Base fee of the block after a block; for the head, the base fee of the next block. */
function baseFeeAfter({ hash, header }: Block, { chain, miner }: PricedChain): bigint | undefined {
  if (hash === chain.head.block.hash) return miner.nextBaseFee
  const following = chain.at(header.number + 1n)
  return following === undefined ? nextBaseFee(header) : following.block.header.baseFeePerGas
}

/** The given number of blocks up to `newest`, which may be pending; oldest first. */
function endingWith(newest: Block, count: bigint, { chain }: PricedChain): readonly Block[] {
  const blocks: Block[] = []
  for (let number = newest.header.number; number >= 0n && BigInt(blocks.length) < count; number--) {
    blocks.unshift(blocks.length === 0 ? newest : chain.get({ number }).block)
  }
  return blocks
}
