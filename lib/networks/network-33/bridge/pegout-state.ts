/** Stores peg-outs by stage: queued, in a confirming batch, or in a batch that waits for signatures. Terms: bridge.ts. */

import type { Hash } from '../../../base/hex.ts'
import { bigIntToBytes, bytesToBigInt, fromHex, toHash } from '../../../base/hex.ts'
import type { RlpInput } from '../../../base/rlp.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'

/** A requested peg-out. */
export interface PegoutRequest {
  /** Version and hash of the receiver's address. */
  readonly destination: Uint8Array
  readonly sat: bigint
  /** Transaction that requested the peg-out. */
  readonly transactionHash: Hash
}

/** A transaction of the auxiliary chain that pays a batch. */
export interface PegoutBatch {
  /** The unsigned transaction. */
  readonly raw: Uint8Array
  /** Transaction that made the batch. */
  readonly transactionHash: Hash
  /** Number of the block of this chain that made the batch. */
  readonly createdIn: bigint
}

/** The peg-outs of one state. */
export class Pegouts {
  readonly #storage: BridgeStorage

  constructor(storage: BridgeStorage) {
    this.#storage = storage
  }

  /** Requests that are not in a batch, oldest first. */
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

  /** Batches that wait for confirmations on this chain, oldest first. */
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

  /** First block that can make the next batch. */
  get nextBatch(): bigint {
    return this.#storage.number('pegouts/next') ?? 0n
  }

  set nextBatch(block: bigint) {
    this.#storage.putNumber('pegouts/next', block)
  }

  #batches(name: string): readonly PegoutBatch[] {
    return this.#items(name).map(([raw, hash, createdIn]) => ({
      raw: bytesOf(raw),
      transactionHash: toHash(bytesOf(hash)),
      createdIn: bytesToBigInt(bytesOf(createdIn)),
    }))
  }

  #putBatches(name: string, batches: readonly PegoutBatch[]): void {
    const list = batches.map(({ raw, transactionHash, createdIn }) => [
      raw,
      fromHex(transactionHash),
      bigIntToBytes(createdIn),
    ])
    this.#put(name, list)
  }

  #items(name: string) {
    return listOf(this.#storage.record(name)).map(listOf)
  }

  #put(name: string, list: readonly RlpInput[]): void {
    this.#storage.putRecord(name, list.length === 0 ? undefined : list)
  }
}
