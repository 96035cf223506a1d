/** Methods that return the encoded forms of blocks, headers, receipts and transactions. */

import * as z from 'zod'
import { toHex } from '../../base/hex.ts'
import { rawBlock, rawHeader, rawReceipts, rawTransaction } from '../../chain/raw-forms.ts'
import { networkForm } from '../../evm/sidecar.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { blockObject, dataText, hashText } from '../../schema/results.ts'
import { index } from '../../schema/wire.ts'
import { blockReaders } from '../block-readers.ts'
import { SENT, UNKNOWN_HASH, anyBlock, existing, ofBlock, transactionHash } from './params.ts'
import type { Node } from '../../node/node.ts'

const block = existing(anyBlock)

export const getRawBlock = readMethod({
  name: 'debug_getRawBlock',
  summary: 'The RLP of a block: header, transactions, uncles and, where there are any, withdrawals.',
  params: [block],
  result: dataText,
  example: { params: ['latest'] },
  run: ({ block: ref }, { blockResolver }: Pick<Node, 'blockResolver'>) =>
    toHex(rawBlock(blockResolver.at(ref).block)),
})

export const getRawHeader = readMethod({
  name: 'debug_getRawHeader',
  summary:
    'The RLP of the header of a block. Its hash is that of the block on Ethereum networks; on network 33 that is the hash of a shorter encoding.',
  params: [block],
  result: dataText,
  example: { params: ['latest'] },
  run: ({ block: ref }, { blockResolver }: Pick<Node, 'blockResolver'>) =>
    toHex(rawHeader(blockResolver.at(ref).block)),
})

export const getRawReceipts = readMethod({
  name: 'debug_getRawReceipts',
  summary: 'The receipts of a block, each as it stands in the receipt trie of the block.',
  params: [block],
  result: z.array(dataText),
  example: { params: ['latest'], result: [] },
  run: ({ block: ref }, { blockResolver, network }: Pick<Node, 'blockResolver' | 'network'>) =>
    rawReceipts(network, blockResolver.at(ref).block).map(toHex),
})

export const getRawTransactions = readMethod({
  name: 'debug_getRawTransactions',
  summary: 'The signed bytes of the transactions of a block.',
  params: [block],
  result: z.array(dataText),
  example: { after: [SENT.step], params: ['latest'], result: [SENT.raw] },
  run: ({ block: ref }, { blockResolver }: Pick<Node, 'blockResolver'>) =>
    blockResolver.at(ref).block.receipts.map(({ transaction }) => toHex(rawTransaction(transaction))),
})

export const getRawTransaction = readMethod({
  name: 'debug_getRawTransaction',
  aliases: ['eth_getRawTransactionByHash'],
  summary: 'The signed bytes of a mined or pooled transaction, while pooled with its blobs, or null.',
  params: [transactionHash],
  result: dataText.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: SENT.raw },
  run: ({ hash: wanted }, { chain, mempool, sidecars }: Pick<Node, 'chain' | 'mempool' | 'sidecars'>) => {
    const pooled = mempool.get(wanted)?.transaction
    if (pooled !== undefined) return toHex(networkForm(pooled, sidecars.get(wanted)))
    const mined = chain.receipt(wanted)?.receipt.transaction
    return mined === undefined ? null : toHex(rawTransaction(mined))
  },
})

export const getRawTransactionAt = blockReaders(
  {
    name: 'eth_getRawTransactionByBlockHashAndIndex',
    blockParam: 'blockHash',
    example: { params: [UNKNOWN_HASH, '0x0'], result: null },
  },
  {
    name: 'eth_getRawTransactionByBlockNumberAndIndex',
    example: { after: [SENT.step], params: ['latest', '0x0'], result: SENT.raw },
  },
  {
    summary: 'The signed bytes of a transaction by its position in a block, or null.',
    params: [param('index', index, 'Position in the block.')],
    result: dataText.nullable(),
    run: ofBlock(({ block: { receipts } }, { index: position }) => {
      const transaction = receipts[position]?.transaction
      return transaction && toHex(rawTransaction(transaction))
    }),
  },
)

export const getBadBlocks = readMethod({
  name: 'debug_getBadBlocks',
  summary: 'Blocks that were refused as invalid: none, as the submission of an invalid block is an error.',
  result: z.array(z.strictObject({ block: blockObject, hash: hashText, rlp: dataText })),
  example: { params: [], result: [] },
  run: () => [],
})
