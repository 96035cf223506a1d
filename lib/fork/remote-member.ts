/** One of several remotes: its speed and reliability, what it lacks, and whether it has the chain. remote-set.ts chooses between them. */

import * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import { toQuantity } from '../base/hex.ts'
import type { Host } from '../base/host.ts'
import { hash as hashForm, quantity } from '../schema/wire.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { readRemote, type BlockId } from './question.ts'
import type { RemoteSettings } from './remote-address.ts'
import { RemoteClient } from './remote-client.ts'
import { OtherChainError, RemoteError, UnansweredError, isFailedExecution } from './remote-error.ts'
import { pauseReports, retryDelayMs } from './transport.ts'

/** The facts about a request for which remotes differ. */
export interface Subject {
  readonly method: string
  readonly block?: { readonly number: bigint } | undefined
}

const WEIGHT = 0.2

/** A failure of each request counts as much as this latency. */
const FAILURE_MS = 2000

/** Time until a useless remote, such as one of another chain, is asked again. */
const LONG_PAUSE_MS = 60_000

/** Time until a remote is asked again whether it has reached the fork's block. */
const BEHIND_PAUSE_MS = 5000

/** Time after which the figures of an unused remote are out of date. */
const OLD_MS = 30_000

/** One of several remotes. Its client does not repeat requests, because another remote is asked instead. */
export class RemoteMember {
  readonly client: RemoteClient
  fault: NodeError | undefined
  /** Moving average of the milliseconds per request, including the penalty for failures. */
  costMs: number | undefined
  readonly #url: string
  readonly #host: Host
  readonly #report: (sentence: string) => void
  readonly #reported = new Set<string>()
  #failuresInRow = 0
  #askedAtMs = -Infinity
  #pausedUntilMs = -Infinity
  readonly #lacking = new Set<string>()
  /** The newest block whose state the remote is known to have dropped. */
  #prunedTo = -1n
  /** The chains that the remote is known to have, and the running checks. */
  readonly #proven = new Set<string>()
  readonly #checks = new Map<string, Promise<void>>()

  /** `report` gets a sentence for the user about a remote that cannot be used, once per reason. */
  constructor(settings: RemoteSettings, host: Host, report: (sentence: string) => void) {
    this.#url = settings.url
    this.client = new RemoteClient({ ...settings, retries: 0 }, host, pauseReports(host, report))
    this.#host = host
    this.#report = report
  }

  get pauseMs(): number {
    return Math.max(this.#pausedUntilMs - this.#host.elapsed(), 0)
  }

  /** Milliseconds until a remote may have recovered; undefined for one that cannot recover on its own. */
  get recoveryMs(): number | undefined {
    const { fault, pauseMs } = this
    const mayRecover = fault instanceof OtherChainError ? fault.isBehind : isTransient(fault)
    return pauseMs > 0 && mayRecover ? pauseMs : undefined
  }

  /** Whether the remote is known to lack the method or the state. */
  lacks({ method, block }: Subject): boolean {
    return this.#lacking.has(method) || (block !== undefined && block.number <= this.#prunedTo)
  }

  isProven(chain: ForkedBlock): boolean {
    return this.#proven.has(keyOf(chain))
  }

  trust(chain: ForkedBlock): void {
    this.#proven.add(keyOf(chain))
  }

  /** Asks the remote, and measures it. @throws the error of `ask` */
  async ask<T>(subject: Subject, ask: (client: RemoteClient, url: string) => Promise<T>): Promise<T> {
    const startMs = this.#host.elapsed()
    this.#askedAtMs = startMs
    try {
      const answer = await ask(this.client, this.#url)
      const tookMs = this.#host.elapsed() - startMs
      this.costMs = moved(this.costMs ?? tookMs, tookMs)
      this.#failuresInRow = 0
      this.fault = undefined
      return answer
    } catch (error) {
      if (isFault(error)) this.#fail(subject, error)
      throw error
    }
  }

  /** Checks that the remote has the chain, once at a time. @throws OtherChainError, NodeError 'remoteFailed' */
  prove(chain: ForkedBlock): Promise<void> {
    const key = keyOf(chain)
    const running = this.#checks.get(key)
    if (running !== undefined) return running
    const check = this.ask({ method: 'eth_chainId' }, (client) => checkChain(client, chain))
      .then(
        () => this.trust(chain),
        (error: unknown) => {
          if (this.pauseMs === 0) this.#pause(LONG_PAUSE_MS)
          throw error
        },
      )
      .finally(() => this.#checks.delete(key))
    this.#checks.set(key, check)
    return check
  }

  /** Measures the remote by checking its chain, unless it was asked lately. Errors are kept for a later request. */
  explore(chain: ForkedBlock): void {
    const isOld = this.#host.elapsed() - this.#askedAtMs > OLD_MS
    if (this.pauseMs === 0 && (isOld || !this.isProven(chain))) this.prove(chain).catch(() => undefined)
  }

  #fail({ method, block }: Subject, error: NodeError): void {
    this.fault = error
    const reason = error instanceof RemoteError ? error.reason : 'other'
    if (reason === 'methodNotFound') return void this.#lacking.add(method)
    if (reason === 'stateMissing' && block !== undefined) {
      if (block.number > this.#prunedTo) this.#prunedTo = block.number
      return
    }
    this.costMs = moved(this.costMs ?? 0, FAILURE_MS)
    if (error instanceof OtherChainError) return this.#leaveChain(error)
    if (!(error instanceof UnansweredError) && !isTransient(error)) return
    if (this.#proven.size === 0) this.#reportOnce(error, 'it is used when it answers')
    // The requests of one message fail together.
    if (this.pauseMs > 0) return
    const retryAfterMs = error instanceof UnansweredError ? error.retryAfterMs : undefined
    const delayMs = retryDelayMs(++this.#failuresInRow, this.#host.random)
    this.#pause(isTransient(error) ? (retryAfterMs ?? delayMs) : LONG_PAUSE_MS)
  }

  #leaveChain(error: OtherChainError): void {
    this.#proven.clear()
    this.#pause(error.isBehind ? BEHIND_PAUSE_MS : LONG_PAUSE_MS)
    if (!error.isBehind) this.#reportOnce(error, 'it is not used')
  }

  #pause(ms: number): void {
    this.#pausedUntilMs = this.#host.elapsed() + ms
  }

  #reportOnce({ message }: NodeError, consequence: string): void {
    if (this.#reported.has(consequence)) return
    this.#reported.add(consequence)
    this.#report(`${message}; ${consequence}`)
  }
}

const moved = (average: number, newest: number): number => (1 - WEIGHT) * average + WEIGHT * newest

const keyOf = ({ chainId, blockHash }: ForkedBlock): string => `${chainId} ${blockHash}`

const isTransient = (error: unknown): boolean =>
  (error instanceof UnansweredError || error instanceof RemoteError) && error.isTransient

/** Whether the remote failed. A failed execution is an answer. */
export const isFault = (error: unknown): error is NodeError =>
  error instanceof NodeError &&
  error.kind === 'remoteFailed' &&
  !(error instanceof RemoteError && isFailedExecution(error))

/**
 * Throws if the number of this block now belongs to another block, as after a reorganization. @throws NodeError 'remoteFailed',
 * OtherChainError
 */
export async function checkCanonical(client: RemoteClient, { number, hash }: BlockId): Promise<void> {
  const json = await client.request('eth_getBlockByNumber', [toQuantity(number), false])
  const block = readRemote(z.object({ hash: hashForm }).nullable(), json, `block ${number}`)
  if (block?.hash === hash) return
  const now = block === null ? `it has no block ${number}` : `its block ${number} is ${block.hash}`
  const message = `the remote ${client.shownUrl} no longer has block ${number} ${hash}: ${now}`
  throw new OtherChainError(message, block === null)
}

/** Throws unless the remote has the fork's chain. Both requests are in one message. @throws OtherChainError */
async function checkChain(
  client: RemoteClient,
  { chainId, blockNumber: number, blockHash: hash }: ForkedBlock,
): Promise<void> {
  const checked = checkCanonical(client, { number, hash })
  // If both fail, the error about the chain id says more.
  checked.catch(() => undefined)
  const id = readRemote(quantity, await client.request('eth_chainId', []), 'chain id')
  if (id !== chainId)
    throw new OtherChainError(`the remote ${client.shownUrl} has chain id ${id}, not ${chainId}`)
  await checked
}
