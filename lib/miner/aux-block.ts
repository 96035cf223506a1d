/** Blocks of the auxiliary chain that merged mining hands in: reading them, and whether they are work on a candidate. */

import { NodeError } from '../base/errors.ts'
import { fromHex, toHash, toHex } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { doubleSha256 } from '../crypto/sha256.ts'
import { ByteReader } from './byte-reader.ts'
import { reaches } from './work.ts'

/** What stands before the hash of the work in the coinbase transaction (node-chain 4.3). */
const TAG = fromHex('0x52534b424c4f434b3a')

/** Bytes of a header, and where the Merkle root of its transactions stands in it. */
const HEADER_BYTES = 80
const MERKLE_ROOT = { start: 36, end: 68 }

/** Most bytes behind the hash of the work (node-chain 6.7). */
const MOST_TAIL = 128

/** A block of the auxiliary chain, as far as it proves work. */
export interface AuxBlock {
  readonly header: Uint8Array
  /** The coinbase transaction without witness data. */
  readonly coinbase: Uint8Array
  /** What the ids of the transactions hash to, computed from them. */
  readonly merkleRoot: Uint8Array
}

/** Reads a whole block: header, number of transactions, transactions. @throws NodeError 'invalidParams' */
export function readAuxBlock(bytes: Uint8Array): AuxBlock {
  const reader = new ByteReader(bytes, 'block')
  const header = reader.take(HEADER_BYTES)
  const count = reader.variableInteger()
  const transactions: Uint8Array[] = []
  for (let index = 0; index < count; index++) transactions.push(readTransaction(reader))
  reader.end()
  const [coinbase] = transactions
  if (coinbase === undefined) throw new NodeError('invalidParams', 'block: expected at least one transaction')
  return { header, coinbase, merkleRoot: merkleRoot(transactions.map(doubleSha256)) }
}

/** Puts a block together from header, coinbase transaction and the ids of all transactions in display order. */
export function auxBlockOfIds(header: Uint8Array, coinbase: Uint8Array, ids: readonly Hash[]): AuxBlock {
  const own = stripped(coinbase)
  const others = ids.slice(1).map((id) => fromHex(id).reverse())
  // Whatever the first id says: it is the coinbase that must prove the work.
  return { header: sized(header), coinbase: own, merkleRoot: merkleRoot([doubleSha256(own), ...others]) }
}

/**
 * The same from a branch of the Merkle tree: the siblings on the way up, in internal order, behind the coinbase itself.
 * @throws NodeError 'submissionRefused' when the branch is empty
 */
export function auxBlockOfBranch(
  header: Uint8Array,
  coinbase: Uint8Array,
  branch: readonly Hash[],
): AuxBlock {
  if (branch.length === 0) {
    throw new NodeError('submissionRefused', "The list of merkle hashes can't be empty")
  }
  const own = stripped(coinbase)
  const siblings = branch.slice(1).map(fromHex)
  return { header: sized(header), coinbase: own, merkleRoot: siblings.reduce(parent, doubleSha256(own)) }
}

/** Hash of the work that the coinbase transaction names behind its last tag, if it has one. */
export function workIn({ coinbase }: AuxBlock): Hash | undefined {
  const at = Buffer.from(coinbase).lastIndexOf(TAG)
  const hash = coinbase.subarray(at + TAG.length, at + TAG.length + 32)
  return at < 0 || hash.length < 32 ? undefined : toHash(hash)
}

/** Whether the block proves work on what its coinbase names (node-chain 6.7). */
export function provesWork({ header, coinbase, merkleRoot: root }: AuxBlock, target: Hash): boolean {
  const at = Buffer.from(coinbase).lastIndexOf(TAG)
  const tail = coinbase.length - at - TAG.length - 32
  const claimed = header.subarray(MERKLE_ROOT.start, MERKLE_ROOT.end)
  // Coinbase transactions of up to one SHA-256 block could be forged from a midstate.
  const isLong = coinbase.length > 64
  return (
    at >= 0 &&
    tail >= 0 &&
    tail <= MOST_TAIL &&
    isLong &&
    toHex(claimed) === toHex(root) &&
    reaches(doubleSha256(header).reverse(), target)
  )
}

function sized(header: Uint8Array): Uint8Array {
  if (header.length === HEADER_BYTES) return header
  throw new NodeError('invalidParams', `header: expected ${HEADER_BYTES} bytes, got ${header.length}`)
}

function stripped(coinbase: Uint8Array): Uint8Array {
  const reader = new ByteReader(coinbase, 'coinbase')
  const transaction = readTransaction(reader)
  reader.end()
  return transaction
}

/** Reads a transaction and leaves out its witness, which its id does not cover. */
function readTransaction(reader: ByteReader): Uint8Array {
  const version = reader.take(4)
  const hasWitness = reader.peek() === 0
  // Marker and flag: no transaction is without inputs.
  if (hasWitness) reader.take(2)
  const from = reader.position
  const inputs = reader.variableInteger()
  for (let index = 0; index < inputs; index++) {
    reader.take(36)
    reader.take(reader.variableInteger())
    reader.take(4)
  }
  const outputs = reader.variableInteger()
  for (let index = 0; index < outputs; index++) {
    reader.take(8)
    reader.take(reader.variableInteger())
  }
  const body = reader.since(from)
  if (hasWitness) skipWitnesses(reader, inputs)
  return Buffer.concat([version, body, reader.take(4)])
}

function skipWitnesses(reader: ByteReader, inputs: number): void {
  for (let index = 0; index < inputs; index++) {
    const items = reader.variableInteger()
    for (let item = 0; item < items; item++) reader.take(reader.variableInteger())
  }
}

/** Root of the tree over transaction ids in internal order; the last of an odd level is its own sibling. */
function merkleRoot(ids: readonly Uint8Array[]): Uint8Array {
  let level = ids
  while (level.length > 1) {
    const pairs = level.flatMap((left, index) =>
      index % 2 === 0 ? [parent(left, level[index + 1] ?? left)] : [],
    )
    level = pairs
  }
  return level[0] ?? new Uint8Array(32)
}

const parent = (left: Uint8Array, right: Uint8Array): Uint8Array => doubleSha256(Buffer.concat([left, right]))
