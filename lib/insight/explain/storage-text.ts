/** Writes the values of state variables as text. */

import type { StorageBytes, StorageValue } from '../artifacts/storage-type.ts'
import { bytesToBigInt } from '../../base/hex.ts'

/** A value as text: numbers in decimal digits, those of enums by name, short texts and bytes as they are, everything else as hex. */
export function valueText(type: StorageValue | StorageBytes, bytes: Uint8Array): string {
  if (type.kind === 'bytes') return textOf(type, bytes)
  const { encoding, names } = type
  const number = bytesToBigInt(bytes)
  if (encoding === 'bool') return number === 0n ? 'false' : 'true'
  if (names !== undefined) return names[Number(number)] ?? number.toString()
  if (encoding.startsWith('uint')) return number.toString()
  if (encoding.startsWith('int')) return BigInt.asIntN(8 * bytes.length, number).toString()
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** A text or bytes in their slot. Up to 31 bytes are in it; of longer ones it has the length. */
function textOf(type: StorageBytes, word: Uint8Array): string {
  const last = word.at(-1) ?? 0
  if (last % 2 === 1) return `(${(bytesToBigInt(word) - 1n) / 2n} bytes)`
  return textValue(type, word.subarray(0, last / 2))
}

/** The bytes of a text in quotes, other bytes as hex. */
export function textValue({ label }: StorageBytes, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  return label === 'string' ? JSON.stringify(buffer.toString('utf8')) : `0x${buffer.toString('hex')}`
}
