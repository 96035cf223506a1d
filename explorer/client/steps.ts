/** Loads the instructions of a transaction in parts, and keeps the loaded ones. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'

type Answer = NonNullable<RpcMethods['dev_traceSteps']['result']>
export type Step = Answer['steps'][number]

/** Instructions in a part. */
const PART = 500

/** Parts that are kept. */
const MAX_PARTS = 8

/** One part, with the memory of every instruction. */
interface Part {
  readonly total: number
  readonly touched: Answer['touched']
  readonly steps: readonly Step[]
}

/** The instructions around one of them. */
export interface StepWindow {
  readonly total: number
  /** Index of the first one. */
  readonly from: number
  readonly steps: readonly Step[]
}

/** A place in the sources, and whether it is of the instruction itself, of one before it, or of the calling contract. */
export interface StepPlace {
  readonly source: NonNullable<Step['source']>
  readonly relation: 'own' | 'before' | 'caller'
}

/** Instructions of one transaction. */
export class StepStore {
  readonly #hash: string
  readonly #parts = new Map<number, Promise<Part>>()

  constructor(hash: string) {
    this.#hash = hash
  }

  /** The part with an instruction, and its neighbour if it is near. @throws Error if the transaction is unknown */
  async around(index: number, margin: number): Promise<StepWindow> {
    const first = Math.floor(Math.max(0, index - margin) / PART)
    const last = Math.floor((index + margin) / PART)
    const parts: Part[] = []
    for (let at = first; at <= last; at++) parts.push(await this.#part(at))
    const steps = parts.flatMap((part) => part.steps)
    const from = Math.max(first * PART, index - margin)
    const total = parts[0]?.total ?? 0
    return { total, from, steps: steps.slice(from - first * PART, index + margin + 1 - first * PART) }
  }

  /** The slots of the account of an instruction that were touched before it, with the values read or written last. */
  async slotsBefore(index: number): Promise<ReadonlyMap<string, string>> {
    const { touched, steps } = await this.#part(Math.floor(index / PART))
    const at = index % PART
    const account = steps[at]?.address
    const slots = new Map(
      touched.filter(({ address }) => address === account).map(({ slot, value }) => [slot, value]),
    )
    for (const { address, storage } of steps.slice(0, at))
      if (storage !== undefined && address === account)
        slots.set(storage.slot, storage.written ?? storage.value)
    return slots
  }

  /**
   * The place of an instruction in the sources. Code without a place has that of the nearest instruction before it in its frame, and a
   * contract without sources that of its caller.
   */
  async placeOf(index: number): Promise<StepPlace | undefined> {
    const at = Math.floor(index / PART)
    const earlier = at === 0 ? [] : (await this.#part(at - 1)).steps
    const { steps } = await this.#part(at)
    const step = steps[index % PART]
    if (step === undefined) return undefined
    const before = [...earlier, ...steps.slice(0, index % PART)]
    if (step.source !== undefined) return { source: step.source, relation: 'own' }
    const added = before.findLast(
      ({ source, depth, address }) =>
        source !== undefined && depth === step.depth && address === step.address,
    )
    if (added?.source !== undefined) return { source: added.source, relation: 'before' }
    const caller = before.findLast(({ source, depth }) => source !== undefined && depth < step.depth)
    return caller?.source && { source: caller.source, relation: 'caller' }
  }

  #part(at: number): Promise<Part> {
    const known = this.#parts.get(at)
    if (known !== undefined) return known
    const oldest = this.#parts.keys().next().value
    if (this.#parts.size >= MAX_PARTS && oldest !== undefined) this.#parts.delete(oldest)
    const part = this.#load(at)
    this.#parts.set(at, part)
    part.catch(() => this.#parts.delete(at))
    return part
  }

  async #load(at: number): Promise<Part> {
    const answer = await ask('dev_traceSteps', this.#hash, at * PART, PART)
    if (answer === null) throw new Error('the transaction is in no block')
    let memory = '0x'
    const steps = answer.steps.map((step) => {
      memory = step.memory ?? memory
      return { ...step, memory }
    })
    return { total: answer.total, touched: answer.touched, steps }
  }
}
