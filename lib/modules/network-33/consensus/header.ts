/** Headers of merged-mining networks: their additional fields, encodings and hashes (node-chain 6.1-6.5). */

import {
  bigIntToBytes,
  bigIntToSignedBytes,
  fromHex,
  toHash,
  EMPTY_BYTES,
  type Hash,
} from '../../../base/hex.ts'
import { InvariantError, invariant } from '../../../base/invariant.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { EMPTY_BLOOM } from '../../../evm/outcome.ts'
import { leadingItems, type Header } from '../../../networks/consensus/consensus.ts'
import type { AuxProof } from './aux-block.ts'

/** The block hash, over the aux header without proof and coinbase (node-chain 6.4, IP-92). */
export function mergedMiningBlockHash(
  header: MergedMiningHeader,
  compressed: readonly Uint8Array[] = compressedItems(header),
): Hash {
  return toHash(keccak256(encodeRlp([...compressed, header.own.aux.header])))
}

/** The hash for merged mining in the coinbase of an aux block (node-chain 6.5). */
export function hashForMergedMining(
  header: MergedMiningHeader,
  compressed: readonly Uint8Array[] = compressedItems(header),
): Hash {
  const { ummRoot, ancestry } = header.own
  const own = keccak256(encodeRlp(compressed))
  const hash = ummRoot === undefined || ummRoot.length === 0 ? own : withUmmRoot(own, ummRoot)
  const detection = forkDetectionData(header.number, ancestry)
  hash.set(detection, hash.length - detection.length)
  return toHash(hash)
}

/** Length in bytes of a UMM root, and of the part of the hash combined with it. */
const UMM_BYTES = 20

function withUmmRoot(hash: Uint8Array, ummRoot: Uint8Array): Uint8Array {
  if (ummRoot.length !== UMM_BYTES) {
    throw new InvariantError(`an UMM root has ${UMM_BYTES} bytes, not ${ummRoot.length}`)
  }
  return keccak256(Buffer.concat([hash.subarray(0, UMM_BYTES), ummRoot]))
}

/** Items of the compressed form for hashes: without aux fields, and with the bloom inside the extension data. */
export const compressedItems = (header: MergedMiningHeader): readonly Uint8Array[] =>
  sharedItems(header, header.own.version === 0 ? header.logsBloom : extensionData(header))

/** Items of the form with the full bloom and the aux header, as `node_getRawBlockHeader*` returns it. */
export function fullItems(header: MergedMiningHeader): readonly Uint8Array[] {
  const { version, edges, baseEvent, aux } = header.own
  return [
    ...sharedItems(header, header.logsBloom),
    ...(version === 0 ? [] : [Uint8Array.of(version)]),
    ...(version === 0 || edges === undefined ? [] : [edgeBytes(edges)]),
    ...(version === 2 ? [baseEvent] : []),
    aux.header,
  ]
}

/** Items of the complete form, as blocks and lists of uncles contain it. */
export function storedItems(header: MergedMiningHeader): readonly Uint8Array[] {
  const { merkleProof, coinbase } = header.own.aux
  return [...fullItems(header), merkleProof, coinbase]
}

/** Precomputed, because most blocks of a local chain have an empty bloom. */
const EMPTY_BLOOM_HASH = keccak256(EMPTY_BLOOM)

/** Hash of the fields that the compressed form omits (node-chain 6.3; the base event comes before the edges). */
export function extensionHash({ logsBloom, own }: MergedMiningHeader): Uint8Array {
  const { version, edges, baseEvent } = own
  return keccak256(
    encodeRlp([
      logsBloom === EMPTY_BLOOM ? EMPTY_BLOOM_HASH : keccak256(logsBloom),
      ...(version === 2 ? [baseEvent] : []),
      ...(edges === undefined ? [] : [edgeBytes(edges)]),
    ]),
  )
}

const extensionData = (header: MergedMiningHeader): Uint8Array =>
  encodeRlp([Uint8Array.of(header.own.version), extensionHash(header)])

/** Items 0 to 16 of node-chain 6.1. */
function sharedItems(header: MergedMiningHeader, bloom: Uint8Array): readonly Uint8Array[] {
  const { version, uncleCount, ummRoot } = header.own
  const isGenesis = version === 0
  return [
    ...leadingItems(header),
    bloom,
    isGenesis ? genesisDifficulty(header.difficulty) : bigIntToSignedBytes(header.difficulty),
    bigIntToBytes(header.number),
    isGenesis ? bigIntToBytes(header.gasLimit) : bigIntToSignedBytes(header.gasLimit),
    bigIntToBytes(header.gasUsed),
    bigIntToBytes(header.timestamp),
    header.extraData,
    bigIntToBytes(header.paidFees),
    bigIntToSignedBytes(header.minimumGasPrice),
    bigIntToBytes(BigInt(uncleCount)),
    ...(ummRoot === undefined ? [] : [ummRoot]),
  ]
}

/** Length in bytes of the difficulty in the genesis file, which keeps its leading zeros (node-chain 6.8). */
const GENESIS_DIFFICULTY_BYTES = 5

function genesisDifficulty(difficulty: bigint): Uint8Array {
  const digits = difficulty.toString(16)
  return fromHex(
    `0x${digits.padStart(Math.max(2 * GENESIS_DIFFICULTY_BYTES, digits.length + (digits.length % 2)), '0')}`,
  )
}

/** The edges as little-endian numbers of two bytes each. */
function edgeBytes(edges: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(2 * edges.length)
  const view = new DataView(bytes.buffer)
  edges.forEach((edge, index) => view.setUint16(2 * index, edge, true))
  return bytes
}

/** Version of a header: 0 at genesis, 1 with compressed blooms (IP-351), 2 with a base event (IP-535). */
export type HeaderVersion = 0 | 1 | 2

export interface MergedMiningFields {
  readonly version: HeaderVersion
  readonly uncleCount: number
  /** Bytes that are hashed together with the hash for merged mining (IP-UMM): twenty or none; absent at genesis. */
  readonly ummRoot?: Uint8Array
  /** End indexes of the parallel transaction lists (IP-144); absent at genesis. */
  readonly edges?: readonly number[]
  /** Up to 128 bytes. */
  readonly baseEvent: Uint8Array
  /** The proof of work; its fields are empty until it is found. */
  readonly aux: AuxProof
  /** Input of the hash for merged mining that the encoded header does not contain. */
  readonly ancestry: Ancestry
  /** Hash for merged mining of a remote block, whose ancestry is unknown; absent in blocks of this node. */
  readonly remoteHash?: Hash | undefined
}

/** Facts about a block's ancestors for its fork detection data. Each child extends its parent's facts, so nothing walks back. */
interface Ancestry {
  /** One byte of the aux header's hash for each of the last seven checkpoints, newest first. */
  readonly checkpoints: readonly number[]
  /** The ancestors with uncles among the last 32, newest first. */
  readonly withUncles: readonly { readonly number: bigint; readonly uncleCount: number }[]
}

/** Name of the kind and of its consensus, in presets and state files. */
export const MERGED_MINING = 'merged-mining'

export interface MergedMiningHeader extends Header {
  readonly own: MergedMiningFields
}

export const isMergedMining = (header: Header): header is MergedMiningHeader =>
  header.consensus.name === MERGED_MINING

export const areMergedMiningFields = (own: object | undefined): own is MergedMiningFields =>
  own !== undefined && 'ancestry' in own

export function asMergedMining(header: Header): MergedMiningHeader {
  invariant(isMergedMining(header), `block ${header.number} is not one of a merged-mining network`)
  return header
}

/** First block with fork detection data: the first one after seven checkpoints (7 * 64 + 1). */
const FIRST_BLOCK = 449n

/** Heights of checkpoints are multiples of 64; the data covers the last seven. */
const CHECKPOINT_INTERVAL = 64n
const CHECKPOINTS = 7

/** Number of ancestors whose uncles are counted, and the maximum of the count. */
const UNCLE_WINDOW = 32n
const MAX_UNCLES = 255

/** Length of the data, and offsets of its fields. */
const LAYOUT = { bytes: 12, uncles: 7, height: 8 }

/** The ancestry of a genesis block. */
export const NO_ANCESTRY: Ancestry = { checkpoints: [], withUncles: [] }

/** The ancestry of a block whose ancestors in the windows have neither uncles nor a proof of work. */
export const ANCESTRY_WITHOUT_WORK: Ancestry = {
  checkpoints: new Array<number>(CHECKPOINTS).fill(checkpointOf(EMPTY_BYTES)),
  withUncles: [],
}

/** The ancestry of a block's children: the block's own, extended by the block itself. */
export function ancestryAfter({ number, own }: MergedMiningHeader): Ancestry {
  const { ancestry, uncleCount, aux } = own
  const { checkpoints, withUncles } = ancestry
  const recent = withUncles.filter((uncles) => uncles.number > number - UNCLE_WINDOW)
  const isCheckpoint = number % CHECKPOINT_INTERVAL === 0n
  // Most local blocks have the same ancestry as their parents and share the object.
  if (!isCheckpoint && uncleCount === 0 && recent.length === withUncles.length) return ancestry
  return {
    checkpoints: isCheckpoint
      ? [checkpointOf(aux.header), ...checkpoints].slice(0, CHECKPOINTS)
      : checkpoints,
    withUncles: uncleCount === 0 ? recent : [{ number, uncleCount }, ...recent],
  }
}

/** First byte of an aux header's hash. In display order it is the last byte. */
function checkpointOf(auxHeader: Uint8Array): number {
  return doubleSha256(auxHeader)[0] ?? 0
}

/** Fork detection data: twelve bytes about the ancestors of a block (node-chain 6.5, IP-110). Empty before block 449. */
export function forkDetectionData(number: bigint, { checkpoints, withUncles }: Ancestry): Uint8Array {
  if (number < FIRST_BLOCK) return EMPTY_BYTES
  const uncles = withUncles.reduce((total, { uncleCount }) => total + uncleCount, 0)
  const data = new Uint8Array(LAYOUT.bytes)
  data.set(checkpoints)
  data[LAYOUT.uncles] = Math.min(uncles, MAX_UNCLES)
  new DataView(data.buffer).setUint32(LAYOUT.height, Number(number))
  return data
}
