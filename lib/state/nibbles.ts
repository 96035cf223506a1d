/**
 * Paths through the trie and short byte strings as text, which V8 stores and compares at a fraction of the cost of
 * typed arrays (48 bytes for a 32-byte hash instead of 232).
 */

import { toText } from '../base/hex.ts'

/** Path through a trie: lower-case hex digits, one per nibble. */
export type Nibbles = string

/** Bytes as text, one character per byte (latin1). */
export type ByteText = string

/** The path of a key. */
export function toNibbles(key: Uint8Array): Nibbles {
  return toText(key, 'hex')
}

/** The nibble at an index of the path: 0 to 15. */
export function nibbleAt(path: Nibbles, index: number): number {
  const code = path.charCodeAt(index)
  // '0' is 48 and 'a' is 97.
  return code < 58 ? code - 48 : code - 87
}

/** Index of the first difference at or after `start`; the length of the shorter path if there is none. */
export function firstDifference(left: Nibbles, right: Nibbles, start: number): number {
  const end = Math.min(left.length, right.length)
  let index = start
  while (index < end && left.charCodeAt(index) === right.charCodeAt(index)) index++
  return index
}

/** Hex-prefix encoding of the path from an index to its end (Yellow Paper, appendix C). */
export function hexPrefix(path: Nibbles, start: number, isLeaf: boolean): Uint8Array {
  const count = path.length - start
  const isOdd = count % 2 === 1
  const bytes = new Uint8Array((count >> 1) + 1)
  bytes[0] = (isLeaf ? 0x20 : 0) + (isOdd ? 0x10 + nibbleAt(path, start) : 0)
  for (let from = isOdd ? start + 1 : start, to = 1; from < path.length; from += 2, to++) {
    bytes[to] = nibbleAt(path, from) * 16 + nibbleAt(path, from + 1)
  }
  return bytes
}

/** The bytes as text. */
export function toByteText(bytes: Uint8Array): ByteText {
  return toText(bytes, 'latin1')
}

/** The bytes of a text. */
export function fromByteText(text: ByteText): Uint8Array {
  const bytes = new Uint8Array(text.length)
  writeByteText(bytes, 0, text)
  return bytes
}

/** Writes the bytes of a text at an offset of the output; returns the offset behind them. */
export function writeByteText(output: Uint8Array, offset: number, text: ByteText): number {
  for (let index = 0; index < text.length; index++) output[offset + index] = text.charCodeAt(index)
  return offset + text.length
}
