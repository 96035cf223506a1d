/** Recursive Length Prefix, the encoding of transactions, headers and trie nodes (Yellow Paper, appendix B). */

import { EMPTY_BYTES } from './hex.ts'

/** Input of the encoding: bytes, or a list of inputs. */
export type RlpInput = Uint8Array | readonly RlpInput[]

/** Result of decoding: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Error for bytes that are not a canonical encoding; the message contains the fault and its position. */
export class RlpError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RlpError'
  }
}

/** First byte of an empty byte string; its length is added. */
export const RLP_STRING = 0x80

/** First byte of an empty list; the length of its payload is added. */
export const RLP_LIST = 0xc0

/** Maximum length of a payload whose length fits into the first byte. */
const SHORT = 55

/** Maximum depth of decoded lists. Ethereum's structures need four; the limit protects the stack from hostile input. */
const MAX_DEPTH = 256

export const encodeRlp = (input: RlpInput): Uint8Array => encodeRlpInPlace(input).slice()

/** The canonical encoding, with an optional type byte before it (EIP-2718). It is in a shared buffer and valid until the next call. */
export function encodeRlpInPlace(input: RlpInput, type?: number): Uint8Array {
  let output = SCRATCH
  let start = writeRlpBefore(output, output.length, input)
  // It does not fit, but its length is known now.
  if (start < 1) {
    output = new Uint8Array(1 + output.length - start)
    start = writeRlpBefore(output, output.length, input)
  }
  if (type !== undefined) output[--start] = type
  return output.subarray(start)
}

/** Large enough for a transaction that creates a contract of the maximum size (EIP-3860). */
const SCRATCH = new Uint8Array(2 ** 16)

/** Maximum length of a prefix, in bytes. */
const PREFIX_SIZE = 9

/** Encodes a list of items that are already encoded. */
export function encodeRlpList(items: readonly Uint8Array[]): Uint8Array {
  const payload = Buffer.concat(items)
  const output = new Uint8Array(PREFIX_SIZE + payload.length)
  output.set(payload, PREFIX_SIZE)
  return output.subarray(writeRlpPrefixBefore(output, PREFIX_SIZE, RLP_LIST, payload.length))
}

/**
 * Writes the encoding so that it ends before an offset of the output, and returns where it begins: from the end on, the length of
 * a list is known when its prefix is written. A negative result: the output is too short by as many bytes.
 */
export function writeRlpBefore(output: Uint8Array, end: number, input: RlpInput): number {
  let start = end
  if (input instanceof Uint8Array) {
    const { length } = input
    start -= length
    if (start >= 0) output.set(input, start)
    if (length === 1 && isOwnEncoding(input)) return start
    if (length > SHORT) return writeRlpPrefixBefore(output, start, RLP_STRING, length)
    output[--start] = RLP_STRING + length
    return start
  }
  for (let index = input.length - 1; index >= 0; index--)
    start = writeRlpBefore(output, start, input[index] ?? EMPTY_BYTES)
  return writeRlpPrefixBefore(output, start, RLP_LIST, end - start)
}

/** Writes the prefix of a string or list before its payload, which has that many bytes; returns where it begins. */
export function writeRlpPrefixBefore(
  output: Uint8Array,
  payload: number,
  kind: number,
  length: number,
): number {
  let start = payload
  if (length > SHORT) {
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) output[--start] = rest % 256
    output[start - 1] = kind + SHORT + (payload - start)
    return start - 1
  }
  output[start - 1] = kind + length
  return start - 1
}

/** Whether the bytes are a single byte below 0x80, which encodes itself. */
const isOwnEncoding = (bytes: Uint8Array): boolean =>
  bytes.length === 1 && bytes[0] !== undefined && bytes[0] < RLP_STRING

/** The item that the bytes encode, with views of the input. @throws RlpError unless they are exactly one canonical item */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const reader = new RlpReader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  const item = reader.item(bytes.length, 0)
  if (reader.offset < bytes.length) {
    throw new RlpError(`${bytes.length - reader.offset} bytes follow the item at byte ${reader.offset}`)
  }
  return item
}

class RlpReader {
  readonly #bytes: Uint8Array
  offset = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Reads the item at the offset, which must not exceed the end. */
  item(end: number, depth: number): RlpItem {
    const start = this.offset
    const first = this.#byte(end)
    if (first < RLP_STRING) return this.#bytes.subarray(start, start + 1)
    const isList = first >= RLP_LIST
    const length = this.#length(first - (isList ? RLP_LIST : RLP_STRING), end, start)
    return isList ? this.#list(this.offset + length, depth) : this.#string(length, start)
  }

  #string(length: number, start: number): Uint8Array {
    const content = this.#bytes.subarray(this.offset, this.offset + length)
    if (isOwnEncoding(content)) throw new RlpError(`single byte with a needless prefix at byte ${start}`)
    this.offset += length
    return content
  }

  #list(end: number, depth: number): RlpItem[] {
    if (depth >= MAX_DEPTH) throw new RlpError(`more than ${MAX_DEPTH} nested lists at byte ${this.offset}`)
    const items: RlpItem[] = []
    while (this.offset < end) items.push(this.item(end, depth + 1))
    return items
  }

  /** Reads the length of the payload; `code` is the first byte minus the kind. Leaves the offset at the payload. */
  #length(code: number, end: number, start: number): number {
    const length = code <= SHORT ? code : this.#longLength(code - SHORT, end, start)
    if (length > end - this.offset) {
      throw new RlpError(
        `length ${length} at byte ${start} exceeds the ${end - this.offset} bytes that are left`,
      )
    }
    return length
  }

  #longLength(count: number, end: number, start: number): number {
    let length = 0
    for (let index = 0; index < count; index++) {
      const byte = this.#byte(end)
      if (index === 0 && byte === 0) throw new RlpError(`length with a leading zero at byte ${start}`)
      length = length * 256 + byte
    }
    if (length <= SHORT) throw new RlpError(`length ${length} in long form at byte ${start}`)
    return length
  }

  #byte(end: number): number {
    const byte = this.offset < end ? this.#bytes[this.offset] : undefined
    if (byte === undefined) throw new RlpError(`input ends at byte ${this.offset} where more is expected`)
    this.offset++
    return byte
  }
}
