/** The blocks of the remote chain up to the block of the fork, and what they contain. They are loaded when they are read. */

import * as z from 'zod'
import { toQuantity, type Hash } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Receipt } from '../chain/block.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { LogFilter, PlacedLog } from '../chain/log-index.ts'
import { RemoteEntry, type ForkOrigin, type RemoteHistory } from '../chain/remote-history.ts'
import type { MinedReceipt } from '../chain/chain-index.ts'
import type { Network } from '../config/network.ts'
import type { Header } from '../networks/consensus/consensus.ts'
import { optional, quantity64 } from '../schema/wire.ts'
import { StateRoot } from '../state/state-root.ts'
import { FactTable, type Remote } from './remote.ts'
import {
  loadedBlock,
  parseBlock,
  parseUncle,
  uncleQuestions,
  logsParam,
  parseLogs,
  parseReceipts,
  placedLogs,
  receiptQuestions,
  type RemoteBlock,
  type RemoteLog,
} from './remote-block.ts'
import { readRemote } from './question.ts'
import { RemoteState, type InitialChanges } from './remote-state.ts'
import { remoteFailed } from './remote-error.ts'

/** The number of a block object, and of the block of a transaction object. */
const place = z.object({ number: optional(quantity64), blockNumber: optional(quantity64) })

/** Where a fork begins. */
export interface ForkPoint {
  readonly remote: Remote
  readonly network: Network
  readonly chainId: bigint
  /** Number of the newest remote block of the chain. */
  readonly last: bigint
  /** Changes of the state after that block. */
  readonly changes: InitialChanges
}

/** The blocks of the remote chain that a fork continues. */
export class RemoteBlocks implements RemoteHistory {
  readonly last: bigint
  readonly keepsState = false
  readonly #point: ForkPoint
  readonly #entries = new Map<bigint, RemoteEntry>()
  readonly #blocks: FactTable<number, RemoteBlock>
  /** Numbers of blocks by hash; undefined for blocks that the chain does not have. */
  readonly #numbers: FactTable<Hash, number | undefined>
  /** Numbers of the blocks of transactions; undefined for transactions that the chain does not have. */
  readonly #transactions: FactTable<Hash, number | undefined>
  readonly #uncles: FactTable<number, readonly Header[]>
  readonly #receipts: FactTable<number, readonly Receipt[]>
  /** Logs by the param that asks for them, as JSON. */
  readonly #logs: FactTable<string, readonly RemoteLog[]>

  constructor(point: ForkPoint) {
    const { remote, network, last } = point
    this.last = last
    this.#point = point
    this.#blocks = new FactTable(remote, {
      questions: (number) => [{ method: 'eth_getBlockByNumber', params: [toQuantity(number), true] }],
      read: ([json], number) => this.#readBlock(json, number),
    })
    this.#numbers = new FactTable(remote, {
      questions: (hash) => [{ method: 'eth_getBlockByHash', params: [hash, false] }],
      read: ([json]) => this.#numberIn(json, 'block', 'number'),
    })
    this.#transactions = new FactTable(remote, {
      questions: (hash) => [{ method: 'eth_getTransactionByHash', params: [hash] }],
      read: ([json]) => this.#numberIn(json, 'transaction', 'blockNumber'),
    })
    this.#uncles = new FactTable(remote, {
      questions: (number) => uncleQuestions(this.#blocks.get(number), network),
      read: (answers) => answers.map((json) => parseUncle(json, network).header),
    })
    this.#receipts = new FactTable(remote, {
      questions: (number) => receiptQuestions(remote, this.#blocks.get(number)),
      // Receipts that were asked for together are a list.
      read: (answers, number) => parseReceipts(answers.flat(), this.#blocks.get(number).transactions),
    })
    this.#logs = new FactTable(remote, {
      questions: (param) => [{ method: 'eth_getLogs', params: [JSON.parse(param)] }],
      read: ([json]) => parseLogs(json),
    })
  }

  async loadEnds(): Promise<void> {
    await Promise.all([this.#blocks.load(0), this.#blocks.load(Number(this.last))])
  }

  /** The newest block, the head of the fork. */
  get head(): RemoteEntry {
    return this.#entryAt(this.last)
  }

  get origin(): ForkOrigin {
    const { remote, chainId, last } = this.#point
    return { chainId, blockNumber: last, blockHash: this.head.hash, url: remote.remotes.shownUrl }
  }

  make(number: bigint): ChainEntry | undefined {
    return number < 0n || number > this.last ? undefined : this.#entryAt(number)
  }

  byHash(hash: Hash): ChainEntry | undefined {
    const number = this.#numbers.get(hash)
    const entry = number === undefined ? undefined : this.#entryAt(BigInt(number))
    // A block of another branch has the number of a block of this one.
    return entry?.hash === hash ? entry : undefined
  }

  receipt(hash: Hash): MinedReceipt | undefined {
    const number = this.#transactions.get(hash)
    if (number === undefined) return undefined
    const entry = this.#entryAt(BigInt(number))
    const receipt = entry.block.receipts.find(({ transaction }) => transaction.hash === hash)
    return receipt && { entry, receipt }
  }

  logs(filter: LogFilter, from: bigint, to: bigint): readonly PlacedLog[] {
    const param = logsParam(filter, from, to < this.last ? to : this.last)
    return placedLogs(this.#logs.get(JSON.stringify(param)), (hash) => this.#headerOf(hash).timestamp)
  }

  #entryAt(number: bigint): RemoteEntry {
    return this.#entries.get(number) ?? this.#addEntry(number)
  }

  #addEntry(number: bigint): RemoteEntry {
    const { remote, changes } = this.#point
    const found = this.#blocks.get(Number(number))
    const { hash, header } = found
    const block = loadedBlock(found, {
      receipts: () => this.#receipts.get(Number(number)),
      uncles: () => this.#uncles.get(Number(number)),
    })
    const unchanged = { ...changes, funded: new Map() }
    const source = new RemoteState(
      remote,
      { number, hash, stateRoot: header.stateRoot },
      number === this.last ? changes : unchanged,
    )
    const parent = number === 0n ? undefined : this.#entryAt(0n)
    const entry = new RemoteEntry({ block, state: new StateRoot(undefined, source), parent }, this)
    this.#entries.set(number, entry)
    return entry
  }

  #headerOf(hash: Hash): Header {
    const number = this.#numbers.get(hash)
    return this.#entryAt(BigInt(present(number, `block ${hash}`))).block.header
  }

  #readBlock(json: unknown, number: number): RemoteBlock {
    const { remote, network } = this.#point
    if (json === null) throw remoteFailed(`the remote ${remote.remotes.shownUrl} has no block ${number}`)
    const block = parseBlock(json, network, `block ${number}`)
    this.#numbers.set(block.hash, number)
    for (const { transaction } of block.transactions) this.#transactions.set(transaction.hash, number)
    return block
  }

  /** The number of a block that the chain has: not pending, and not above the block of the fork. */
  #numberIn(json: unknown, subject: string, member: 'number' | 'blockNumber'): number | undefined {
    if (json === null) return undefined
    const number = readRemote(place, json, subject)[member]
    return number === undefined || number > this.last ? undefined : Number(number)
  }
}
