/** Stands for a remote that must not be asked (--fork-cache-only): every request is an error that says what the cache lacks. */

import { shownUrl } from '../base/shown-url.ts'
import { ACCOUNT_METHODS, type Question } from './question.ts'
import { remoteFailed } from './remote-error.ts'
import type { RemotesOfChain } from './remote-set.ts'

/** A remote that is never asked. */
export class AbsentRemote implements RemotesOfChain {
  readonly shownUrl: string
  readonly isAbsent = true
  readonly #onFault: (sentence: string) => void
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
  async use({ method, params, block }: Question): Promise<never> {
    const asked = params
      .map((param) => (typeof param === 'string' ? param : JSON.stringify(param)))
      .join(', ')
    // An account is missing once, not for each of the requests that it takes.
    const subject = ACCOUNT_METHODS.includes(method)
      ? `account ${asked}`
      : `${method}(${asked.slice(0, MAX_TEXT)})`
    const what = `${subject}${block === undefined ? '' : ` at block ${block.number}`}`
    this.#missing.add(what)
    throw remoteFailed(`the fork cache lacks ${what}, and --fork-cache-only asks no remote: ${ADVICE}`)
  }

  close(): void {
    const [first] = this.#missing
    if (first === undefined) return
    const more = this.#missing.size === 1 ? first : `${this.#missing.size} facts, first ${first}`
    this.#onFault(`the fork cache lacked ${more}: ${ADVICE}`)
  }
}

const ADVICE = 'run once with --fork-url and without --fork-cache-only'

/** Longest params in an error. */
const MAX_TEXT = 200
