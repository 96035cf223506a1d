/** Follows the calls of functions inside one frame, from the basic blocks that the frame runs. */

import { JUMP, JUMPDEST } from '../artifacts/source-map.ts'
import type { MappedCode } from './mapped-code.ts'

/** A function that has been entered and not left; the outermost one begins with the frame. */
export interface ActiveFunction {
  /** Position of the jump that entered it; undefined for the outermost one. */
  readonly site: number | undefined
  /** Position of its first instruction. */
  readonly entry: number
  /** First positions of the blocks that it ran last, without those of functions that have been left. */
  readonly blocks: readonly number[]
}

interface OpenFunction extends ActiveFunction {
  readonly blocks: number[]
}

/** Number of blocks that are kept of a function. The last ones suffice to find its place in the source. */
const KEPT_BLOCKS = 128

/** The functions that one frame is in. */
export class FrameWalk {
  readonly #code: MappedCode
  readonly #open: OpenFunction[] = [{ site: undefined, entry: 0, blocks: [] }]
  #last: number | undefined
  #sinceCall: number[] = []

  constructor(code: MappedCode) {
    this.#code = code
  }

  /** Adds blocks by the positions of their first instructions. */
  add(blocks: Iterable<number>): void {
    for (const block of blocks) {
      if (this.#last !== undefined) this.follow(this.#code.endOfRun(this.#last), block)
      keep(this.#open.at(-1)?.blocks, block)
      keep(this.#sinceCall, block)
      this.#last = block
    }
  }

  /** Position of the last instruction of the last block, which calls, creates or ends the frame. */
  get end(): number {
    return this.#last === undefined ? 0 : this.#code.endOfRun(this.#last)
  }

  /** The functions that the frame is in, outermost first. */
  functions(): readonly ActiveFunction[] {
    return this.#open.map((one) => ({ ...one, blocks: [...one.blocks] }))
  }

  /** The same functions while they run: the list changes with each step. */
  get running(): readonly ActiveFunction[] {
    return this.#open
  }

  /** First positions of the blocks since the last call or creation, or since the frame began. */
  get sinceCall(): readonly number[] {
    return this.#sinceCall
  }

  /** Notes that the frame calls or creates. */
  noteCall(): void {
    this.#sinceCall = []
  }

  /** Follows the step from one instruction to the next: a jump can enter functions and leave them. */
  follow(from: number, to: number): void {
    if (this.#code.code[from] !== JUMP || this.#code.code[to] !== JUMPDEST) return
    const kind = this.#code.jumpAt(from)
    if (kind === 'into') {
      this.#open.push({ site: from, entry: to, blocks: [] })
      return
    }
    // A function returns to the instruction after the jump into it, even if the optimizer left out returns in between.
    const returned = this.#open.findLastIndex(({ site }) => site !== undefined && site + 1 === to)
    if (returned > 0) this.#open.length = returned
    else if (kind === 'out' && this.#open.length > 1) this.#open.pop()
  }
}

function keep(blocks: number[] | undefined, block: number): void {
  if (blocks === undefined) return
  if (blocks.length >= KEPT_BLOCKS) blocks.splice(0, KEPT_BLOCKS / 2)
  blocks.push(block)
}
