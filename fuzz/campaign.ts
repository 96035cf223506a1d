/** Fuzzes one node after another until the time is over, and collects figures and failures. */

import type { Exchange, Kind } from './exchange.ts'
import { KINDS } from './exchange.ts'
import { checkMemory, megabytes } from './memory.ts'
import type { Law, Level } from './messages.ts'
import { BrokenLaw } from './node-client.ts'
import { Session } from './session.ts'
import type { Setting } from './settings.ts'

/** A broken law, and what repeats it. */
export interface Failure {
  readonly law: Law
  readonly detail: string
  readonly setting: Setting
  /** Seed of the round. */
  readonly seed: number
  /** The newest exchanges, oldest first. */
  readonly exchanges: readonly Exchange[]
}

/** What a campaign is given. */
export interface Plan {
  /** The bundled node-process.ts. */
  readonly program: string
  readonly settings: readonly Setting[]
  /** Seed of the first round; each round has the next one. */
  readonly seed: number
  /** Requests in a round, after which the memory is measured. */
  readonly roundRequests: number
  /** Rounds of one node. */
  readonly rounds: number
  /** Whether the campaign is over, after so many requests. */
  readonly isOver: (requests: number) => boolean
  readonly print: (line: string) => void
  /** Called with each failure, unless it is the same as an earlier one. */
  readonly onFailure: (failure: Failure) => void
  /** Name of a defect to plant. */
  readonly defect?: string | undefined
}

/** Number of failures after which a campaign ends. */
const MAX_FAILURES = 20

/** A run of the fuzzer, and its figures. */
export class Campaign {
  readonly failures: Failure[] = []
  readonly #counts = new Map<Kind, number>()
  readonly #levels: string[] = []
  readonly #watched = { refused: 0, read: 0, unwatched: 0 }
  readonly #plan: Plan
  #requests = 0
  #honest = 0
  #medianMs = 0
  #worstMs = 0
  #worstFirstMs = 0

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Runs the nodes in turn until the plan is over. */
  async run(): Promise<void> {
    const { settings, rounds, isOver, seed } = this.#plan
    for (let turn = 0; !this.#isOver(); turn++) {
      await this.#runNode(settings[turn % settings.length]!, seed + turn * rounds)
      if (isOver(this.#requests)) break
    }
  }

  #isOver(): boolean {
    return this.#plan.isOver(this.#requests) || this.failures.length >= MAX_FAILURES
  }

  async #runNode(setting: Setting, firstSeed: number): Promise<void> {
    const { program, defect, rounds, roundRequests, print } = this.#plan
    const session = await Session.start(program, setting, { defect })
    const levels: Level[] = []
    let seed = firstSeed
    try {
      for (; seed < firstSeed + rounds && !this.#plan.isOver(this.#requests + sum(session.counts)); seed++) {
        const before = this.#requests + sum(session.counts)
        const isRoundOver = (sent: number) => sent >= roundRequests || this.#plan.isOver(before + sent)
        await session.round(seed, isRoundOver)
        levels.push(await session.level())
        checkMemory(levels)
      }
    } catch (error) {
      if (!(error instanceof BrokenLaw)) throw error
      this.#fail({ law: error.law, detail: error.message, setting, seed, exchanges: session.recent })
    } finally {
      await session.stop()
    }
    this.#add(session, levels)
    print(
      `${setting.name}, seeds from ${firstSeed}: ${sum(session.counts)} requests, MB after each round: ${memoryText(levels)}`,
    )
  }

  /** Adds a failure, unless it is the same as an earlier one. */
  #fail(failure: Failure): void {
    const mark = markOf(failure)
    if (this.failures.some((known) => markOf(known) === mark)) return
    this.failures.push(failure)
    this.#plan.onFailure(failure)
  }

  #add({ counts, honest }: Session, levels: readonly Level[]): void {
    for (const [kind, count] of counts) {
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
      this.#requests += count
    }
    this.#honest += honest.count
    this.#medianMs = Math.max(this.#medianMs, honest.quantileMs(0.5))
    this.#worstMs = Math.max(this.#worstMs, honest.worstMs)
    this.#worstFirstMs = Math.max(this.#worstFirstMs, honest.worstFirstMs)
    if (levels.length > 0) this.#levels.push(memoryText(levels))
    const watched = levels.at(-1)?.counts
    if (watched === undefined) return
    this.#watched.refused += watched.refused
    this.#watched.read += watched.read
    this.#watched.unwatched += watched.unwatched
  }

  /** The figures as lines. */
  summary(): readonly string[] {
    const { refused, read, unwatched } = this.#watched
    return [
      ...KINDS.map((kind) => `${String(this.#counts.get(kind) ?? 0).padStart(9)} ${kind}`),
      `${String(this.#requests).padStart(9)} requests together, ${this.failures.length} broken laws`,
      `honest requests: ${this.#honest}, median at most ${this.#medianMs.toFixed(1)} ms, worst ${this.#worstMs.toFixed(0)} ms, worst first try ${this.#worstFirstMs.toFixed(0)} ms`,
      `state compared: ${refused} refused writes, ${read} reads; ${unwatched} calls that paused were not compared`,
    ]
  }
}

/** What failures of the same cause have in common: the law, and the detail without numbers. */
const markOf = ({ law, detail }: Failure): string =>
  `${law} ${detail.replace(/-?"?(id )?\d+"?|0x[0-9a-f]+/g, '#').slice(0, 200)}`

const sum = (counts: ReadonlyMap<Kind, number>): number =>
  [...counts.values()].reduce((one, other) => one + other, 0)

const memoryText = (levels: readonly Level[]): string => levels.map(({ used }) => megabytes(used)).join(' ')
