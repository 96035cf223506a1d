/** Where the hashes of a recording stand on its chain. A hash can be asked for before an answer tells this node's. */

import { parsePrefix } from './json-prefix.ts'
import type { Step } from './recording.ts'

/** A block, or a transaction in it. */
export interface Position {
  readonly step: number
  readonly block: string
  /** Index of a transaction; absent for a block. */
  readonly index?: number
}

/** Positions of all hashes in the answers of a recording. */
export class Positions {
  readonly #positions = new Map<string, Position[]>()

  constructor(steps: readonly Step[]) {
    for (const [step, { answer, start }] of steps.entries())
      this.#collect(start === undefined ? answer : parsePrefix(start).value, step)
  }

  /** The position that the next answer from a step on has for a hash, or else the last before. */
  find(hash: string, step: number): Position | undefined {
    const positions = this.#positions.get(hash)
    return positions?.find((position) => position.step >= step) ?? positions?.at(-1)
  }

  #add(hash: unknown, position: Position): void {
    if (typeof hash !== 'string') return
    const positions = this.#positions.get(hash) ?? []
    this.#positions.set(hash, [...positions, position])
  }

  #collect(value: unknown, step: number): void {
    if (typeof value !== 'object' || value === null) return
    for (const item of Object.values(value)) this.#collect(item, step)
    const members = value as Readonly<Record<string, unknown>>
    const { hash, blockHash, transactionHash, parentHash, number, transactions } = members
    const block = parentHash === undefined ? members['blockNumber'] : number
    const height = typeof block === 'number' ? `0x${block.toString(16)}` : block
    if (typeof height !== 'string') return
    if (parentHash !== undefined) {
      this.#add(hash, { step, block: height })
      if (Array.isArray(transactions))
        for (const [index, item] of transactions.entries()) this.#add(item, { step, block: height, index })
      return
    }
    this.#add(blockHash, { step, block: height })
    const index = Number(members['transactionIndex'] ?? members['transactionPosition'] ?? Number.NaN)
    if (Number.isInteger(index)) this.#add(transactionHash ?? hash, { step, block: height, index })
  }
}
