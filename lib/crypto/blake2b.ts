/** The compression function of BLAKE2b (RFC 7693, section 3.2), with 64-bit words as pairs of 32-bit ones, low first. */

/** Bytes of a word. */
const WORD = 8

/** One block to mix into a state. Words are little-endian. */
export interface Compression {
  /** How often the message is mixed in: 12 for BLAKE2b. */
  readonly rounds: number
  /** 64 bytes. */
  readonly state: Uint8Array
  /** 128 bytes. */
  readonly message: Uint8Array
  /** Bytes hashed so far: 16 bytes. */
  readonly offset: Uint8Array
  readonly isLast: boolean
}

/** Words of the initial state: the fractions of the square roots of the first eight primes (RFC 7693, 2.6). */
const INITIAL = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

/** What mixes four words with two of the message; all are places in bytes. */
interface Step {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly first: number
  readonly second: number
}

/** Words that are mixed with each other: the columns, then the diagonals. A hexadecimal digit each. */
const LANES = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e']

/** Steps of ten rounds, after which they begin again; the order of the message's words is that of RFC 7693, 2.7. */
const ROUNDS: readonly (readonly Step[])[] = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((order) =>
  LANES.map((lane, index) => {
    const place = (digits: string, at: number) => WORD * parseInt(digits.charAt(at), 16)
    const [a, b, c, d] = [place(lane, 0), place(lane, 1), place(lane, 2), place(lane, 3)]
    return { a, b, c, d, first: place(order, 2 * index), second: place(order, 2 * index + 1) }
  }),
)

/** The next state: 64 bytes. */
export function compress({ rounds, state, message, offset, isLast }: Compression): Uint8Array {
  const work = new Uint8Array(16 * WORD)
  const v = viewOf(work)
  work.set(state)
  for (const [index, word] of INITIAL.entries()) v.setBigUint64((8 + index) * WORD, word, true)
  xorInto(work, 12 * WORD, offset)
  if (isLast) xorInto(work, 14 * WORD, new Uint8Array(WORD).fill(0xff))
  const m = viewOf(message)
  for (let round = 0; round < rounds; round++) mix(v, m, ROUNDS[round % ROUNDS.length] ?? [])
  const next = state.slice()
  xorInto(next, 0, work.subarray(0, 8 * WORD))
  xorInto(next, 0, work.subarray(8 * WORD))
  return next
}

function xorInto(target: Uint8Array, start: number, bytes: Uint8Array): void {
  for (const [index, byte] of bytes.entries()) {
    target[start + index] = (target[start + index] ?? 0) ^ byte
  }
}

/** A round of mixing. */
function mix(v: DataView, m: DataView, steps: readonly Step[]): void {
  for (const { a, b, c, d, first, second } of steps) {
    addWord(v, a, v, b)
    addWord(v, a, m, first)
    rotateSum(v, d, a, 32)
    addWord(v, c, v, d)
    rotateSum(v, b, c, 24)
    addWord(v, a, v, b)
    addWord(v, a, m, second)
    rotateSum(v, d, a, 16)
    addWord(v, c, v, d)
    rotateSum(v, b, c, 63)
  }
}

/** Adds a word of another view, modulo 2^64. Halves of 32 bits: numbers are exact there, and bigints slow. */
function addWord(v: DataView, target: number, from: DataView, source: number): void {
  const low = v.getUint32(target, true) + from.getUint32(source, true)
  const carry = low > 0xffffffff ? 1 : 0
  v.setUint32(target + 4, v.getUint32(target + 4, true) + from.getUint32(source + 4, true) + carry, true)
  v.setUint32(target, low, true)
}

/** Replaces a word by its sum without carry with another, rotated to the right. */
function rotateSum(v: DataView, target: number, other: number, bits: number): void {
  const low = v.getUint32(target, true) ^ v.getUint32(other, true)
  const high = v.getUint32(target + 4, true) ^ v.getUint32(other + 4, true)
  // No tuple: this runs millions of times.
  const left = bits < 32 ? low : high
  const right = bits < 32 ? high : low
  const shift = bits % 32
  v.setUint32(target, shift === 0 ? left : (left >>> shift) | (right << (32 - shift)), true)
  v.setUint32(target + 4, shift === 0 ? right : (right >>> shift) | (left << (32 - shift)), true)
}

function viewOf({ buffer, byteOffset }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset)
}
