/** Stands for a remote that must not be asked (--fork-cache-only): every request is an error that says what the cache lacks. */

import { shownUrl } from '../base/shown-url.ts'
import type { Question } from './question.ts'
import { remoteFailed } from './remote-error.ts'
import type { RemotesOfChain } from './remote-set.ts'

/** A remote that is never asked. */
export class AbsentRemote implements RemotesOfChain {
  readonly shownUrl: string
  readonly isAbsent = true
  readonly #onFault: (sentence: string) => void
  /** What was not in the cache, in words. */
  readonly #missing = new Set<string>()

  /** `onFault` is called at the end with a sentence for the user if something was missing. */
  constructor(urls: readonly string[] | undefined, onFault: (sentence: string) => void) {
    this.shownUrl = urls?.map(shownUrl).join(', ') ?? 'the fork cache'
    this.#onFault = onFault
  }

  of(): RemotesOfChain {
    return this
  }

  /** Always fails, because the cache does not answer the question. @throws NodeError 'remoteFailed' */
  async use(question: Question): Promise<never> {
    const what = missingFact(question)
    this.#missing.add(what)
    throw remoteFailed(
      `the fork cache lacks ${what} (${question.method}), and --fork-cache-only asks no remote: ${ADVICE}`,
    )
  }

  close(): void {
    const [first] = this.#missing
    const count = this.#missing.size
    if (first === undefined) return
    const more = count === 1 ? first : `${count} things, the first one ${first}`
    this.#onFault(`the fork cache lacked ${more}: ${ADVICE}`)
  }
}

const ADVICE = 'run once with --fork-url and without --fork-cache-only'

/** What a question asks for, in words. */
function missingFact({ method, params, block }: Question): string {
  const words = SUBJECTS[method]?.(...params) ?? `the answer to ${method}`
  return block === undefined ? words : `${words} at block ${block.number}`
}

const account = (address: unknown): string => `account ${text(address)}`

const SUBJECTS: Readonly<Record<string, (...params: readonly unknown[]) => string>> = {
  eth_getBalance: account,
  eth_getTransactionCount: account,
  eth_getCode: account,
  eth_getStorageAt: (address, slot) => `slot ${short(slot)} of ${text(address)}`,
  eth_getProof: (address) => `the proof of account ${text(address)}`,
  eth_call: (call) => `the result of the call ${text(call)}`,
  eth_getBlockByNumber: (number) => `block ${decimal(number)}`,
  eth_getBlockByHash: (hash) => `block ${text(hash)}`,
  eth_getUncleByBlockHashAndIndex: (hash, index) => `uncle ${decimal(index)} of block ${text(hash)}`,
  eth_getTransactionByHash: (hash) => `transaction ${text(hash)}`,
  eth_getTransactionReceipt: (hash) => `the receipt of transaction ${text(hash)}`,
  eth_getBlockReceipts: (number) => `the receipts of block ${decimal(number)}`,
  eth_getLogs: (filter) => `the logs of ${text(filter)}`,
}

/** Longest text in an error. */
const MAX_TEXT = 200

const text = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT)

const decimal = (value: unknown): string => BigInt(text(value)).toString()

/** A word without leading zeros. */
const short = (value: unknown): string => text(value).replace(/^0x0+(?=.)/, '0x')
