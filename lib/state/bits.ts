/** Paths through the binary trie as strings, because slices share memory and comparisons are fast. */

/** Path through a binary trie: the digits 0 and 1, the most significant bit of each byte first. */
export type Bits = string

const BITS_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, '0'))

/** The path of a key. */
export function toBits(key: Uint8Array): Bits {
  let bits = ''
  for (const byte of key) bits += BITS_OF_BYTE[byte] ?? ''
  return bits
}

/** Length of the common prefix of two paths. */
export function sharedLength(one: Bits, other: Bits): number {
  const end = Math.min(one.length, other.length)
  let length = 0
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}

/** Packs eight bits into each byte from the left, and pads the last byte with zeros. */
export function packBits(bits: Bits): Uint8Array {
  const packed = new Uint8Array(Math.ceil(bits.length / 8))
  for (let index = 0; index < packed.length; index++) {
    packed[index] = Number.parseInt(bits.slice(index * 8, index * 8 + 8).padEnd(8, '0'), 2)
  }
  return packed
}
