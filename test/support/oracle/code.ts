/** Code as the machine runs it: bytes, jump destinations and push data. */

import { bytesToBigInt } from '../../../lib/base/hex.ts'

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

/** Code with its jump destinations, which are found at the first jump. */
export class Code {
  readonly bytes: Uint8Array
  #destinations: Uint8Array | undefined
  readonly #words = new Map<number, bigint>()

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Whether a position has a JUMPDEST that is not push data. */
  isDestination(position: number): boolean {
    this.#destinations ??= destinationsOf(this.bytes)
    return this.#destinations[position] === 1
  }

  /** The word of a number of bytes at a position; bytes beyond the end of the code are zero (Yellow Paper, 9.4.1). */
  word(position: number, length: number): bigint {
    const known = this.#words.get(position)
    if (known !== undefined) return known
    const bytes = new Uint8Array(length)
    bytes.set(this.bytes.subarray(position, position + length))
    const word = bytesToBigInt(bytes)
    this.#words.set(position, word)
    return word
  }
}

const analysed = new WeakMap<Uint8Array, Code>()

/** The analysed code, cached as long as the state keeps the array. */
export function analyse(bytes: Uint8Array): Code {
  let code = analysed.get(bytes)
  if (code === undefined) analysed.set(bytes, (code = new Code(bytes)))
  return code
}

function destinationsOf(bytes: Uint8Array): Uint8Array {
  const destinations = new Uint8Array(bytes.length)
  for (let position = 0; position < bytes.length; position++) {
    const opcode = bytes[position] ?? 0
    if (opcode === JUMPDEST) destinations[position] = 1
    else if (opcode >= PUSH1 && opcode <= PUSH32) position += opcode - PUSH1 + 1
  }
  return destinations
}
