/** Reads and writes the encoding of the auxiliary chain. */

import { AuxReader } from '../../../base/aux-reader.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'

/** A reader of a caller's data. It throws PrecompileFailure, whose message names the expected kind of data. */
export const auxReader = (bytes: Uint8Array, what: string): AuxReader =>
  new AuxReader(bytes, (fault) => new PrecompileFailure(`${what} ${fault}`))

/** A number in little-endian bytes. */
export function littleEndian(value: bigint | number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let rest = BigInt(value)
  for (let index = 0; index < length; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn)
  return bytes
}

/** A count (a compact size) as `AuxReader.count` reads it. */
export function encodeCount(count: bigint | number): Uint8Array {
  const value = BigInt(count)
  if (value < 0xfdn) return littleEndian(value, 1)
  const [marker, width] = value < 0x1_0000n ? [0xfd, 2] : value < 0x1_0000_0000n ? [0xfe, 4] : [0xff, 8]
  return Uint8Array.of(marker, ...littleEndian(value, width))
}

/** Whether a number fits an amount of the auxiliary chain: 64 bits with a sign. */
export const isAuxAmount = (value: bigint): boolean => BigInt.asIntN(64, value) === value
