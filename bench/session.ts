/** What the rows of the table do with a running node: calls, transactions with their receipts, contracts. */

import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Call, Client } from './client.ts'
import { loadBenchContracts } from './contracts.ts'
import type { BenchContracts } from './contracts.ts'
import type { MeasuredProcess, RunningNode } from './nodes/node.ts'
import { connectSocket } from './socket-client.ts'
import { quantity } from './words.ts'

/** What a row cost. Times are of one operation. */
export interface Measurement {
  /** Processor time of the node's processes. */
  readonly cpuMs?: number
  /** Time on the clock, with the client's part in it. */
  readonly wallMs?: number
  readonly megabytes?: number
  /** Operations completed by the end of each tenth of a second. */
  readonly progress?: readonly number[]
  /** What a reader has to know about this figure. */
  readonly note?: string
}

/** How often an operation is repeated. */
export interface Repetition {
  /** Operations before the measured ones. */
  readonly warmUp?: number
  readonly operations: number
}

/** A transaction request. */
export interface Transaction {
  readonly to?: string
  readonly data?: string
  readonly value?: string
  readonly gas?: string
}

/** Members of a receipt that rows read. */
export interface Receipt {
  readonly transactionHash: string
  readonly status: string
  readonly contractAddress: string
  readonly logs: readonly unknown[]
}

/** How much of a row's operations is done. */
export interface Extent {
  /** Less than 1 for fewer operations than the rows name. */
  readonly scale: number
  /** Longest processor time of a row's warm-up, and of its measured operations: slow nodes do fewer of them. */
  readonly limitMs: number
}

/** Milliseconds between two looks at the processor time. */
const LOOK_MS = 200

/** How many times the limit a row may take on the clock, on a busy machine. */
const WAIT = 5

/** Milliseconds after which a transaction without a receipt is lost. */
const LOST_MS = 10_000

/** Polls for a receipt without a pause; after them the client pauses for a millisecond each. */
const QUICK_POLLS = 2

/** A session with a node over HTTP. */
export type NodeSession = Session<RunningNode>

/** A running node with what was deployed on it. */
export class Session<Running extends MeasuredProcess = MeasuredProcess> {
  readonly running: Running
  readonly #client: Client
  readonly #kept = new Map<string, Promise<any>>()
  readonly #sockets: Client[] = []
  readonly extent: Extent

  constructor(running: Running, extent: Extent, client: Client) {
    this.running = running
    this.#client = client
    this.extent = extent
  }

  /** Sends a request over HTTP, or to a provider. */
  get call(): Call {
    return this.#client.call
  }

  /** Sends a request over WebSocket. */
  socketCall(this: NodeSession): Promise<Call> {
    return this.keep('socket', async () => {
      const socket = await connectSocket(this.running.url)
      this.#sockets.push(socket)
      return socket.call
    })
  }

  disconnect(): void {
    this.#client.disconnect()
    for (const socket of this.#sockets) socket.disconnect()
  }

  /** Makes something once for a process, at its first use. */
  keep<Kept>(name: string, make: () => Promise<Kept>): Promise<Kept> {
    const kept: Promise<Kept> = this.#kept.get(name) ?? make()
    this.#kept.set(name, kept)
    return kept
  }

  /** The account that sends, and the one that receives. */
  accounts(): Promise<readonly [string, string]> {
    return this.keep('accounts', async () => {
      const [from, to] = (await this.call('eth_accounts')) as [string, string]
      return [from, to] as const
    })
  }

  /** Address of a contract, which is deployed at the first use. */
  contract(name: keyof BenchContracts): Promise<string> {
    return this.keep(`contract ${name}`, async () => {
      const { contractAddress } = await this.transact({
        data: loadBenchContracts()[name],
        gas: quantity(2_000_000),
      })
      return contractAddress
    })
  }

  /** Sends a transaction of an account of the node, and answers its receipt. */
  async transact(transaction: Transaction, call: Call = this.call): Promise<Receipt> {
    const [from] = await this.accounts()
    return this.receipt((await call('eth_sendTransaction', { from, ...transaction })) as string, call)
  }

  /** Receipt of a transaction that has to succeed. Anvil answers its hash before it is mined, so this polls. */
  async receipt(hash: string, call: Call = this.call): Promise<Receipt> {
    const sentAt = performance.now()
    for (let poll = 0; performance.now() - sentAt < LOST_MS; poll++) {
      const receipt = (await call('eth_getTransactionReceipt', hash)) as Receipt | null
      if (receipt === null) {
        if (poll >= QUICK_POLLS) await pause(1)
        continue
      }
      if (receipt.status !== '0x1') throw new Error(`transaction ${hash} has the status ${receipt.status}`)
      if (receipt.transactionHash !== hash)
        throw new Error(`the receipt of ${hash} is of another transaction`)
      return receipt
    }
    throw new Error(`transaction ${hash} was answered and has no receipt after ${LOST_MS} ms`)
  }

  /** Mean cost of an operation. */
  async measure(
    { warmUp = 0, operations }: Repetition,
    operation: (index: number) => Promise<unknown>,
  ): Promise<Measurement> {
    const first = await this.#repeat(0, warmUp, operation)
    const before = this.running.use()
    const startedAt = performance.now()
    const done = await this.#repeat(first, operations, operation)
    const wallMs = performance.now() - startedAt
    const after = this.running.use()
    return { cpuMs: (after.cpuMs - before.cpuMs) / done, wallMs: wallMs / done }
  }

  /** Repeats an operation until the limit. Answers how many times. */
  async #repeat(
    first: number,
    times: number,
    operation: (index: number) => Promise<unknown>,
  ): Promise<number> {
    const { scale, limitMs } = this.extent
    const most = times === 0 ? 0 : Math.max(1, Math.round(times * scale))
    const before = this.running.use().cpuMs
    const startedAt = performance.now()
    let lookAt = startedAt + LOOK_MS
    for (let done = 0; done < most; done++) {
      const now = performance.now()
      if (now > lookAt) {
        lookAt = now + LOOK_MS
        const isOver = this.running.use().cpuMs - before > limitMs || now - startedAt > WAIT * limitMs
        if (isOver) return done
      }
      await operation(first + done)
    }
    return most
  }
}
