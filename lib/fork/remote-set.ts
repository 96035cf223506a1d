/** The remotes of one chain: chooses the best one for each request, and asks the next one if it fails. */

import type { NodeError } from '../base/errors.ts'
import { keepAlive, type Host } from '../base/host.ts'
import { present } from '../base/invariant.ts'
import { shownUrl } from '../base/shown-url.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { ACCOUNT_METHODS, type Question } from './question.ts'
import type { RemoteSettings } from './remote-address.ts'
import { RemoteClient } from './remote-client.ts'
import { errorOfAll, remoteFailed } from './remote-error.ts'
import { RemoteMember, isFault, type Subject } from './remote-member.ts'
import { pauseReports, type PauseReports } from './transport.ts'

/** Asks one remote. All its requests go to the same remote, because they belong together. */
type Asking<T> = (client: RemoteClient, url: string) => Promise<T>

export interface RemotesOfChain {
  readonly shownUrl: string
  /** Whether no remote may be asked. */
  readonly isAbsent: boolean
  /** @throws NodeError 'remoteFailed' that names every remote */
  readonly use: <T>(question: Question, ask: Asking<T>) => Promise<T>
}

/** What a request needs from the remotes. */
interface Wanted {
  readonly subject: Subject
  /** Absent during the search for the fork's block. */
  readonly chain?: ForkedBlock
  readonly retries: number
}

const SEARCH: Subject = { method: 'eth_chainId' }

/** One remote or several. A single one is asked without checks of its chain, and its client repeats failed requests. */
export class RemoteSet {
  readonly shownUrl: string
  readonly #host: Host
  readonly #pauseReports: PauseReports
  readonly #first: RemoteSettings
  readonly #single: RemoteClient | undefined
  /** Empty if there is a single remote. */
  readonly #members: readonly RemoteMember[]
  readonly #waits = new Set<() => void>()
  #isClosed = false

  /** `report` gets sentences for the user about unused remotes and pauses. */
  constructor(settings: readonly RemoteSettings[], host: Host, report: (sentence: string) => void) {
    this.#host = host
    this.#pauseReports = pauseReports(host, report)
    this.#first = present(settings[0], 'settings of a remote')
    this.#single = settings.length === 1 ? new RemoteClient(this.#first, host, this.#pauseReports) : undefined
    this.#members = this.#single ? [] : settings.map((remote) => new RemoteMember(remote, host, report))
    this.shownUrl = settings.map(({ url }) => shownUrl(url)).join(', ')
  }

  /** Finds the block of a fork. The first remote that finds it decides on the chain; the others must have the same one. */
  async find<Found extends ForkedBlock>(
    search: Asking<Found>,
    retries = this.#first.retries,
  ): Promise<Found> {
    if (this.#single === undefined)
      return this.#askMembers({ subject: SEARCH, retries }, async (member) => {
        const answer = await member.ask(SEARCH, search)
        member.trust(answer)
        return answer
      })
    if (retries === this.#first.retries) return search(this.#single, this.#first.url)
    const client = new RemoteClient({ ...this.#first, retries }, this.#host)
    return search(client, this.#first.url).finally(() => client.close())
  }

  of(chain: ForkedBlock): RemotesOfChain {
    const use = <T>(subject: Subject, ask: Asking<T>): Promise<T> =>
      this.#single === undefined ? this.#useMembers(chain, subject, ask) : ask(this.#single, this.#first.url)
    return { shownUrl: this.shownUrl, isAbsent: false, use }
  }

  /** The answers of all remotes that do not fail. */
  async askAll(method: string, params: readonly unknown[]): Promise<readonly unknown[]> {
    const clients = this.#single ? [this.#single] : this.#members.map(({ client }) => client)
    const asked = await Promise.allSettled(clients.map((client) => client.request(method, params)))
    return asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }

  close(): void {
    this.#isClosed = true
    this.#single?.close()
    for (const { client } of this.#members) client.close()
    for (const end of this.#waits) end()
  }

  #useMembers<T>(chain: ForkedBlock, subject: Subject, ask: Asking<T>): Promise<T> {
    for (const member of this.#members) member.explore(chain)
    return this.#askMembers({ subject, chain, retries: this.#first.retries }, async (member) => {
      // No turn of the event loop in between, so that the next request sees this one in the queue.
      if (!member.isProven(chain)) await member.prove(chain)
      return member.ask(subject, ask)
    })
  }

  /** Asks the remotes in turn, and all again after a pause if one of them may recover. */
  async #askMembers<T>(wanted: Wanted, ask: (member: RemoteMember) => Promise<T>): Promise<T> {
    const faults = new Map<RemoteMember, NodeError>()
    for (let round = 0; ; round++) {
      for (const member of this.#ranked(wanted)) {
        if (member.pauseMs > 0) continue
        try {
          return await ask(member)
        } catch (error) {
          if (!isFault(error)) throw error
          faults.set(member, error)
        }
      }
      const waits = this.#members.flatMap(({ recoveryMs }) => recoveryMs ?? [])
      const error = errorOfAll(this.#members.flatMap((member) => faults.get(member) ?? member.fault ?? []))
      if (this.#isClosed || round >= wanted.retries || waits.length === 0) throw error
      // Remotes that failed together are asked together, because their delays differ at most by a factor of two.
      const soonMs = 2 * Math.min(...waits)
      const waitMs = Math.max(...waits.filter((ms) => ms <= soonMs))
      this.#pauseReports.add(`${error.message}; they are asked again`, waitMs)
      await this.#wait(waitMs)
    }
  }

  /** The remotes, best first. Those known to lack the answer come last. */
  #ranked({ subject, chain }: Wanted): readonly RemoteMember[] {
    const rankOf = (member: RemoteMember): number => {
      const isUnproven = chain !== undefined && !member.isProven(chain)
      return 4 * Number(member.lacks(subject)) + 2 * Number(isUnproven) + Number(member.client.isFull)
    }
    return this.#members
      .map((member) => ({ member, rank: rankOf(member) }))
      .sort((one, other) => one.rank - other.rank || (one.member.costMs ?? 0) - (other.member.costMs ?? 0))
      .map(({ member }) => member)
  }

  /** Waits until a remote may have recovered, or the client is closed. */
  async #wait(ms: number): Promise<void> {
    const endWait = keepAlive()
    await new Promise<void>((resolve) => {
      const cancel = this.#host.schedule(ms, end)
      const waits = this.#waits
      function end(): void {
        cancel()
        waits.delete(end)
        resolve()
      }
      waits.add(end)
    })
    endWait()
  }
}

/** Stands for a remote that must not be asked (--fork-cache-only). Every request is an error that names what the cache lacks. */
export class AbsentRemote implements RemotesOfChain {
  readonly shownUrl: string
  readonly isAbsent = true
  readonly #onFault: (sentence: string) => void
  readonly #missing = new Set<string>()

  /** When closed, calls `onFault` with a sentence for the user if something was missing. */
  constructor(urls: readonly string[] | undefined, onFault: (sentence: string) => void) {
    this.shownUrl = urls?.map(shownUrl).join(', ') ?? 'the fork cache'
    this.#onFault = onFault
  }

  of(): RemotesOfChain {
    return this
  }

  /** Always fails, because the cache has no answer. @throws NodeError 'remoteFailed' */
  async use({ method, params, block }: Question): Promise<never> {
    const asked = params
      .map((param) => (typeof param === 'string' ? param : JSON.stringify(param)))
      .join(', ')
    // A missing account is reported once, not for each of its requests.
    const subject = ACCOUNT_METHODS.includes(method)
      ? `account ${asked}`
      : `${method}(${asked.slice(0, MAX_TEXT)})`
    const what = `${subject}${block === undefined ? '' : ` at block ${block.number}`}`
    this.#missing.add(what)
    throw remoteFailed(
      `the fork cache lacks ${what}, and --fork-cache-only asks no remote: ${ADVICE}`,
      'DN-CACHE',
    )
  }

  close(): void {
    const [first] = this.#missing
    if (first === undefined) return
    const more = this.#missing.size === 1 ? first : `${this.#missing.size} facts, first ${first}`
    this.#onFault(`the fork cache lacked ${more}: ${ADVICE}`)
  }
}

const ADVICE = 'run once with --fork-url and without --fork-cache-only'

/** Maximum length of params in an error. */
const MAX_TEXT = 200
