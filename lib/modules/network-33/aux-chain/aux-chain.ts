/**
 * The auxiliary chain that a node keeps for the peg: an immutable value with blocks and waiting transactions. It checks neither
 * scripts nor amounts, and inputs may spend unknown outputs, which are coins from outside. Terms: bridge/bridge.ts.
 */

import { AUX_HEADER_BYTES } from '../aux-reader.ts'
import { NodeError } from '../../../base/errors.ts'
import { equalBytes, fromHex, type Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import {
  toDisplayOrder,
  toInternalOrder,
  hasValidWork,
  readAuxHeader,
  type AuxHeader,
} from '../bridge/aux-header.ts'
import {
  littleEndian,
  readAuxTransaction,
  COMMITMENT_PREFIX,
  writeAuxTransaction,
  type AuxInput,
  type AuxTransaction,
} from '../bridge/aux-transaction.ts'
import { merkleRoot } from '../bridge/merkle.ts'

/** Blocks, oldest first, and waiting transactions in the order they were sent. */
export interface AuxChain {
  /** The first block's parent is a header of the Bridge. */
  readonly blocks: readonly AuxChainBlock[]
  readonly pool: readonly AuxTransaction[]
}

/** The auxiliary chain of a new node. */
export const EMPTY_AUX_CHAIN: AuxChain = { blocks: [], pool: [] }

/** Finds a transaction by its id. Without a block it is still waiting. */
export function findAuxTransaction({ blocks, pool }: AuxChain, txid: Hash) {
  const wanted = toInternalOrder(fromHex(txid))
  const isWanted = ({ id }: AuxTransaction) => equalBytes(id, wanted)
  const block = blocks.find(({ transactions }) => transactions.some(isWanted))
  const transaction = (block?.transactions ?? pool).find(isWanted)
  return transaction && { transaction, block }
}

/**
 * Adds a waiting transaction. Returns the new chain and the id. @throws NodeError 'transactionRejected' if it cannot be read, has
 * no inputs or outputs, is known, or spends an output that another transaction of the chain spends
 */
export function withTransaction(chain: AuxChain, raw: Uint8Array): { chain: AuxChain; txid: Hash } {
  const transaction = readSent(raw)
  const { inputs, outputs } = transaction
  const txid = toDisplayOrder(transaction.id)
  if (inputs.length === 0 || outputs.length === 0)
    throw rejected(txid, `has ${inputs.length} inputs and ${outputs.length} outputs`)
  if (findAuxTransaction(chain, txid) !== undefined) throw rejected(txid, 'is known')
  const others = [...chain.blocks.flatMap(({ transactions }) => transactions), ...chain.pool]
  const spent = new Set(others.flatMap(spentBy))
  for (const output of spentBy(transaction)) {
    if (spent.has(output)) throw rejected(txid, `spends output ${output}, which is spent already`)
    spent.add(output)
  }
  return { chain: { ...chain, pool: [...chain.pool, transaction] }, txid }
}

function readSent(raw: Uint8Array): AuxTransaction {
  try {
    return readAuxTransaction(raw)
  } catch (error) {
    if (error instanceof PrecompileFailure) throw new NodeError('transactionRejected', error.message)
    throw error
  }
}

const rejected = (txid: Hash, fact: string): NodeError =>
  new NodeError('transactionRejected', `auxiliary transaction ${txid} ${fact}`)

/** The outputs that a transaction spends, as id and index. */
const spentBy = ({ inputs }: AuxTransaction): readonly string[] =>
  inputs.map(({ previousId, previousIndex }) => `${toDisplayOrder(previousId)}:${previousIndex}`)

/**
 * Mines blocks; the first contains the waiting transactions. If the Bridge's best header is not on this chain, the chain restarts
 * from that header without its earlier blocks.
 */
export function withAuxBlocks(chain: AuxChain, best: PlacedHeader, count: number): AuxChain {
  const blocks = isOnChain(chain, best) ? [...chain.blocks] : []
  let { pool } = chain
  for (let left = count; left > 0; left--) {
    blocks.push(mineAuxBlock(blocks.at(-1)?.header ?? best, pool))
    pool = []
  }
  return { blocks, pool }
}

/** Whether a header is in the chain, or is the one where the chain began. */
const isOnChain = ({ blocks }: AuxChain, { hash }: PlacedHeader): boolean =>
  blocks[0]?.header.previousHash === hash || blocks.some(({ header }) => header.hash === hash)

/** Number of blocks from a header's block to the newest, both included. */
export const confirmationsOf = ({ blocks }: AuxChain, { height }: PlacedHeader): bigint =>
  (blocks.at(-1)?.header.height ?? height) - height + 1n

/** An output outside the chain, different for each transaction. `best` is the Bridge's best header. */
export function outsideOutput(
  { blocks, pool }: AuxChain,
  best: PlacedHeader,
): Pick<AuxInput, 'previousId' | 'previousIndex'> {
  const { bytes } = blocks.at(-1)?.header ?? best
  return {
    previousId: doubleSha256(Buffer.concat([bytes, littleEndian(pool.length, 4)])),
    previousIndex: 0,
  }
}

export type PlacedHeader = AuxHeader & { readonly height: bigint }

/** A block; its coinbase is the first transaction. */
export interface AuxChainBlock {
  readonly header: PlacedHeader
  readonly transactions: readonly AuxTransaction[]
}

/** The only item of a coinbase's witness, and also its witness id (BIP-141). */
export const ZEROS = new Uint8Array(32)

/** Witness ids of the coinbase and the other transactions of a block: the leaves of a Merkle tree. */
export const witnessIdsOf = (others: readonly AuxTransaction[]): readonly Uint8Array[] => [
  ZEROS,
  ...others.map(({ raw }) => doubleSha256(raw)),
]

/** Reward of a block: 50 coins, in sat. It is never halved. */
const REWARD = 5_000_000_000n
/** A script that anyone can spend: OP_1. */
const ANYONE = Uint8Array.of(0x51)
const MAX_UINT32 = 0xffff_ffff

/** The coinbase of a block. Its script contains the height, so that every id is different (BIP-34). */
function coinbaseOf(height: bigint, witnessRoot: Uint8Array): AuxTransaction {
  const script = Uint8Array.of(4, ...littleEndian(height, 4))
  const commitment = doubleSha256(Buffer.concat([witnessRoot, ZEROS]))
  const input = { previousId: ZEROS, previousIndex: MAX_UINT32, script, sequence: MAX_UINT32 }
  const outputs = [
    { sat: REWARD, script: ANYONE },
    { sat: 0n, script: Uint8Array.of(...COMMITMENT_PREFIX, ...commitment) },
  ]
  return readAuxTransaction(writeAuxTransaction([input], outputs, [[ZEROS]]))
}

const TIME_OFFSET = 68
const NONCE_OFFSET = 76
const SECONDS_BETWEEN_BLOCKS = 600

/**
 * The block after another one, with a coinbase and these transactions. It is always ten minutes later, so that the same blocks have
 * the same hashes on every node.
 */
export function mineAuxBlock(parent: PlacedHeader, others: readonly AuxTransaction[]): AuxChainBlock {
  const height = parent.height + 1n
  const transactions = [coinbaseOf(height, merkleRoot(witnessIdsOf(others))), ...others]
  const time = Buffer.from(parent.bytes).readUInt32LE(TIME_OFFSET) + SECONDS_BETWEEN_BLOCKS
  const bytes = mineAuxHeader(parent.bytes, merkleRoot(transactions.map(({ id }) => id)), time)
  return { header: { ...readAuxHeader(bytes), height }, transactions }
}

/** Version without miner signals (BIP-9). */
const HEADER_VERSION = littleEndian(0x2000_0000, 4)
/** The maximum target in compact form, which every second nonce meets. */
const EASIEST_BITS = littleEndian(0x207f_ffff, 4)

/** The header after another one, with the lowest nonce that meets the maximum target. `time` is in seconds since the epoch. */
export function mineAuxHeader(parent: Uint8Array, root: Uint8Array, time: number): Uint8Array {
  const parts = [HEADER_VERSION, doubleSha256(parent), root, littleEndian(time, 4), EASIEST_BITS]
  const header = Buffer.concat(parts, AUX_HEADER_BYTES)
  for (let nonce = 1; !hasValidWork(readAuxHeader(header)); nonce++) header.writeUInt32LE(nonce, NONCE_OFFSET)
  return new Uint8Array(header)
}
