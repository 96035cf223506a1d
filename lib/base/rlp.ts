/** Recursive Length Prefix, the encoding of transactions, headers and trie nodes (Yellow Paper, appendix B). */

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

/** The canonical encoding. */
export function encodeRlp(input: RlpInput): Uint8Array {
  if (input instanceof Uint8Array) {
    const output = new Uint8Array(rlpSize(input))
    writeRlp(output, 0, input)
    return output
  }
  const payload = payloadSize(input)
  const output = new Uint8Array(rlpSizeOf(payload))
  writeRlpItems(output, 0, input, payload)
  return output
}

/** The encoding of a list whose items are encoded already. */
export function encodeRlpList(items: readonly Uint8Array[]): Uint8Array {
  const payload = items.reduce((size, { length }) => size + length, 0)
  const output = new Uint8Array(rlpSizeOf(payload))
  let offset = writeRlpPrefix(output, 0, RLP_LIST, payload)
  for (const item of items) {
    output.set(item, offset)
    offset += item.length
  }
  return output
}

/** Length of the encoding, in bytes. */
export function rlpSize(input: RlpInput): number {
  if (input instanceof Uint8Array) return isOwnEncoding(input) ? 1 : rlpSizeOf(input.length)
  return rlpSizeOf(payloadSize(input))
}

/** Length of a payload with its prefix, in bytes. */
export function rlpSizeOf(payload: number): number {
  return payload <= SHORT ? 1 + payload : 1 + byteCount(payload) + payload
}

/** Writes the encoding at an offset of the output and returns the offset after it. */
export function writeRlp(output: Uint8Array, offset: number, input: RlpInput): number {
  if (input instanceof Uint8Array) {
    const start = isOwnEncoding(input) ? offset : writeRlpPrefix(output, offset, RLP_STRING, input.length)
    output.set(input, start)
    return start + input.length
  }
  return writeRlpItems(output, offset, input, payloadSize(input))
}

/** Writes a list whose items take a number of bytes, and returns the offset after it. */
export function writeRlpItems(
  output: Uint8Array,
  offset: number,
  items: readonly RlpInput[],
  payload: number,
): number {
  let next = writeRlpPrefix(output, offset, RLP_LIST, payload)
  for (const item of items) next = writeRlp(output, next, item)
  return next
}

/** Writes the prefix of a string or list with a payload of that many bytes; returns the offset of the payload. */
export function writeRlpPrefix(output: Uint8Array, offset: number, kind: number, payload: number): number {
  if (payload <= SHORT) {
    output[offset] = kind + payload
    return offset + 1
  }
  const count = byteCount(payload)
  output[offset] = kind + SHORT + count
  for (let index = count, rest = payload; index > 0; index--) {
    output[offset + index] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return offset + 1 + count
}

/** Length of the encodings of the items of a list, in bytes. */
export function payloadSize(items: readonly RlpInput[]): number {
  let size = 0
  for (const item of items) size += rlpSize(item)
  return size
}

/** Whether the bytes are a single byte below 0x80, which encodes itself. */
function isOwnEncoding(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0] !== undefined && bytes[0] < RLP_STRING
}

function byteCount(length: number): number {
  let count = 1
  for (let rest = Math.floor(length / 256); rest > 0; rest = Math.floor(rest / 256)) count++
  return count
}

/**
 * The item that the bytes encode. Byte strings in it are views of the input, not copies.
 * @throws RlpError unless the bytes are exactly one item in canonical form
 */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  // A plain view: subarray of a Buffer would give Buffers.
  const reader = new RlpReader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  const item = reader.item(bytes.length, 0)
  if (reader.offset < bytes.length) {
    throw new RlpError(`${bytes.length - reader.offset} bytes follow the item at byte ${reader.offset}`)
  }
  return item
}

/** Reads items one after the other. */
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
