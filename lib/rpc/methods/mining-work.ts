/** Methods for miners: work of Ethash and of merged mining. */

import * as z from 'zod'
import { toQuantity, asHash, fromHex, toHex } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import { seedHash } from '../../networks/ethereum/consensus/ethash.ts'
import { flag, hashText, quantityText, dataText } from '../../schema/results.ts'
import { data, hash } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { begin } from '../../base/routine.ts'
import { NodeError } from '../../base/errors.ts'
import type { AuxMining } from '../../networks/consensus/consensus.ts'
import {
  auxBlockOfBranch,
  auxBlockOfIds,
  readAuxBlock,
} from '../../networks/network-33/consensus/aux-block.ts'
import type { AuxBlock } from '../../networks/network-33/consensus/aux-block.ts'
import type { Node } from '../../node/node.ts'

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

export const getMergedWork = method({
  name: 'mnr_getWork',
  summary:
    'Work for the pending block. `notify` is true once for each parent, and again when fees rise by more than a tenth.',
  result: z.strictObject({
    blockHashForMergedMining: hashText,
    target: hashText,
    feesPaidToMiner: z.string().regex(/^\d+$/),
    notify: flag,
    parentBlockHash: hashText,
  }),
  access: 'write',
  errors: ['submissionRefused'],
  example: { params: [] },
  run: async (_, node) => {
    auxMiningOf(node)
    const { miningWork } = node
    const work = miningWork.current()
    return {
      blockHashForMergedMining: work.hash,
      target: work.target,
      feesPaidToMiner: work.fees.toString(),
      notify: miningWork.notify(work),
      parentBlockHash: work.entry.block.header.parentHash,
    }
  },
})

const HEX_EXPECTED = 'expected an even number of hex digits'
/** Bytes as auxiliary nodes write them: hex without a prefix; the prefix is accepted. */
const plainHex = z
  .string({ error: HEX_EXPECTED })
  .regex(/^(0x)?([0-9a-fA-F]{2})*$/, HEX_EXPECTED)
  .transform((digits) => fromHex(digits.startsWith('0x') ? digits : `0x${digits}`))

const HASHES_EXPECTED = 'expected hashes of 64 hex digits with white space between'
const hashes = z
  .string({ error: HASHES_EXPECTED })
  .transform((line) => line.split(/\s+/).filter((word) => word !== ''))
  .refine((words) => words.every((word) => /^(0x)?[0-9a-fA-F]{64}$/.test(word)), HASHES_EXPECTED)
  .transform((words) => words.map((word): Hash => asHash(word.startsWith('0x') ? word : `0x${word}`)))

const HEX_COUNT_EXPECTED = 'expected a number in hex digits'
const hexCount = z.string({ error: HEX_COUNT_EXPECTED }).regex(/^(0x)?[0-9a-fA-F]{1,8}$/, HEX_COUNT_EXPECTED)

const blockHash = param('blockHash', plainHex, 'Hash of the block of the auxiliary chain; ignored.')
const header = param('header', plainHex, 'The 80 bytes of its header.')
const coinbase = param('coinbase', plainHex, 'Its coinbase transaction, which contains the hash of the work.')

const imported = z.strictObject({
  blockImportedResult: dataText,
  blockHash: hashText,
  blockIncludedHeight: quantityText,
})

/** Submits the block. @throws NodeError 'submissionRefused' */
async function submit(block: AuxBlock, node: Node): Promise<z.input<typeof imported>> {
  const { result, hash, number } = await node.instance.lock.finish(
    begin(node.miningWork.submit(block, auxMiningOf(node))),
  )
  return {
    blockImportedResult: toHex(Buffer.from(result, 'ascii')),
    blockHash: hash,
    blockIncludedHeight: toQuantity(number),
  }
}

/** Mining with aux blocks on this network. @throws NodeError 'submissionRefused' */
function auxMiningOf({ consensus: { auxMining }, network }: Node): AuxMining {
  if (auxMining !== undefined) return auxMining
  throw new NodeError(
    'submissionRefused',
    `network ${network.name} has no merged mining: its work is that of eth_getWork`,
  )
}

/**
 * Invalid submission for examples: a header of zeros, and a coinbase transaction without outputs, so without a hash of work.
 */
const NO_HEADER = '00'.repeat(80)
const NO_COINBASE = `0100000001${'00'.repeat(32)}ffffffff00ffffffff0000000000`
const NO_HASH = '00'.repeat(32)

const submission = {
  result: imported,
  access: 'write',
  errors: ['submissionRefused'],
} as const

export const submitAuxBlock = method({
  ...submission,
  name: 'mnr_submit{Aux}Block',
  summary: 'Submits a block of the auxiliary chain whose coinbase contains a hash of mnr_getWork.',
  params: [param('block', plainHex, 'The whole block as plain hex.')],
  example: { params: [`${NO_HEADER}01${NO_COINBASE}`], refusal: 'submissionRefused' },
  run: ({ block }, node) => submit(readAuxBlock(block), node),
})

export const submitAuxBlockTransactions = method({
  ...submission,
  name: 'mnr_submit{Aux}BlockTransactions',
  summary:
    'Submits a block of the auxiliary chain as its header, its coinbase and the ids of its transactions.',
  params: [
    blockHash,
    header,
    coinbase,
    param('transactionHashes', hashes, 'Ids in display order with white space between, the coinbase first.'),
  ],
  example: { params: [NO_HASH, NO_HEADER, NO_COINBASE, NO_HASH], refusal: 'submissionRefused' },
  run: ({ header: headerBytes, coinbase: coinbaseBytes, transactionHashes }, node) =>
    submit(auxBlockOfIds(headerBytes, coinbaseBytes, transactionHashes), node),
})

export const submitAuxBlockPartialMerkle = method({
  ...submission,
  name: 'mnr_submit{Aux}BlockPartialMerkle',
  summary:
    'Submits a block of the auxiliary chain as its header, its coinbase and the Merkle branch of the coinbase.',
  params: [
    blockHash,
    header,
    coinbase,
    param('merkleHashes', hashes, 'The coinbase and its siblings on the way up, in internal byte order.'),
    param('transactionCount', hexCount, 'Number of transactions in hex digits; ignored.'),
  ],
  example: { params: [NO_HASH, NO_HEADER, NO_COINBASE, NO_HASH, '1'], refusal: 'submissionRefused' },
  run: ({ header: headerBytes, coinbase: coinbaseBytes, merkleHashes }, node) =>
    submit(auxBlockOfBranch(headerBytes, coinbaseBytes, merkleHashes), node),
})
