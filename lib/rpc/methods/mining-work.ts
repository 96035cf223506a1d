/** Methods for miners: work of Ethash and of merged mining. */

import * as z from 'zod'
import { toQuantity, asHash, fromHex, toHex, type Hash } from '../../base/hex.ts'
import { seedHash } from '../../networks/ethereum/consensus/ethash.ts'
import { flag, hashText, quantityText, dataText } from '../../schema/results.ts'
import { data, hash, text } from '../../schema/wire.ts'
import { confirmed } from '../../kernel/control.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import type { Routine } from '../../base/routine.ts'
import { NodeError } from '../../base/errors.ts'
import type { AuxMining } from '../../networks/consensus/consensus.ts'
import {
  auxBlockOfBranch,
  auxBlockOfIds,
  readAuxBlock,
} from '../../networks/network-33/consensus/aux-block.ts'
import type { AuxBlock } from '../../networks/network-33/consensus/aux-block.ts'
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

export const getMergedWork = writeMethod({
  name: 'mnr_getWork',
  summary: 'Work for the pending block. `notify`: the parent is new, or fees rose by more than a tenth.',
  result: z.strictObject({
    blockHashForMergedMining: hashText,
    target: hashText,
    feesPaidToMiner: z.string().regex(/^\d+$/),
    notify: flag,
    parentBlockHash: hashText,
  }),
  errors: ['submissionRefused'],
  *run(_, node: Node) {
    auxMiningOf(node)
    const { miningWork } = node
    const work = yield* miningWork.current()
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
  .string(HEX_EXPECTED)
  .regex(/^(0x)?([0-9a-fA-F]{2})*$/, HEX_EXPECTED)
  .transform((digits) => fromHex(digits.startsWith('0x') ? digits : `0x${digits}`))

const hashes = text('hashes of 64 hex digits with white space between', (line) => {
  const words = line.split(/\s+/).filter((word) => word !== '')
  if (!words.every((word) => /^(0x)?[0-9a-fA-F]{64}$/.test(word))) return undefined
  return words.map((word): Hash => asHash(word.startsWith('0x') ? word : `0x${word}`))
})

const HEX_COUNT_EXPECTED = 'expected a number in hex digits'
const hexCount = z.string(HEX_COUNT_EXPECTED).regex(/^(0x)?[0-9a-fA-F]{1,8}$/, HEX_COUNT_EXPECTED)

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
    node.miningWork.submit(block, auxMiningOf(node)),
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

/** Invalid submission for examples: a header of zeros, and a coinbase transaction without outputs, so without work. */
const NO_HEADER = '00'.repeat(80)
const NO_COINBASE = `0100000001${'00'.repeat(32)}ffffffff00ffffffff0000000000`
const NO_HASH = '00'.repeat(32)

const submission = { result: imported, errors: ['submissionRefused'] } as const

export const submitAuxBlock = writeMethod({
  ...submission,
  name: 'mnr_submit{Aux}Block',
  summary: 'Submits a block of the auxiliary chain whose coinbase contains a hash of mnr_getWork.',
  params: [param('block', plainHex, 'The whole block as plain hex.')],
  example: { params: [`${NO_HEADER}01${NO_COINBASE}`], refusal: 'submissionRefused' },
  run: ({ block }, node) => submit(readAuxBlock(block), node),
})

export const submitAuxBlockTransactions = writeMethod({
  ...submission,
  name: 'mnr_submit{Aux}BlockTransactions',
  summary: 'Submits a block of the auxiliary chain by its header, coinbase and ids of transactions.',
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

export const submitAuxBlockPartialMerkle = writeMethod({
  ...submission,
  name: 'mnr_submit{Aux}BlockPartialMerkle',
  summary: 'Submits a block of the auxiliary chain by its header, coinbase and Merkle branch.',
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
