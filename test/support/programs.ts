/** Small programs, assembled by hand. */

import type { Hex } from '../../lib/base/hex.ts'

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')

/** PUSH2 length, PUSH2 offset, PUSH1 0, CODECOPY, PUSH2 length, PUSH1 0, then the last instruction; the data follows. */
function copyAnd(last: string, data: string): Hex {
  const bytes = data.slice(2)
  const length = (bytes.length / 2).toString(16).padStart(4, '0')
  return `0x61${length}61000f60003961${length}6000${last}${bytes}`
}

/** A program that reverts with the data. */
export const reverting = (data: string): Hex => copyAnd('fd', data)

/** Creation code that returns the runtime code. */
export const creating = (runtime: string): Hex => copyAnd('f3', runtime)

/** INVALID. */
export const INVALID: Hex = '0xfe'

/** JUMPDEST, PUSH1 0, JUMP: an endless loop. */
export const ENDLESS: Hex = '0x5b600056'

/** ABI encoding of `Error(string)`. */
export function errorData(text: string): Hex {
  const bytes = Buffer.from(text)
  const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return `0x08c379a0${word(32)}${word(bytes.length)}${padded}`
}

/** ABI encoding of `Panic(uint256)`. */
export const panicData = (code: number): Hex => `0x4e487b71${word(code)}`
