/**
 * Simulates one worker of a test suite in its own process: sends transactions to its own chain, in rounds with a snapshot
 * before and, every other time, a revert after. It checks all answers against the expected ones.
 * Started by workers.ts and by test/worlds/eight-workers.test.ts, which send the task and the start signals.
 */

import { deepStrictEqual, strictEqual } from 'node:assert'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from './client.ts'
import type { Call } from './client.ts'

/** Transactions per round. */
const ROUND = 20

/** Milliseconds between two polls for a receipt: polling without a pause would slow down the node. */
const POLL_MS = 1

/** Milliseconds after which a sent transaction without a receipt counts as lost. */
const LOST_MS = 10_000

const GAS = '0x30d40'

/** Creation code of a contract that stores its second argument in the slot of the first, and logs it with that topic. */
const BOARD = [
  '0x601480600b6000396000f3', // CODECOPY of what follows, RETURN
  '6020358060003555', // CALLDATALOAD 32, DUP1, CALLDATALOAD 0, SSTORE
  '600052', // MSTORE at 0
  '60003560206000a1', // CALLDATALOAD 0, LOG1 of the word at 0
  '00',
].join('')

/** What a worker is started with. */
export interface Task {
  readonly url: string
  readonly number: number
  readonly transactions: number
}

/** Tells a worker to do its next part: first the transactions, then the check of all receipts and logs. */
export interface Order {
  readonly go: true
}

/** What a worker says after each part. */
export interface Report {
  readonly ready?: true
  /** Receipts asked for in vain. */
  readonly polls?: number
  /** Transactions on the chain. */
  readonly mined?: number
  readonly error?: string
}

interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
}

interface Mined {
  readonly hash: string
  readonly index: number
}

const hex = (number: number): string => `0x${number.toString(16)}`
const word = (number: number): string => number.toString(16).padStart(64, '0')

/** A worker with an account, a contract, and an address that only this worker pays. */
class Worker {
  /** Transactions on the chain, by hash and index among all sent ones. */
  #mined: Mined[] = []
  #sent = 0
  polls = 0
  readonly number: number
  readonly call: Call
  readonly receiver: string
  sender = ''
  board = ''
  firstBlock = 0
  firstNonce = 0

  constructor(number: number, call: Call) {
    this.number = number
    this.call = call
    this.receiver = `0x${(0xbeef_0000 + number).toString(16).padStart(40, '0')}`
  }

  async settle(): Promise<void> {
    ;[this.sender] = await this.call('eth_accounts')
    const receipt = await this.#receipt(await this.#send({ data: BOARD }))
    this.board = receipt.contractAddress
    this.firstBlock = Number(receipt.blockNumber)
    this.firstNonce = Number(await this.call('eth_getTransactionCount', this.sender, 'latest'))
  }

  async work(transactions: number): Promise<void> {
    for (let round = 0; this.#sent < transactions; round++) {
      const before = await this.#observe()
      const mined = [...this.#mined]
      const id = await this.call('evm_snapshot')
      for (let index = 0; index < ROUND; index++) await this.#transact()
      await this.#observe()
      if (round % 2 === 0) continue
      strictEqual(await this.call('evm_revert', id), true)
      const [gone] = this.#mined.slice(mined.length)
      this.#mined = mined
      deepStrictEqual(await this.#observe(), before)
      strictEqual(await this.call('eth_getTransactionReceipt', gone?.hash), null)
    }
  }

  /** Checks every receipt and every log of the chain. */
  async verify(): Promise<number> {
    const logs: readonly Log[] = await this.call('eth_getLogs', { fromBlock: 'earliest', toBlock: 'latest' })
    deepStrictEqual(
      logs.map(({ address, topics, data, transactionHash }) => ({ address, topics, data, transactionHash })),
      this.#mined.filter(({ index }) => !isTransfer(index)).map((mined) => this.#logOf(mined)),
    )
    for (const [place, { hash, index }] of this.#mined.entries()) {
      const [receipt, ...others] = await this.call('eth_getBlockReceipts', hex(this.firstBlock + 1 + place))
      deepStrictEqual([receipt.transactionHash, others], [hash, []])
      deepStrictEqual(
        [receipt.status, receipt.from, receipt.to, receipt.logs.length],
        ['0x1', this.sender, ...(isTransfer(index) ? [this.receiver, 0] : [this.board, 1])],
      )
    }
    return this.#mined.length
  }

  async #transact(): Promise<void> {
    const index = this.#sent++
    const hash = await this.#send(
      isTransfer(index)
        ? { to: this.receiver, value: hex(this.number) }
        : { to: this.board, data: `0x${word(index)}${word(this.#valueOf(index))}` },
    )
    this.#mined.push({ hash, index })
    const { status, blockNumber } = await this.#receipt(hash)
    deepStrictEqual([status, Number(blockNumber)], ['0x1', this.firstBlock + this.#mined.length])
  }

  /** A value that identifies worker and transaction. */
  readonly #valueOf = (index: number): number => this.number * 1_000_000 + index

  #send(transaction: object): Promise<string> {
    return this.call('eth_sendTransaction', { from: this.sender, gas: GAS, ...transaction })
  }

  /** Receipt of a sent transaction. Some nodes answer its hash before it is mined, so this polls. */
  async #receipt(hash: string): Promise<any> {
    const sentAt = performance.now()
    while (performance.now() - sentAt < LOST_MS) {
      const receipt = await this.call('eth_getTransactionReceipt', hash)
      if (receipt !== null) return receipt
      this.polls++
      await pause(POLL_MS)
    }
    throw new Error(`a transaction was lost: ${hash} was answered and never mined`)
  }

  /** Reads the state of the chain and checks it. */
  async #observe() {
    const { call, sender, receiver, board } = this
    const transfers = this.#mined.filter(({ index }) => isTransfer(index)).length
    const lastWritten = this.#mined.findLast(({ index }) => !isTransfer(index))?.index
    const next = (lastWritten ?? -1) + 2
    const observed = {
      block: Number(await call('eth_blockNumber')),
      nonce: Number(await call('eth_getTransactionCount', sender, 'latest')),
      received: Number(await call('eth_getBalance', receiver, 'latest')),
      last: Number(await call('eth_getStorageAt', board, hex(lastWritten ?? next), 'latest')),
      next: Number(await call('eth_getStorageAt', board, hex(next), 'latest')),
    }
    deepStrictEqual(observed, {
      block: this.firstBlock + this.#mined.length,
      nonce: this.firstNonce + this.#mined.length,
      received: transfers * this.number,
      last: lastWritten === undefined ? 0 : this.#valueOf(lastWritten),
      next: 0,
    })
    return { ...observed, balance: await call('eth_getBalance', sender, 'latest') }
  }

  #logOf({ hash, index }: Mined) {
    return {
      address: this.board,
      topics: [`0x${word(index)}`],
      data: `0x${word(this.#valueOf(index))}`,
      transactionHash: hash,
    }
  }
}

/** Transfers and calls alternate. */
const isTransfer = (index: number): boolean => index % 2 === 0

const nextMessage = async (): Promise<any> => (await once(process, 'message'))[0]
const say = (report: Report): boolean => process.send!(report)

try {
  const { url, number, transactions } = (await nextMessage()) as Task
  const client = connect(url)
  const worker = new Worker(number, client.call)
  await worker.settle()
  say({ ready: true })
  await nextMessage()
  await worker.work(transactions)
  say({ polls: worker.polls })
  await nextMessage()
  say({ mined: await worker.verify() })
  client.disconnect()
} catch (error) {
  say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}
process.disconnect()
