/** Methods for external miners, and hash rates. Merged mining is in mnr.ts. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { seedHash } from '../../consensus/ethereum/ethash.ts'
import { flag, hashText, quantityText } from '../../schema/results.ts'
import { data, hash } from '../../schema/wire.ts'
import { method, param } from '../method.ts'

const ZERO_WORD = `0x${'00'.repeat(32)}`

export const getWork = method({
  name: 'eth_getWork',
  summary:
    'Work for the pending block: the hash of its header without the seal, the seed of its epoch, and the target.',
  result: z.tuple([hashText, hashText, hashText]),
  // The node keeps the work until a solution is submitted.
  access: 'write',
  example: { params: [] },
  run: async (_, { miningWork }): Promise<[string, string, string]> => {
    const { hash: headerHash, target, entry } = miningWork.current()
    return [headerHash, seedHash(entry.block.header.number), target]
  },
})

const NONCE_EXPECTED = 'expected a nonce of 8 bytes'
const nonce = data.refine((bytes) => bytes.length === 8, NONCE_EXPECTED)

export const submitWork = method({
  name: 'eth_submitWork',
  summary:
    "Makes a block from work of eth_getWork; false if the work is unknown or not solved, or if the block does not become the head. Work is solved if ethash's final hash, of the nonce and the claimed mix digest, reaches the target; the mix digest itself is not checked. On merged-mining networks the auxiliary header that the node makes with this nonce must reach the target.",
  params: [
    param(
      'nonce',
      nonce,
      'Nonce that was found; on merged-mining networks at most four bytes, without leading zeros.',
    ),
    param('headerHash', hash, 'The work, as the first member of eth_getWork.'),
    param(
      'mixDigest',
      hash,
      'Mix digest, unused on merged-mining networks; the block keeps the randomness that its transactions ran with.',
    ),
  ],
  result: flag,
  access: 'write',
  example: { params: ['0x0000000000000001', ZERO_WORD, ZERO_WORD], result: false },
  run: async ({ nonce: found, headerHash, mixDigest }, { miningWork }) => {
    const imported = await miningWork.seal(headerHash, { nonce: found, mixDigest })
    return imported?.result === 'IMPORTED_BEST'
  },
})

export const hashrate = method({
  name: 'eth_hashrate',
  summary:
    'Hashes per second of this node: the work in its blocks of the last hour, and the reports of eth_submitHashrate.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { hashrates }) => toQuantity(hashrates.ofMiners),
})

export const netHashrate = method({
  name: 'eth_netHashrate',
  summary: 'Hashes per second of the network: the work in the blocks of the last hour, as a JSON integer.',
  result: z.int(),
  example: { params: [], result: 0 },
  run: (_, { hashrates }) => Number(hashrates.ofChain),
})

export const submitHashrate = method({
  name: 'eth_submitHashrate',
  summary: 'Reports the hashes per second of a miner. The report counts for ten seconds.',
  params: [
    param('hashrate', hash, 'Hashes per second, as 32 bytes.'),
    param('id', hash, 'Id of the miner, as 32 bytes.'),
  ],
  result: flag,
  access: 'write',
  example: { params: [`0x${'00'.repeat(31)}10`, ZERO_WORD], result: true },
  run: ({ hashrate: rate, id }, { hashrates }) => {
    hashrates.report(id, BigInt(rate))
    return true
  },
})
