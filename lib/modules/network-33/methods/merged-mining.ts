/** Methods for merged mining: work for miners of the auxiliary chain, and their blocks (node-chain 4). */

import * as z from 'zod'
import { asHash, fromHex, toHex, toQuantity, type Hash } from '../../../base/hex.ts'
import { param, writeMethod } from '../../../kernel/method.ts'
import { dataText, flag, hashText, quantityText } from '../../../schema/results.ts'
import { text } from '../../../schema/wire.ts'
import {
  auxBlockOfBranch,
  auxBlockOfIds,
  readAuxBlock,
  sealHashIn,
  type AuxBlock,
} from '../consensus/aux-block.ts'
import { proveWithAuxBlock } from '../consensus/own-work.ts'
import type { BridgeChain } from './scope.ts'

const getMergedWork = writeMethod({
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
  *run(_, { miningWork }: BridgeChain) {
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
async function submit(
  block: AuxBlock,
  { instance, miningWork }: BridgeChain,
): Promise<z.input<typeof imported>> {
  const { result, hash, number } = await instance.lock.finish(
    miningWork.submit(sealHashIn(block), (header, work) => proveWithAuxBlock(header, work, block)),
  )
  return {
    blockImportedResult: toHex(Buffer.from(result, 'ascii')),
    blockHash: hash,
    blockIncludedHeight: toQuantity(number),
  }
}

/** An invalid submission for examples: a header of zeros, and a coinbase transaction without outputs, so without work. */
const NO_HEADER = '00'.repeat(80)
const NO_COINBASE = `0100000001${'00'.repeat(32)}ffffffff00ffffffff0000000000`
const NO_HASH = '00'.repeat(32)

const submission = { result: imported, errors: ['submissionRefused'] } as const

const submitAuxBlock = writeMethod({
  ...submission,
  name: 'mnr_submit{Aux}Block',
  summary: 'Submits a block of the auxiliary chain whose coinbase contains a hash of mnr_getWork.',
  params: [param('block', plainHex, 'The whole block as plain hex.')],
  example: { params: [`${NO_HEADER}01${NO_COINBASE}`], refusal: 'submissionRefused' },
  run: ({ block }, node: BridgeChain) => submit(readAuxBlock(block), node),
})

const submitAuxBlockTransactions = writeMethod({
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
  run: ({ header: headerBytes, coinbase: coinbaseBytes, transactionHashes }, node: BridgeChain) =>
    submit(auxBlockOfIds(headerBytes, coinbaseBytes, transactionHashes), node),
})

const submitAuxBlockPartialMerkle = writeMethod({
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
  run: ({ header: headerBytes, coinbase: coinbaseBytes, merkleHashes }, node: BridgeChain) =>
    submit(auxBlockOfBranch(headerBytes, coinbaseBytes, merkleHashes), node),
})

export const mergedMiningMethods = [
  getMergedWork,
  submitAuxBlock,
  submitAuxBlockTransactions,
  submitAuxBlockPartialMerkle,
]
