/** Peg-outs on their way: asked for, put into a batch, confirmed, and waiting for signatures that nobody gives here. */

import type { Hash } from '../../../../base/hex.ts'
import { bigIntToBytes, bytesToBigInt, fromHex, toHash } from '../../../../base/hex.ts'
import type { RlpInput } from '../../../../base/rlp.ts'
import { bytesOf, listOf } from './cells.ts'
import type { Cells } from './cells.ts'

/** A peg-out that was asked for. */
export interface PegoutRequest {
  /** Version and hash of the address that is paid. */
  readonly destination: Uint8Array
  readonly sat: bigint
  /** Transaction that asked. */
  readonly transactionHash: Hash
}

/** A transaction of the auxiliary chain that pays a batch. */
export interface PegoutBatch {
  readonly raw: Uint8Array
  /** Transaction that made it. */
  readonly transactionHash: Hash
  readonly createdIn: bigint
}

/** The lists of one state. */
export class Pegouts {
  readonly #cells: Cells

  constructor(cells: Cells) {
    this.#cells = cells
  }

  /** Requests that are in no batch, oldest first. */
  get queue(): readonly PegoutRequest[] {
    return this.#items('pegouts/queue').map(([destination, sat, hash]) => ({
      destination: bytesOf(destination),
      sat: bytesToBigInt(bytesOf(sat)),
      transactionHash: toHash(bytesOf(hash)),
    }))
  }

  set queue(requests: readonly PegoutRequest[]) {
    const list = requests.map(({ destination, sat, transactionHash }) => [
      destination,
      bigIntToBytes(sat),
      fromHex(transactionHash),
    ])
    this.#put('pegouts/queue', list)
  }

  /** Batches that wait for blocks of this chain, oldest first. */
  get confirming(): readonly PegoutBatch[] {
    return this.#batches('pegouts/confirming')
  }

  set confirming(batches: readonly PegoutBatch[]) {
    this.#putBatches('pegouts/confirming', batches)
  }

  /** Batches that wait for signatures, in the order of their transactions' hashes (node-chain 10.10). */
  get signing(): readonly PegoutBatch[] {
    return this.#batches('pegouts/signing').toSorted((left, right) =>
      left.transactionHash < right.transactionHash ? -1 : 1,
    )
  }

  set signing(batches: readonly PegoutBatch[]) {
    this.#putBatches('pegouts/signing', batches)
  }

  /** First block in which there may be a batch again. */
  get nextBatch(): bigint {
    return this.#cells.number('pegouts/next') ?? 0n
  }

  set nextBatch(block: bigint) {
    this.#cells.putNumber('pegouts/next', block)
  }

  #batches(cell: string): readonly PegoutBatch[] {
    return this.#items(cell).map(([raw, hash, createdIn]) => ({
      raw: bytesOf(raw),
      transactionHash: toHash(bytesOf(hash)),
      createdIn: bytesToBigInt(bytesOf(createdIn)),
    }))
  }

  #putBatches(cell: string, batches: readonly PegoutBatch[]): void {
    const list = batches.map(({ raw, transactionHash, createdIn }) => [
      raw,
      fromHex(transactionHash),
      bigIntToBytes(createdIn),
    ])
    this.#put(cell, list)
  }

  #items(cell: string) {
    return listOf(this.#cells.record(cell)).map(listOf)
  }

  #put(cell: string, list: readonly RlpInput[]): void {
    this.#cells.putRecord(cell, list.length === 0 ? undefined : list)
  }
}
