/** Methods that return the chain id, the head, the coinbase and the sync state. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { addressText, flag, quantityText } from '../../schema/results.ts'
import { method } from '../method.ts'

export const chainId = method({
  name: 'eth_chainId',
  summary: 'Chain id that transactions are signed for.',
  result: quantityText,
  example: { params: [], result: '0x21' },
  run: (_, { miner }) => toQuantity(miner.settings.chainId),
})

export const blockNumber = method({
  name: 'eth_blockNumber',
  summary: 'Number of the newest block.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { chain }) => toQuantity(chain.height),
})

export const coinbase = method({
  name: 'eth_coinbase',
  summary: 'Coinbase of the next block.',
  result: addressText,
  example: { params: [], result: '0xec4ddeb4380ad69b3e509baad9f158cdf4e4681d' },
  run: (_, { miner }) => miner.nextBlockContext().coinbase,
})

export const mining = method({
  name: 'eth_mining',
  summary: 'Whether the node mines by itself: for each transaction or at an interval.',
  result: flag,
  example: { params: [], result: true },
  run: (_, { miner }) => miner.mode.kind === 'instant' || miner.mode.kind === 'interval',
})

export const syncing = method({
  name: 'eth_syncing',
  summary: 'Whether the node is syncing: always false, as it has no peers.',
  result: z.literal(false),
  example: { params: [], result: false },
  run: () => false as const,
})
