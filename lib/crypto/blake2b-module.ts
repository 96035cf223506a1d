/**
 * A WebAssembly module with the rounds of BLAKE2b (RFC 7693, section 3.2), assembled here: JavaScript has no fast
 * integers of 64 bits. Its memory holds the sixteen words that are mixed, and behind them the sixteen of the message.
 */

/** Bytes of a word. */
const WORD = 8

/** Where the message begins in memory. */
const MESSAGE = 16 * WORD

/** Order of the message's words in ten rounds, after which it begins again (RFC 7693, 2.7); a digit for each word. */
const ORDERS = [
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
]

/** Words that are mixed with each other: the columns, then the diagonals (RFC 7693, 3.2). */
const LANES = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e']

/** Opcodes and types (WebAssembly core specification, chapter 5). */
const OP = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
}
const I32 = { type: 0x7f, const: 0x41, isZero: 0x45, subtract: 0x6b }
const I64 = { type: 0x7e, const: 0x42, load: 0x29, store: 0x37, add: 0x7c, xor: 0x85, rotateRight: 0x8a }
const VOID = 0x40

/** Alignment of a word: two to this power. */
const ALIGNED = 3

type Code = readonly number[]

/** An unsigned number in groups of seven bits, least first (LEB128). */
function number(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
}

const list = (items: readonly Code[]): Code => [...number(items.length), ...items.flat()]
const sized = (bytes: Code): Code => [...number(bytes.length), ...bytes]
const section = (id: number, content: Code): Code => [id, ...sized(content)]
const name = (text: string): Code => sized([...new TextEncoder().encode(text)])
const digits = (text: string): readonly number[] => Array.from(text, (digit) => parseInt(digit, 16))

/** A function's first local is its parameter, where it has one: words are behind it. */
const local = (word: number): number => word + 1

const messageWord = (index: number): Code => [
  ...[I32.const, 0, I64.load, ALIGNED],
  ...number(MESSAGE + index * WORD),
]

/** Adds to a word another and one of the message. */
const add = (target: number, other: number, added: Code = []): Code => [
  ...[OP.get, local(target), OP.get, local(other), I64.add],
  ...(added.length === 0 ? [] : [...added, I64.add]),
  ...[OP.set, local(target)],
]

/** Replaces a word by its difference from another in bits, rotated. */
const rotate = (target: number, other: number, bits: number): Code => [
  ...[OP.get, local(target), OP.get, local(other), I64.xor],
  ...[I64.const, bits, I64.rotateRight, OP.set, local(target)],
]

/** The function G of RFC 7693, 3.1. */
function mix(lane: string, first: number, second: number): Code {
  const [a = 0, b = 0, c = 0, d = 0] = digits(lane)
  return [
    ...[...add(a, b, messageWord(first)), ...rotate(d, a, 32), ...add(c, d), ...rotate(b, c, 24)],
    ...[...add(a, b, messageWord(second)), ...rotate(d, a, 16), ...add(c, d), ...rotate(b, c, 63)],
  ]
}

function round(order: string): Code {
  const words = digits(order)
  return LANES.flatMap((lane, index) => mix(lane, words[2 * index] ?? 0, words[2 * index + 1] ?? 0))
}

const WORDS = Array.from({ length: 16 }, (_, word) => word)

const loadWords = (): Code =>
  WORDS.flatMap((word) => {
    return [I32.const, 0, I64.load, ALIGNED, ...number(word * WORD), OP.set, local(word)]
  })

const storeWords = (): Code =>
  WORDS.flatMap((word) => {
    return [I32.const, 0, OP.get, local(word), I64.store, ALIGNED, ...number(word * WORD)]
  })

/** A function with sixteen words as locals, which are read from memory before and written back after. */
const body = (code: Code): Code =>
  sized([...list([[16, I64.type]]), ...loadWords(), ...code, ...storeWords(), OP.end])

/** Goes through the ten rounds, again and again, until as many have run as the parameter says; at least one runs. */
const rounds = (): Code => [
  ...[OP.block, VOID, OP.loop, VOID],
  ...ORDERS.flatMap((order) => [
    ...round(order),
    ...[OP.get, 0, I32.const, 1, I32.subtract, OP.tee, 0, I32.isZero, OP.branchIf, 1],
  ]),
  ...[OP.branch, 0, OP.end, OP.end],
]

/** The bytes of the module, whose function `rounds` has their number as parameter. */
export function blake2bModule(): Uint8Array {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...list([[I32.type]]), ...list([])]])),
    ...section(2, list([[...name('env'), ...name('memory'), 2, 0, 1]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...name('rounds'), 0, 0]])),
    ...section(10, list([body(rounds())])),
  ])
}
