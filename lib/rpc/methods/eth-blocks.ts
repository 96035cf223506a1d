/** Methods that read blocks, headers and uncles, and what blocks access and change (EIP-7928). */

import * as z from 'zod'
import { bytesToBigInt, toAddress, toHex, toQuantity, toWord } from '../../base/hex.ts'
import { invariant } from '../../base/invariant.ts'
import { decodeRlp, type RlpItem } from '../../base/rlp.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { ResolvedBlock } from '../../chain/miner/block-resolver.ts'
import { simpleBlockRef } from '../../schema/requests.ts'
import { optionalWith, boolean, hash, quantity, index } from '../../schema/wire.ts'
import { accessListObject, blockObject, dataText, flag, hashText } from '../../schema/results.ts'
import { headerObject, quantityText } from '../../schema/results.ts'
import { blockReaders } from '../block-readers.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { renderBlock, renderHeader } from '../render/block.ts'
import { UNKNOWN_HASH, anyBlock, ofBlock } from './params.ts'
import { uncleHashesOf } from '../../chain/block.ts'
import type { Node } from '../../node/node.ts'

type ReadChain = Pick<Node, 'blockResolver' | 'chain'>

/** Adds nonce and bloom to the pending block. Only dialect node33 leaves them null. */
function withSeal<Rendered extends object>(
  { block: { header } }: ResolvedBlock,
  rendered: Rendered,
  dialect: Dialect,
) {
  if (dialect === 'node33') return rendered
  return { ...rendered, nonce: toHex(header.nonce), logsBloom: toHex(header.logsBloom) }
}

export const getBlock = blockReaders(
  { name: 'eth_getBlockByHash', example: { params: [UNKNOWN_HASH, false], result: null } },
  { name: 'eth_getBlockByNumber', example: { params: ['latest', false] } },
  {
    summary:
      'A block, or null. The `pending` block has no hash, and in dialect node33 no nonce and no bloom.',
    params: [
      param('full', optionalWith(boolean, false), 'Whether to return whole transactions instead of hashes.'),
    ],
    result: blockObject.nullable(),
    run: ofBlock((block, { full }, { dialect }) => withSeal(block, renderBlock(block, full), dialect)),
  },
)

export const getHeader = blockReaders(
  { name: 'eth_getHeaderByHash', example: { params: [UNKNOWN_HASH], result: null } },
  {
    name: 'eth_getHeaderByNumber',
    aliases: ['erigon_getHeaderByNumber', 'ots_getHeaderByNumber'],
    example: { params: ['latest'] },
  },
  {
    summary: 'The header of a block, or null.',
    params: [],
    result: headerObject.nullable(),
    run: ofBlock((block, _, { dialect }) => withSeal(block, renderHeader(block), dialect)),
  },
)

export const getBlockTransactionCountByHash = readMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Number of transactions in the block with a hash, or null.',
  params: [param('hash', hash, 'Hash of the block.')],
  result: quantityText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, { chain }: ReadChain) => {
    const entry = chain.byHash(wanted)
    return entry === undefined ? null : toQuantity(entry.block.receipts.length)
  },
})

export const getBlockTransactionCountByNumber = readMethod({
  name: 'eth_getBlockTransactionCountByNumber',
  summary:
    'Number of transactions in the block with a number or tag; null if it does not exist, in dialect node33 an error.',
  params: [param('block', simpleBlockRef, 'Number or tag of the block.')],
  result: quantityText.nullable(),
  errors: ['unknownBlock'],
  example: { params: ['latest'], result: '0x0' },
  run: ({ block }, { blockResolver }: ReadChain, { dialect }) => {
    const resolved = dialect === 'node33' ? blockResolver.at(block) : blockResolver.find(block)
    return resolved === undefined ? null : toQuantity(resolved.block.receipts.length)
  },
})

export const getBlocksByNumber = readMethod({
  name: 'eth_getBlocksByNumber',
  summary: 'Every known block at a height. A block that evm_revert removed is unknown.',
  params: [param('number', quantity, 'Height.')],
  result: z.array(z.strictObject({ hash: hashText, totalDifficulty: quantityText, inMainChain: flag })),
  example: { params: ['0x1'], result: [] },
  run: ({ number }, { chain }: ReadChain) => {
    const main = chain.at(number)
    const others = [...chain.sideBlocks].filter(({ block }) => block.header.number === number)
    return [...(main === undefined ? [] : [main]), ...others].map((entry) => ({
      hash: entry.hash,
      totalDifficulty: toQuantity(entry.block.totalDifficulty),
      inMainChain: entry === main,
    }))
  },
})

export const getUncleCount = blockReaders(
  { name: 'eth_getUncleCountByBlockHash', example: { params: [UNKNOWN_HASH], refusal: 'unknownBlock' } },
  { name: 'eth_getUncleCountByBlockNumber', example: { params: ['latest'], result: '0x0' } },
  {
    summary: 'Number of uncles of a block.',
    params: [],
    result: quantityText,
    errors: ['unknownBlock'],
    run: ({ block }, { blockResolver }: ReadChain) =>
      toQuantity(uncleHashesOf(blockResolver.at(block).block).length),
  },
)

export const getUncleAt = blockReaders(
  { name: 'eth_getUncleByBlockHashAndIndex', example: { params: [UNKNOWN_HASH, '0x0'], result: null } },
  { name: 'eth_getUncleByBlockNumberAndIndex', example: { params: ['latest', '0x0'], result: null } },
  {
    summary: 'An uncle of a block, as a block without transactions, or null.',
    params: [param('index', index, 'Position among the uncles of the block.')],
    result: blockObject.nullable(),
    run: ({ block: ref, index: position }, { blockResolver, chain }: ReadChain) => {
      const block = blockResolver.find(ref)?.block
      const header = block?.uncles[position]
      const own = block && uncleHashesOf(block)[position]
      if (header === undefined || own === undefined) return null
      // For an uncle that the node does not store only the header is known, but no total difficulty (node-rpc 4.1).
      const uncle = chain.byHash(own)?.block ?? {
        header,
        hash: own,
        receipts: [],
        uncles: [],
        totalDifficulty: 0n,
      }
      return { ...renderBlock({ block: uncle, isPending: false }, false), transactions: [] }
    },
  },
)

const NULL = 'null if the block is unknown, or has no access list'

export const getBlockAccessList = readMethod({
  name: 'eth_getBlockAccessList',
  summary: `The accounts and slots that a block accesses, with their values after each part that changes them (EIP-7928): index 0 is before the transactions, then each has one; ${NULL}.`,
  params: [anyBlock],
  result: z.array(accessListObject).nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ofBlock(({ block: { accessList } }) => accessList && renderAccessList(accessList)),
})

export const getRawBlockAccessList = readMethod({
  name: 'debug_getRawBlockAccessList',
  summary: `The RLP of the access list of a block, whose hash is in the header (EIP-7928); ${NULL}.`,
  params: [anyBlock],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ofBlock(({ block: { accessList } }) => accessList && toHex(accessList)),
})

/** The members of each account, as in the execution APIs (src/schemas/block-access-list.yaml). */
const renderAccessList = (list: Uint8Array): z.input<typeof accessListObject>[] =>
  itemsOf(decodeRlp(list)).map((account) => {
    const [address, writes, reads, balances, nonces, codes] = itemsOf(account)
    return {
      address: toAddress(bytesOf(address)),
      storageChanges: itemsOf(writes).map((write) => {
        const [slot, changes] = itemsOf(write)
        return { key: wordOf(slot), changes: changesOf(changes, (value) => ({ value: wordOf(value) })) }
      }),
      storageReads: itemsOf(reads).map(wordOf),
      balanceChanges: changesOf(balances, (value) => ({ value: numberOf(value) })),
      nonceChanges: changesOf(nonces, (value) => ({ value: numberOf(value) })),
      codeChanges: changesOf(codes, (value) => ({ code: toHex(bytesOf(value)) })),
    }
  })

function changesOf<T extends object>(
  changes: RlpItem | undefined,
  render: (value: RlpItem | undefined) => T,
) {
  return itemsOf(changes).map((change) => {
    const [index, value] = itemsOf(change)
    return { index: numberOf(index), ...render(value) }
  })
}

const numberOf = (item: RlpItem | undefined) => toQuantity(bytesToBigInt(bytesOf(item)))

const wordOf = (item: RlpItem | undefined) => toWord(bytesToBigInt(bytesOf(item)))

function bytesOf(item: RlpItem | undefined): Uint8Array {
  invariant(item instanceof Uint8Array, 'an access list has other items')
  return item
}

function itemsOf(item: RlpItem | undefined): readonly RlpItem[] {
  invariant(item !== undefined && !(item instanceof Uint8Array), 'an access list has other items')
  return item
}
