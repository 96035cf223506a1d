/** Loads the instructions of a transaction in parts, and keeps the loaded ones. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'

type Part = RpcMethods['dev_traceSteps']['result']
export type Step = NonNullable<Part>['steps'][number]

/** Instructions in a part. */
const PART = 500

/** Parts that are kept. */
const MAX_PARTS = 8

/** The instructions around one of them. */
export interface StepWindow {
  /** Index of the first one. */
  readonly from: number
  readonly steps: readonly Step[]
}

/** Instructions of one transaction. */
export class StepStore {
  readonly #hash: string
  readonly #parts = new Map<number, Promise<Part>>()

  constructor(hash: string) {
    this.#hash = hash
  }

  /** The part with an instruction, and its neighbour if it is near; undefined if the transaction is in no block. */
  async around(index: number, margin: number): Promise<StepWindow | undefined> {
    const first = Math.floor(Math.max(0, index - margin) / PART)
    const last = Math.floor((index + margin) / PART)
    const steps: Step[] = []
    for (let at = first; at <= last; at++) {
      const part = await this.#part(at)
      if (part === null) return undefined
      steps.push(...part.steps)
    }
    const from = Math.max(first * PART, index - margin)
    return { from, steps: steps.slice(from - first * PART, index + margin + 1 - first * PART) }
  }

  #part(at: number): Promise<Part> {
    const known = this.#parts.get(at)
    if (known !== undefined) return known
    const oldest = this.#parts.keys().next().value
    if (this.#parts.size >= MAX_PARTS && oldest !== undefined) this.#parts.delete(oldest)
    const part = ask('dev_traceSteps', this.#hash, at * PART, PART)
    this.#parts.set(at, part)
    part.catch(() => this.#parts.delete(at))
    return part
  }
}
