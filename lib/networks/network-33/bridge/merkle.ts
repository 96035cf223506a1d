/** Reads proofs that a transaction is in a block of the auxiliary chain. Ids and roots are in internal byte order. */

import { equalBytes } from '../../../base/hex.ts'
import { siblingsHash } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { auxReader } from './aux-encoding.ts'

/** Maximum number of transactions in a block: each takes at least 60 bytes. */
const MAX_TRANSACTIONS = 1_000_000 / 60

/**
 * Root of a partial Merkle tree (BIP-37), if the tree proves that a transaction is in the block. It has the number of
 * transactions, hashes depth-first from the left, and a flag for each node. The flag of a leaf says whether the leaf is proven. The
 * flag of an inner node says whether a proven leaf is below it: then its children follow, otherwise its hash.
 * @throws PrecompileFailure unless every hash and every byte of flags is used
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
  const walk = new TreeWalk(transactions, hashes, flags)
  const root = walk.root()
  return walk.matches.some((match) => equalBytes(match, id)) ? root : undefined
}

/** Traverses the tree. */
class TreeWalk {
  readonly matches: Uint8Array[] = []
  readonly #transactions: number
  readonly #hashes: readonly Uint8Array[]
  readonly #flags: Uint8Array
  #usedHashes = 0
  #usedFlags = 0

  constructor(transactions: number, hashes: readonly Uint8Array[], flags: Uint8Array) {
    this.#transactions = transactions
    this.#hashes = hashes
    this.#flags = flags
  }

  root(): Uint8Array {
    let height = 0
    while (this.#width(height) > 1) height++
    const root = this.#node(height, 0)
    if (this.#usedHashes < this.#hashes.length || Math.ceil(this.#usedFlags / 8) < this.#flags.length) {
      throw new PrecompileFailure('a partial Merkle tree has unused hashes or flags')
    }
    return root
  }

  #node(height: number, position: number): Uint8Array {
    const hasMatch = this.#nextFlag()
    if (height > 0 && hasMatch) return this.#inner(height, position)
    const hash = this.#hashes[this.#usedHashes++]
    if (hash === undefined) throw new PrecompileFailure('a partial Merkle tree has too few hashes')
    if (hasMatch) this.matches.push(hash)
    return hash
  }

  #inner(height: number, position: number): Uint8Array {
    const left = this.#node(height - 1, position * 2)
    if (position * 2 + 1 >= this.#width(height - 1)) return siblingsHash(left, left)
    const right = this.#node(height - 1, position * 2 + 1)
    // With equal siblings, two different lists of transactions can have the same Merkle root (CVE-2012-2459).
    if (equalBytes(left, right)) throw new PrecompileFailure('a partial Merkle tree has equal siblings')
    return siblingsHash(left, right)
  }

  #nextFlag(): boolean {
    const flag = this.#usedFlags++
    const byte = this.#flags[flag >> 3]
    if (byte === undefined) throw new PrecompileFailure('a partial Merkle tree has too few flags')
    return ((byte >> (flag & 7)) & 1) === 1
  }

  #width(height: number): number {
    return Math.ceil(this.#transactions / 2 ** height)
  }
}

/** Merkle root from an id and its Merkle branch. The bits of the path, lowest first, say whether the sibling is on the left. */
export function branchRoot(id: Uint8Array, path: bigint, siblings: readonly Uint8Array[]): Uint8Array {
  return siblings.reduce(
    (node, sibling, level) =>
      (path >> BigInt(level)) & 1n ? siblingsHash(sibling, node) : siblingsHash(node, sibling),
    id,
  )
}
