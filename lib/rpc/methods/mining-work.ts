/** Methods for miners of Ethash. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { seedHash } from '../../networks/ethereum/consensus/ethash.ts'
import { flag, hashText, quantityText } from '../../schema/results.ts'
import { data, hash } from '../../schema/wire.ts'
import { confirmed } from '../../kernel/control.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import type { Routine } from '../../base/routine.ts'
import type { Node } from '../../node/node.ts'
import { UNKNOWN_HASH } from './params.ts'

// The node keeps the work until a solution is submitted.
export const getWork = writeMethod({
  name: 'eth_getWork',
  summary: 'Work for the pending block: hash of its header without the seal, seed of its epoch, and target.',
  result: z.tuple([hashText, hashText, hashText]),
  *run(_, { miningWork }: Node): Routine<[string, string, string]> {
    const { hash: headerHash, target, entry } = yield* miningWork.current()
    return [headerHash, seedHash(entry.block.header.number), target]
  },
})

const nonce = data.refine((bytes) => bytes.length === 8, 'expected a nonce of 8 bytes')

export const submitWork = writeMethod({
  name: 'eth_submitWork',
  summary:
    "Makes a block from work of eth_getWork; false if the work is unknown or not solved, or if the block does not become the head. Work is solved if ethash's final hash, of the nonce and the claimed mix digest, reaches the target; the mix digest itself is not checked. On merged-mining networks the auxiliary header that the node makes with this nonce must reach the target.",
  params: [
    param('nonce', nonce, 'Nonce; on merged-mining networks at most four bytes, without leading zeros.'),
    param('headerHash', hash, 'The work, as the first member of eth_getWork.'),
    param('mixDigest', hash, 'Mix digest; unused on merged-mining networks. The block keeps its randomness.'),
  ],
  result: flag,
  example: { params: ['0x0000000000000001', UNKNOWN_HASH, UNKNOWN_HASH], result: false },
  run: async ({ nonce: found, headerHash, mixDigest }, { miningWork }) => {
    const imported = await miningWork.seal(headerHash, { nonce: found, mixDigest })
    return imported?.result === 'IMPORTED_BEST'
  },
})

export const hashrate = readMethod({
  name: 'eth_hashrate',
  summary: 'Hashes per second of this node: in its blocks of the last hour, and by eth_submitHashrate.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { hashrates }) => toQuantity(hashrates.ofMiners),
})

export const netHashrate = readMethod({
  name: 'eth_netHashrate',
  summary: 'Hashes per second of the network: the work in the blocks of the last hour, as a JSON integer.',
  result: z.int(),
  example: { params: [], result: 0 },
  run: (_, { hashrates }) => Number(hashrates.ofChain),
})

export const submitHashrate = confirmed({
  name: 'eth_submitHashrate',
  summary: 'Reports the hashes per second of a miner. The report counts for ten seconds.',
  params: [
    param('hashrate', hash, 'Hashes per second, as 32 bytes.'),
    param('id', hash, 'Id of the miner, as 32 bytes.'),
  ],
  example: { params: [`0x${'00'.repeat(31)}10`, UNKNOWN_HASH], result: true },
  run: ({ hashrate: rate, id }, { hashrates }) => hashrates.report(id, BigInt(rate)),
})
