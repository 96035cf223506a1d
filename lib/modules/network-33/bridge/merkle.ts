/** Merkle trees over the transactions of a block of the auxiliary chain, and their proofs. Ids and roots are in internal byte order. */

import { equalBytes } from '../../../base/hex.ts'
import { present } from '../../../base/invariant.ts'
import { siblingsHash } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { auxReader, encodeCount, littleEndian, withLength } from './aux-transaction.ts'

/** Maximum number of transactions in a block: each takes at least 60 bytes. */
const MAX_TRANSACTIONS = 1_000_000 / 60

/**
 * Root of a partial Merkle tree (BIP-37), if the tree proves that a transaction is in the block. It contains the number of
 * transactions, hashes depth-first from the left, and a flag per node. A leaf's flag says whether the leaf is proven. An inner
 * node's flag says whether a proven leaf is below it: then its children follow, otherwise its hash. @throws PrecompileFailure
 * unless every hash and every byte of flags is used
 */
export function rootOver(bytes: Uint8Array, id: Uint8Array): Uint8Array | undefined {
  const reader = auxReader(bytes, 'a partial Merkle tree')
  const transactions = Number(reader.number(4))
  const hashes = reader.list(() => reader.take(32))
  const flags = reader.varBytes()
  reader.end()
  if (transactions === 0 || transactions > MAX_TRANSACTIONS || hashes.length > transactions) {
    throw new PrecompileFailure(
      `a partial Merkle tree of ${transactions} transactions and ${hashes.length} hashes`,
    )
  }
  return provenRoot({ transactions, hashes, flags }, id)
}

interface TreeParts {
  readonly transactions: number
  readonly hashes: readonly Uint8Array[]
  readonly flags: Uint8Array
}

/** Walks the tree; returns its root if the id is one of the proven leaves. */
function provenRoot({ transactions, hashes, flags }: TreeParts, id: Uint8Array): Uint8Array | undefined {
  let [usedHashes, usedFlags, isProven] = [0, 0, false]
  const nextFlag = (): boolean => {
    const flag = usedFlags++
    const byte = flags[flag >> 3]
    if (byte === undefined) throw new PrecompileFailure('a partial Merkle tree has too few flags')
    return ((byte >> (flag & 7)) & 1) === 1
  }
  const widthAt = (height: number): number => Math.ceil(transactions / 2 ** height)
  const nodeAt = (height: number, position: number): Uint8Array => {
    const hasMatch = nextFlag()
    if (height > 0 && hasMatch) return innerNode(height, position)
    const hash = hashes[usedHashes++]
    if (hash === undefined) throw new PrecompileFailure('a partial Merkle tree has too few hashes')
    if (hasMatch && equalBytes(hash, id)) isProven = true
    return hash
  }
  const innerNode = (height: number, position: number): Uint8Array => {
    const left = nodeAt(height - 1, position * 2)
    if (position * 2 + 1 >= widthAt(height - 1)) return siblingsHash(left, left)
    const right = nodeAt(height - 1, position * 2 + 1)
    // With equal siblings, two different transaction lists could have the same Merkle root (CVE-2012-2459).
    if (equalBytes(left, right)) throw new PrecompileFailure('a partial Merkle tree has equal siblings')
    return siblingsHash(left, right)
  }
  let height = 0
  while (widthAt(height) > 1) height++
  const root = nodeAt(height, 0)
  if (usedHashes < hashes.length || Math.ceil(usedFlags / 8) < flags.length) {
    throw new PrecompileFailure('a partial Merkle tree has unused hashes or flags')
  }
  return isProven ? root : undefined
}

/** Merkle root from an id and its Merkle branch. The path's bits, lowest first, say whether the sibling is on the left. */
export function branchRoot(id: Uint8Array, path: bigint, siblings: readonly Uint8Array[]): Uint8Array {
  return siblings.reduce(
    (node, sibling, level) =>
      (path >> BigInt(level)) & 1n ? siblingsHash(sibling, node) : siblingsHash(node, sibling),
    id,
  )
}

/** The levels of the tree, leaves first. The last node of an odd level is its own sibling. */
export function merkleLevels(leaves: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const levels = [leaves]
  for (let level = leaves; level.length > 1; levels.push(level)) {
    level = level.flatMap((left, index, all) =>
      index % 2 === 0 ? [siblingsHash(left, all[index + 1] ?? left)] : [],
    )
  }
  return levels
}

export const merkleRoot = (ids: readonly Uint8Array[]): Uint8Array =>
  present(merkleLevels(ids).at(-1)?.[0], 'Merkle root')

/** The partial Merkle tree (BIP-37) that proves the id at an index; `rootOver` reads it. */
export function partialTree(ids: readonly Uint8Array[], index: number): Uint8Array {
  const levels = merkleLevels(ids)
  const hashes: Uint8Array[] = []
  const flags: boolean[] = []
  const visit = (height: number, position: number): void => {
    const node = levels[height]?.[position]
    if (node === undefined) return
    const isOnPath = index >> height === position
    flags.push(isOnPath)
    if (height === 0 || !isOnPath) return void hashes.push(node)
    visit(height - 1, position * 2)
    visit(height - 1, position * 2 + 1)
  }
  visit(levels.length - 1, 0)
  const bits = flags.reduce((sum, flag, bit) => (flag ? sum | (1n << BigInt(bit)) : sum), 0n)
  const flagBytes = littleEndian(bits, Math.ceil(flags.length / 8))
  const head = [littleEndian(ids.length, 4), encodeCount(hashes.length)]
  return new Uint8Array(Buffer.concat([...head, ...hashes, withLength(flagBytes)]))
}
