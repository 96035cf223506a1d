/** Headers of the auxiliary chain, its heaviest chain, and the check that a transaction is in a block. Terms: bridge.ts. */

import { equalBytes, fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { present } from '../../../base/invariant.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import {
  AUX_GENESIS_HEADER,
  hasValidWork,
  fromStoredForm,
  readAuxHeader,
  storedForm,
  workOf,
} from './aux-header.ts'
import type { AuxHeader, StoredHeader } from './aux-header.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { AUX_CONFIRMATIONS, LOWEST_INDEXED_HEIGHT, MAX_UNINDEXED_DEPTH } from './constants.ts'
import { rootOver } from './merkle.ts'

const genesis = readAuxHeader(AUX_GENESIS_HEADER)
const GENESIS: StoredHeader = { ...genesis, height: 0n, chainWork: workOf(genesis) }

/** Headers by hash, and the hash at each height of the heaviest chain. */
export class HeaderChain {
  readonly #storage: BridgeStorage

  constructor(storage: BridgeStorage) {
    this.#storage = storage
  }

  /** The newest header of the heaviest chain. */
  get best(): StoredHeader {
    const hash = this.#storage.bytes('headers/best')
    return hash === undefined ? GENESIS : present(this.byHash(toHash(hash)), 'best auxiliary header')
  }

  byHash(hash: Hash): StoredHeader | undefined {
    if (hash === GENESIS.hash) return GENESIS
    const stored = this.#storage.bytes(nameOfHeader(hash))
    return stored === undefined ? undefined : fromStoredForm(stored)
  }

  /** The header at a height of the heaviest chain. */
  atHeight(height: bigint): StoredHeader | undefined {
    if (height < 0n || height > this.best.height) return undefined
    if (height === 0n) return GENESIS
    const hash = this.#hashAt(height)
    return hash && this.byHash(hash)
  }

  /** The lowest height at which the Bridge looks up headers (node-chain 10.5). It can be negative. */
  get lowestHeight(): bigint {
    const height = this.best.height - MAX_UNINDEXED_DEPTH
    return height < LOWEST_INDEXED_HEIGHT ? height : LOWEST_INDEXED_HEIGHT
  }

  /** Number of blocks of the heaviest chain above the height of a header. */
  depthOf({ height }: StoredHeader): bigint {
    const depth = this.best.height - height
    return depth < 0n ? 0n : depth
  }

  /** Adds a header if it is new, its parent is known and its proof of work is valid. Returns whether it did. */
  add(header: AuxHeader): boolean {
    if (this.byHash(header.hash) !== undefined) return false
    const parent = this.byHash(header.previousHash)
    if (parent === undefined || !hasValidWork(header)) return false
    const stored = {
      ...header,
      height: parent.height + 1n,
      chainWork: parent.chainWork + workOf(header),
    }
    this.#storage.putBytes(nameOfHeader(header.hash), storedForm(stored))
    if (stored.chainWork > this.best.chainWork) this.#makeBest(stored)
    return true
  }

  /** Updates the hashes by height down to the common ancestor with the previous chain. */
  #makeBest(head: StoredHeader): void {
    let entry = head
    while (entry.height > 0n && this.#hashAt(entry.height) !== entry.hash) {
      this.#storage.putBytes(nameOfHeight(entry.height), fromHex(entry.hash))
      entry = present(this.byHash(entry.previousHash), 'previous auxiliary header')
    }
    this.#storage.putBytes('headers/best', fromHex(head.hash))
  }

  #hashAt(height: bigint): Hash | undefined {
    const hash = this.#storage.bytes(nameOfHeight(height))
    return hash && toHash(hash)
  }
}

const nameOfHeader = (hash: Hash): string => `headers/hash/${hash}`
const nameOfHeight = (height: bigint): string => `headers/height/${height}`

/** Merkle root over a block's transactions with their witnesses, if its coinbase was registered. */
export const witnessRoot = (storage: BridgeStorage, block: Hash): Uint8Array | undefined =>
  storage.bytes(`coinbase/${block}`)

export const putWitnessRoot = (storage: BridgeStorage, block: Hash, root: Uint8Array): void =>
  storage.putBytes(`coinbase/${block}`, root)

/**
 * Whether a partial Merkle tree proves that these bytes are a transaction in a confirmed block at a height: the tree contains their
 * hash, and its root is the header's or the registered witness root (node-next 4.3). @throws PrecompileFailure if the tree is
 * malformed, or the Bridge does not look up headers at this height
 */
export function isProven(
  storage: BridgeStorage,
  { raw, height, tree }: { readonly raw: Uint8Array; readonly height: bigint; readonly tree: Uint8Array },
): boolean {
  const chain = new HeaderChain(storage)
  const header = chain.atHeight(height)
  if (header === undefined || chain.best.height - height + 1n < AUX_CONFIRMATIONS) return false
  const root = rootOver(tree, doubleSha256(raw))
  if (root === undefined) return false
  const lowest = chain.lowestHeight
  if (height < lowest) throw new PrecompileFailure(`height ${height} is below ${lowest}, the lowest accepted`)
  const accepted = [header.merkleRoot, witnessRoot(storage, header.hash)]
  return accepted.some((one) => one !== undefined && equalBytes(one, root))
}
