/**
 * Reads the upper levels of a large JSON file. A build info can have more bytes than a string can, and most of it is never used:
 * what is below these levels is parsed when it is read.
 */

/** Levels of objects that are read: `output`, `contracts`, the path of a source, and the names in it. */
const LEVELS = 4

/** Bytes up to which a value is parsed at once. */
const SMALL_BYTES = 256

/** Makes the function that reads the bytes from one offset up to another as JSON. */
type PartReader = (start: number, end: number) => () => unknown

/** The object in the bytes; members below the upper levels are getters. @throws SyntaxError if the object has no end */
export function outlineOf(bytes: Buffer, partReader: PartReader): object {
  let at = bytes.indexOf('{')

  const objectOf = (levels: number): object => {
    const members = {}
    at++
    while (nextToken() !== '}') {
      const name = at
      at = endOfString(bytes, at) + 1
      const key: unknown = JSON.parse(bytes.toString('utf8', name, at))
      // Of members with one name the last one counts, as in JSON.parse.
      Object.defineProperty(members, String(key), {
        ...memberOf(levels),
        enumerable: true,
        configurable: true,
      })
    }
    at++
    return members
  }

  const memberOf = (levels: number): PropertyDescriptor => {
    if (nextToken() === '{' && levels > 1) return { value: objectOf(levels - 1) }
    const start = at
    at = endOfValue(bytes, start)
    if (at - start > SMALL_BYTES) return { get: partReader(start, at) }
    const value: unknown = JSON.parse(bytes.toString('utf8', start, at))
    return { value }
  }

  /** Moves to the next character that is no separator. */
  const nextToken = (): string => {
    while (isSeparator(byteAt(bytes, at))) at++
    return bytes.toString('latin1', at, at + 1)
  }

  return objectOf(LEVELS)
}

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSeparator = (byte: number): boolean => byte <= SPACE || byte === COMMA || byte === COLON

/** The offset of the comma or bracket after a value. */
function endOfValue(bytes: Buffer, start: number): number {
  let open = 0
  for (let at = start; ; at++) {
    const byte = byteAt(bytes, at)
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) open++
    else if (open === 0 && (byte === COMMA || byte === CLOSE_BRACE)) return at
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open--
  }
}

/** The offset of the quote that ends a string. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    const byte = byteAt(bytes, at)
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new SyntaxError('Unexpected end of JSON input')
  return byte
}
