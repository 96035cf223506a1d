/** Old blocks, encoded as texts that take a fifth of the memory. A block is decoded when it is read. */

import { CompressibleText } from '../base/compressed-texts.ts'
import { toHash } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { InvariantError } from '../base/invariant.ts'
import { ValueCodec } from '../base/value-codec.ts'
import { EMPTY_BLOOM } from '../evm/outcome.ts'
import { hasLogs } from './block.ts'
import type { Block } from './block.ts'
import { EMPTY_TRIE_HASH, NO_REQUESTS_HASH, NO_UNCLES_HASH, ZERO_HASH } from './header.ts'

/** Values that occur in most blocks; the codec writes each of them in two bytes. */
const CONSTANTS = [EMPTY_BLOOM, EMPTY_TRIE_HASH, NO_REQUESTS_HASH, NO_UNCLES_HASH, ZERO_HASH, 'success']

const codec = new ValueCodec(CONSTANTS)

/** Length of a hash in bytes. */
const HASH_LENGTH = 32

/** Hash of the block, hashes of its transactions, and the encoded block, one character per byte. */
function textOf(block: Block): string {
  const hashes = [block.hash, ...block.receipts.map(({ transaction }) => transaction.hash)]
  const bytes = Buffer.from(hashes.map((hash) => hash.slice(2)).join(''), 'hex')
  return `${bytes.toString('latin1')}${codec.encode(block, hashes)}`
}

/** Length of the text of a block, and of the part of it that is receipts without their transactions: outcomes with logs. */
export function packedLengths(block: Block): { readonly whole: number; readonly receipts: number } {
  const outcomes = block.receipts.map((receipt) => ({ ...receipt, transaction: undefined }))
  return { whole: textOf(block).length, receipts: codec.encode(outcomes).length }
}

/** A packed block. */
export class PackedBlock extends CompressibleText {
  /** Whether the block has logs. */
  readonly hasLogs: boolean
  /** Number of transactions of the block. */
  readonly transactionCount: number
  #unpacked: WeakRef<Block> | undefined

  constructor(block: Block) {
    super(textOf(block))
    this.hasLogs = hasLogs(block)
    this.transactionCount = block.receipts.length
  }

  get hash(): Hash {
    return this.#hashAt(0)
  }

  get transactionHashes(): readonly Hash[] {
    return Array.from({ length: this.transactionCount }, (_, index) => this.#hashAt(1 + index))
  }

  /** The decoded block. While earlier callers still use the decoded object, it returns the same one. */
  unpack(): Block {
    return this.#unpacked?.deref() ?? this.#decode()
  }

  #decode(): Block {
    const hashes = [this.hash, ...this.transactionHashes]
    const block = codec.decode(this.text, hashes, hashes.length * HASH_LENGTH)
    if (!isBlock(block)) throw new InvariantError('a packed block does not decode to a block')
    this.#unpacked = new WeakRef(block)
    return block
  }

  #hashAt(index: number): Hash {
    const start = index * HASH_LENGTH
    return toHash(Buffer.from(this.text.slice(start, start + HASH_LENGTH), 'latin1'))
  }
}

/** Whether a decoded value is a block. Only this file encodes, so the check of one member suffices. */
const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && 'receipts' in value
