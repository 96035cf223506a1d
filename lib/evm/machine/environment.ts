/**
 * Writes the words about the transaction and the block (ORIGIN, NUMBER, ...) to the memory of the core, whose instructions
 * push them.
 */

import type { Address, Hash } from '../../base/hex.ts'
import type { Core } from './core.ts'
import type { ExecutionContext } from './execution.ts'
import { ENVIRONMENT } from './layout.ts'

/** The environment words of one core. A word that is the same as for the transaction before is not written again. */
export class EnvironmentWords {
  readonly #core: Core
  /** The words written last, by position. */
  readonly #written: (bigint | Address | Hash | undefined)[] = []

  constructor(core: Core) {
    this.#core = core
  }

  /** Writes the words to the memory of the core, in the order that layout.ts gives at `ENVIRONMENT`. */
  write({ block, blobBaseFee, gasPrice, origin, rules }: ExecutionContext): void {
    this.#writeAddress(0, origin)
    this.#writeNumber(1, gasPrice)
    this.#writeAddress(2, block.coinbase)
    this.#writeNumber(3, block.timestamp)
    this.#writeNumber(4, block.number)
    if (rules.opcode44 === 'difficulty') this.#writeNumber(5, block.difficulty)
    else this.#writeHash(5, block.mixHash)
    this.#writeNumber(6, block.gasLimit)
    this.#writeNumber(7, block.chainId)
    this.#writeNumber(8, rules.baseFee === 'baseFeePerGas' ? block.baseFeePerGas : block.minimumGasPrice)
    this.#writeNumber(9, blobBaseFee)
  }

  #writeNumber(position: number, value: bigint): void {
    if (this.#isNew(position, value)) this.#core.setWord(addressOf(position), value)
  }

  #writeAddress(position: number, value: Address): void {
    if (this.#isNew(position, value)) this.#core.setAddress(addressOf(position), value)
  }

  #writeHash(position: number, value: Hash): void {
    if (this.#isNew(position, value)) this.#core.setHash(addressOf(position), value)
  }

  #isNew(position: number, value: bigint | Address | Hash): boolean {
    if (this.#written[position] === value) return false
    this.#written[position] = value
    return true
  }
}

const addressOf = (position: number): number => ENVIRONMENT + 32 * position
