/** One node under fire: rounds of exchanges, and the check of the laws between them. */

import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { randomBytes } from 'node:crypto'
import { BYTES } from './bytes-of-kinds.ts'
import { Choices } from './choices.ts'
import type { Exchange, Kind } from './exchange.ts'
import { Honest } from './honest.ts'
import { longCall } from './long-calls.ts'
import { MESSAGES } from './messages-of-kinds.ts'
import type { Level } from './messages.ts'
import { BrokenLaw, NodeClient } from './node-client.ts'
import { programsOf } from './programs.ts'
import { Sender } from './sender.ts'
import { CALL_TIMEOUT_MS } from './settings.ts'
import type { Setting } from './settings.ts'
import { signedTransaction } from './transactions.ts'

/** Milliseconds after which a request counts as unanswered; eth_sendTransactionSync may wait for a minute. */
const UNANSWERED_MS = 75_000

/** Milliseconds within which a call that lasts is answered: a call may run twice, and the machine may be busy. */
const LONG_CALL_MS = 20 * CALL_TIMEOUT_MS

/** Relative numbers of exchanges. */
const WEIGHTS: readonly (readonly [number, Kind])[] = [
  [300, 'single requests'],
  [240, 'batches'],
  [120, 'byte code'],
  [120, 'raw transactions'],
  [80, 'worlds and dialects'],
  [100, 'WebSocket'],
  [80, 'local socket'],
  [60, 'broken JSON-RPC'],
  [60, 'broken HTTP'],
  [50, 'broken WebSocket frames'],
  [6, 'slow clients'],
  [30, 'half-closed sockets'],
  [1, 'long calls'],
]

/** Exchanges between two honest requests. */
const HONEST_EVERY = 4

/** Number of the newest exchanges in a report. */
const REPORTED = 40

/** Settings of a session, for tests. */
export interface SessionSettings {
  /** Name of a defect to plant. */
  readonly defect?: string | undefined
  /** Milliseconds after which a request counts as unanswered; eth_sendTransactionSync may wait for a minute. */
  readonly unansweredMs?: number
}

/** A node, the state of the generators, and what was sent. */
export class Session {
  readonly setting: Setting
  readonly counts = new Map<Kind, number>()
  readonly honest = new Honest()
  /** The newest exchanges, oldest first. */
  readonly recent: Exchange[] = []
  readonly #node: NodeClient
  readonly #sender: Sender
  #choices = new Choices(0)

  private constructor(setting: Setting, node: NodeClient, sender: Sender) {
    this.setting = setting
    this.#node = node
    this.#sender = sender
  }

  /** Starts a node with the options, plus a local socket. */
  static async start(
    program: string,
    setting: Setting,
    { defect, unansweredMs = UNANSWERED_MS }: SessionSettings = {},
  ): Promise<Session> {
    const ipc = join(tmpdir(), `fuzz-${randomBytes(6).toString('hex')}.ipc`)
    const node = await NodeClient.start(program, { ...setting.options, ipc }, defect)
    return new Session(setting, node, new Sender(node, ipc, unansweredMs))
  }

  /** Sends exchanges of a seed until `isOver`, then takes everything back. @throws BrokenLaw */
  async round(seed: number, isOver: (requests: number) => boolean): Promise<void> {
    await this.#prepare(seed)
    let requests = 0
    for (let index = 0; !isOver(requests); index++) {
      const kind = this.#choices.weighted(WEIGHTS)
      requests += await this.fire(this.#make(kind))
      if (index % HONEST_EVERY === 0) await this.honest.check(this.#node)
    }
  }

  /** Sends one exchange and checks its answer; the number of its requests. @throws BrokenLaw */
  async fire(exchange: Exchange): Promise<number> {
    const { kind, requests } = exchange
    this.recent.push(exchange)
    if (this.recent.length > REPORTED) this.recent.shift()
    const answer = kind === 'long calls' ? await this.#during(exchange) : await this.#sender.send(exchange)
    this.#choices.known.learn(answer)
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + requests)
    this.#node.check()
    return requests
  }

  /** Sends honest requests while a call lasts, which must end in time. */
  async #during(exchange: Exchange): Promise<string> {
    const startedAt = performance.now()
    let answer: string | undefined
    const sent = this.#sender.send(exchange).then((text) => (answer = text))
    sent.catch(() => undefined)
    while (answer === undefined) {
      await Promise.race([sent, this.honest.check(this.#node)])
      const ms = performance.now() - startedAt
      if (ms > LONG_CALL_MS)
        throw new BrokenLaw('no request without an answer', `a call lasts ${Math.round(ms)} ms`)
    }
    return sent
  }

  /** Checks what the process tells late, and an honest request. @throws BrokenLaw */
  async settle(): Promise<void> {
    await this.honest.check(this.#node)
    await this.#node.level()
  }

  #make(kind: Kind): Exchange {
    if (kind === 'long calls') return longCall(this.#choices)
    return (MESSAGES[kind] ?? BYTES[kind])!(this.#choices)
  }

  async #prepare(seed: number): Promise<void> {
    const { accounts, chainId } = this.#node.ready
    this.#choices = new Choices(seed)
    const { known } = this.#choices
    const precompiles = [1, 2, 5, 8, 10].map((number) => `0x${number.toString(16).padStart(40, '0')}`)
    known.fix([...accounts.map(({ address }) => address), ...precompiles])
    known.codes.push(...programsOf(seed, 30))
    for (let count = 0; count < 30; count++) {
      const { privateKey } = accounts[count % 2]!
      known.transactions.push(await signedTransaction({ privateKey, chainId }, count >> 1, this.#choices))
    }
  }

  /** Takes back what requests have left, and measures the memory. @throws BrokenLaw */
  async level(): Promise<Level> {
    const worlds = (await this.#node.call('dev_worlds')) as readonly { readonly id: string }[] | undefined
    for (const { id } of worlds ?? []) await this.#node.call('dev_deleteWorld', id)
    for (const [method, ...params] of RESETS) await this.#node.call(method, ...params)
    return this.#node.level()
  }

  async stop(): Promise<void> {
    this.#sender.close()
    await this.#node.stop()
  }
}

/** Requests that take back what a reset keeps on purpose. */
const RESETS: readonly (readonly [string, ...unknown[]])[] = [
  ['hardhat_reset'],
  ['dev_resetGasReport'],
  ['dev_stopCoverage'],
  ['hardhat_setLoggingEnabled', false],
  ['evm_setAutomine', true],
  ['hardhat_reset'],
]
