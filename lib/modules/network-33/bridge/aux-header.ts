/** Reads headers of the auxiliary chain and checks their proof of work. */

import { AUX_HEADER_BYTES } from '../aux-reader.ts'
import { bytesToBigInt, fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { auxReader } from './aux-transaction.ts'

/** The first block of the auxiliary regtest chain (node-chain 10.4). */
export const AUX_GENESIS_HEADER = fromHex(
  `0x01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a` +
    'dae5494dffff7f2002000000',
)

/** Maximum target: 207fffff in compact form. */
const MAX_TARGET = 0x7fffffn << 232n

export interface AuxHeader {
  /** The 80 bytes. */
  readonly bytes: Uint8Array
  /** Hash in display byte order: the number that must not exceed the target. */
  readonly hash: Hash
  readonly previousHash: Hash
  /** In internal byte order. */
  readonly merkleRoot: Uint8Array
  readonly target: bigint
}

/** Reads a header. @throws PrecompileFailure unless it has 80 bytes */
export function readAuxHeader(bytes: Uint8Array): AuxHeader {
  const reader = auxReader(bytes, 'an auxiliary header')
  reader.take(4)
  const previousHash = toDisplayOrder(reader.take(32))
  const merkleRoot = reader.take(32)
  reader.take(4)
  const target = targetOf(reader.number(4))
  reader.take(4)
  reader.end()
  return { bytes, hash: toDisplayOrder(doubleSha256(bytes)), previousHash, merkleRoot, target }
}

/** Whether a header's target is in range, and its hash reaches it. */
export const hasValidWork = ({ hash, target }: AuxHeader): boolean =>
  target > 0n && target <= MAX_TARGET && BigInt(hash) <= target

/** Expected number of hashes until one meets the target. */
export const workOf = ({ target }: AuxHeader): bigint => 2n ** 256n / (target + 1n)

/** Converts a hash from internal to display byte order. */
export const toDisplayOrder = (hash: Uint8Array): Hash => toHash(hash.toReversed())

/** Converts a hash from display to internal byte order. */
export const toInternalOrder = (hash: Uint8Array): Uint8Array => hash.toReversed()

/** Target of the compact form: the number of bytes and their first three (mantissa). Negative numbers give zero. */
function targetOf(bits: bigint): bigint {
  const size = bits >> 24n
  const mantissa = bits & 0x7fffffn
  if ((bits & 0x800000n) !== 0n) return 0n
  return size <= 3n ? mantissa >> (8n * (3n - size)) : mantissa << (8n * (size - 3n))
}

export interface StoredHeader extends AuxHeader {
  readonly height: bigint
  /** Work of the chain up to and including it. */
  readonly chainWork: bigint
}

/** Stored form of a header: its bytes, height and chain work. */
export function storedForm({ bytes, height, chainWork }: StoredHeader): Uint8Array {
  const position = `${height.toString(16).padStart(8, '0')}${chainWork.toString(16).padStart(64, '0')}`
  return Uint8Array.from([...bytes, ...Buffer.from(position, 'hex')])
}

export function fromStoredForm(stored: Uint8Array): StoredHeader {
  const position = stored.subarray(AUX_HEADER_BYTES)
  return {
    ...readAuxHeader(stored.subarray(0, AUX_HEADER_BYTES)),
    height: bytesToBigInt(position.subarray(0, 4)),
    chainWork: bytesToBigInt(position.subarray(4)),
  }
}
