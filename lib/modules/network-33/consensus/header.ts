/** Headers of merged-mining networks: their additional fields, encodings and hashes (node-chain 6.1-6.5). */

import { bigIntToBytes, bigIntToSignedBytes, fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import { encodeRlp } from '../../../base/rlp.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { EMPTY_BLOOM } from '../../../evm/outcome.ts'
import { leadingItems } from '../../../networks/consensus/consensus.ts'
import type { MergedMiningHeader } from './fields.ts'
import { forkDetectionData } from './fork-detection.ts'

/**
 * The block hash. It covers the aux header, but not proof and coinbase (node-chain 6.4, IP-92).
 * Callers that have the compressed items already can pass them.
 */
export function mergedMiningBlockHash(
  header: MergedMiningHeader,
  compressed: readonly Uint8Array[] = compressedItems(header),
): Hash {
  return toHash(keccak256(encodeRlp([...compressed, header.own.aux.header])))
}

/**
 * The hash for merged mining, which the coinbase of an aux block contains (node-chain 6.5).
 * Callers that have the compressed items already can pass them.
 */
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

/** Length in bytes of an UMM root, and of the part of the hash that is combined with it. */
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
