/** Work for miners outside of the node: candidates for the next block, and blocks made of those that come back. */

import { NodeError } from '../base/errors.ts'
import { fromHex, toHash, toWord } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import type { Chain, ChainEntry } from '../chain/chain.ts'
import { headerHash, sealHash } from '../chain/header.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Cell, World } from '../world/world.ts'
import type { Miner } from './miner.ts'

/** A candidate for the next block. */
export interface Work {
  /** Hash of its header without a seal: what is mined on, and the name of the work. */
  readonly hash: Hash
  /** A solution is no more than this, as a big-endian number. */
  readonly target: Hash
  /** Wei. */
  readonly fees: bigint
  readonly entry: ChainEntry
}

/** What became of a solved block (node-chain 4.3). */
export interface Imported {
  readonly result: 'IMPORTED_BEST' | 'IMPORTED_NOT_BEST' | 'EXIST' | 'NO_PARENT'
  readonly hash: Hash
  readonly number: bigint
}

/** Candidates that are remembered (node-chain 4.2). */
const MOST_CANDIDATES = 20

/** Percent by which fees must have risen for a miner to be told again (node-chain 4.2). */
const NOTABLE_RISE = 10n

/** Difficulties below are taken for this one, so that a target has no more than 256 bits (node-chain 6.6). */
const LEAST_DIFFICULTY = 3n

/** Blocks of one seed (ethash). */
const EPOCH_LENGTH = 30_000n

interface WorkState {
  /** Newest first. */
  readonly candidates: readonly Work[]
  readonly notified: { readonly parent: Hash; readonly fees: bigint } | undefined
}

/** The work of one world. */
export class WorkDesk {
  readonly #chain: Chain
  readonly #miner: Miner
  readonly #state: Cell<WorkState>

  constructor(parts: { readonly world: World; readonly chain: Chain; readonly miner: Miner }) {
    this.#chain = parts.chain
    this.#miner = parts.miner
    this.#state = parts.world.cell<WorkState>('work', 'restore', { candidates: [], notified: undefined })
  }

  /** The block that would be mined now, as work; it is remembered until others follow it. */
  async current(): Promise<Work> {
    const entry = await this.#miner.preview()
    const { header } = entry.block
    const hash = sealHash(header)
    const work = { hash, target: targetOf(header.difficulty), fees: header.paidFees, entry }
    const others = this.#state.value.candidates.filter((candidate) => candidate.hash !== hash)
    const candidates = [work, ...others].slice(0, MOST_CANDIDATES)
    this.#state.value = { ...this.#state.value, candidates }
    return work
  }

  /** Whether a miner should turn to this work: it has a new parent, or pays notably more. Says so only once. */
  notify({ entry, fees }: Work): boolean {
    const { notified } = this.#state.value
    const parent = entry.block.header.parentHash
    const isNew = notified?.parent !== parent || fees * 100n > notified.fees * (100n + NOTABLE_RISE)
    if (isNew) this.#state.value = { ...this.#state.value, notified: { parent, fees } }
    return isNew
  }

  /** Work that was handed out. */
  find(hash: Hash): Work | undefined {
    return this.#state.value.candidates.find((candidate) => candidate.hash === hash)
  }

  /** Work that was handed out. @throws NodeError 'submissionRefused' */
  get(hash: Hash): Work {
    const work = this.find(hash)
    if (work !== undefined) return work
    throw new NodeError('submissionRefused', `Cannot publish block, could not find hash ${hash} in the cache`)
  }

  /** Adds the block of solved work to the chain, or beside it. The nonce, if there is one, becomes its seal. */
  async complete({ entry }: Work, nonce?: Uint8Array): Promise<Imported> {
    const header = { ...entry.block.header, ...(nonce === undefined ? {} : { nonce }) }
    const block = { ...entry.block, header, hash: headerHash(header) }
    const place = { hash: block.hash, number: header.number }
    if (this.#chain.byHash(block.hash) !== undefined) return { result: 'EXIST', ...place }
    // Also when the state after the parent was edited since: the candidate ran on another one.
    if (this.#chain.byHash(header.parentHash) !== entry.parent) return { result: 'NO_PARENT', ...place }
    const isBest = await this.#miner.adopt({ ...entry, block })
    return { result: isBest ? 'IMPORTED_BEST' : 'IMPORTED_NOT_BEST', ...place }
  }
}

/** Boundary of a difficulty (node-chain 6.6; Yellow Paper, 11.5). */
export function targetOf(difficulty: bigint): Hash {
  return toWord(2n ** 256n / (difficulty < LEAST_DIFFICULTY ? LEAST_DIFFICULTY : difficulty))
}

/** Seed of the epoch of a block: zeros, hashed once for each epoch before (ethash). */
export function seedHash(number: bigint): Hash {
  let seed = new Uint8Array(32)
  for (let epoch = 0n; epoch < number / EPOCH_LENGTH; epoch++) seed = new Uint8Array(keccak256(seed))
  return toHash(seed)
}

/** Whether a hash, as a big-endian number, is a solution. */
export function reaches(hash: Uint8Array, target: Hash): boolean {
  return Buffer.compare(hash, fromHex(target)) <= 0
}
