/** Reads contract code from compilers' hex text, and compares it with code on a chain. */

import type { Address } from '../../base/hex.ts'
import type { CodeMask, CompiledCode, CompiledContract } from './compilation.ts'

/** The code that creates a contract, or the code that it has at run time. */
export type CodeKind = 'creation' | 'runtime'

/** Finds the contract of some code. If the address is known, sources can be looked up there. */
export type ContractOf = (code: Uint8Array, kind: CodeKind, at?: Address) => CompiledContract | undefined

/** Code, and the places where the code on a chain may differ. */
export type MaskedCode = Pick<CompiledCode, 'bytes' | 'masks'>

/**
 * A placeholder for a library's address, of 40 characters: `__$` with a hash (solc 0.5), or `__` with a name. The rest is hex, so
 * nothing else begins like this.
 */
const LIBRARY = /__.{38}/g

/** Reads a compiler's hex text; undefined if there is no code, as for interfaces, or if it is not hex. */
export function readCode(text: unknown, kind: CodeKind): MaskedCode | undefined {
  if (typeof text !== 'string') return undefined
  const hex = text.startsWith('0x') ? text.slice(2) : text
  // Most code has no links, and this search is the fastest.
  const found = hex.includes('__') ? hex.matchAll(LIBRARY) : []
  const links = Array.from(found, ({ index }) => ({ start: index / 2, length: ADDRESS }))
  const linked = links.length === 0 ? hex : hex.replaceAll(LIBRARY, '0'.repeat(2 * ADDRESS))
  const bytes = Buffer.from(linked, 'hex')
  if (bytes.length === 0 || 2 * bytes.length !== linked.length) return undefined
  const masks = [...links, ...metadataMasks(bytes), ...(kind === 'runtime' ? runtimeMasks(bytes) : [])]
  return { bytes, masks: masks.toSorted((a, b) => a.start - b.start) }
}

/** Length of an address in bytes. */
const ADDRESS = 20

/** The CBOR before a hash in solc's metadata, and the length of the hash (Solidity documentation, "Metadata"). */
const METADATA_HASHES = [
  { before: Buffer.from('64697066735822', 'hex'), length: 34 },
  { before: Buffer.from('65627a7a72305820', 'hex'), length: 32 },
  { before: Buffer.from('65627a7a72315820', 'hex'), length: 32 },
]

/** Whether code has solc's metadata, or creates a contract that does. */
export const hasMetadata = (code: Uint8Array): boolean => {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length)
  return METADATA_HASHES.some(({ before }) => bytes.includes(before))
}

/** The hashes in metadata, which change with every comment. Code that creates contracts contains their hashes too. */
const metadataMasks = (code: Buffer): readonly CodeMask[] =>
  METADATA_HASHES.flatMap(({ before, length }) =>
    placesOf(code, before)
      .map((place) => ({ start: place + before.length, length }))
      .filter(({ start }) => start + length <= code.length),
  )

/** Key and beginning of the compiler version in solc's metadata, in CBOR (Solidity documentation, "Metadata"). */
const VERSION = Buffer.from('64736f6c6343', 'hex')

/** Bytes from there to the end of the code: key, three bytes of the version, two of the length. */
const VERSION_BYTES = VERSION.length + 5

/** Init code up to the end of its metadata. After it, sometimes behind constants, come the constructor's arguments. */
export function withoutArguments(code: Uint8Array): Buffer {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length)
  const version = bytes.lastIndexOf(VERSION)
  return version < 0 ? bytes : bytes.subarray(0, version + VERSION_BYTES)
}

/** PUSH32 of zero, which is how solc pushes an immutable. It pushes other zeros in fewer bytes. */
const IMMUTABLE = Buffer.from(`7f${'00'.repeat(32)}`, 'hex')

/** Beginning of a library, which compares its address with itself (Solidity documentation, "Call Protection For Libraries"). */
const CALL_PROTECTION = Buffer.from(`73${'00'.repeat(20)}3014`, 'hex')

function runtimeMasks(code: Buffer): readonly CodeMask[] {
  const immutables = placesOf(code, IMMUTABLE).map((place) => ({ start: place + 1, length: 32 }))
  const isLibrary = code.subarray(0, CALL_PROTECTION.length).equals(CALL_PROTECTION)
  return isLibrary ? [{ start: 1, length: ADDRESS }, ...immutables] : immutables
}

function placesOf(code: Buffer, wanted: Buffer): readonly number[] {
  const places: number[] = []
  let place = code.indexOf(wanted)
  while (place !== -1) {
    places.push(place)
    place = code.indexOf(wanted, place + wanted.length)
  }
  return places
}

/** Whether a chain's code is this code except for masked places. More bytes may follow. */
export function isSameCode(code: Uint8Array, { bytes, masks }: MaskedCode): boolean {
  let from = 0
  for (const { start, length } of masks) {
    if (!isSamePart(code, bytes, from, start)) return false
    from = Math.max(from, start + length)
  }
  return isSamePart(code, bytes, from, bytes.length)
}

/** Number of masked places that are equal nevertheless. Code of the very same compilation has the maximum. */
export const samePlaces = (code: Uint8Array, { bytes, masks }: MaskedCode): number =>
  masks.filter(({ start, length }) => isSamePart(code, bytes, start, start + length)).length

const isSamePart = (a: Uint8Array, b: Uint8Array, from: number, to: number): boolean =>
  Buffer.compare(a.subarray(from, to), b.subarray(from, to)) === 0

export const isVyper = (path: string): boolean => path.endsWith('.vy')

/** Number of sampled bytes. They distinguish most contracts without comparing the whole code. */
const SAMPLE_BYTES = 24

/** Marks a byte that may differ. */
const ANY = -1

/** Some bytes of a code, evenly spaced. */
export class CodeSample {
  readonly length: number
  readonly #bytes: Int16Array

  constructor({ bytes, masks }: MaskedCode) {
    this.length = bytes.length
    const isMasked = (place: number): boolean =>
      masks.some(({ start, length }) => place >= start && place < start + length)
    this.#bytes = Int16Array.from({ length: SAMPLE_BYTES }, (_, index) => {
      const place = this.#placeOf(index)
      return isMasked(place) ? ANY : (bytes[place] ?? ANY)
    })
  }

  /** Whether a code may begin with the sampled one. */
  canBegin(code: Uint8Array): boolean {
    return (
      code.length >= this.length &&
      this.#bytes.every((byte, index) => byte === ANY || byte === code[this.#placeOf(index)])
    )
  }

  #placeOf(index: number): number {
    return Math.floor((this.length * (index + 0.5)) / SAMPLE_BYTES)
  }
}
