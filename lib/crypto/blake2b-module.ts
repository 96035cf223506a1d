/**
 * Assembles a WebAssembly module with the rounds of BLAKE2b (RFC 7693, section 3.2), because JavaScript has no fast
 * 64-bit integers. Its memory holds the sixteen words of the working vector, then the sixteen words of the message.
 */

import { ALIGNED, I32, I64, OP, body, moduleOf, leb128 } from './wasm-code.ts'
import type { WasmCode } from './wasm-code.ts'

/** Length of a word in bytes. */
const WORD = 8

/** Offset of the message in memory. */
const MESSAGE = 16 * WORD

/** Message schedule of ten rounds, which then repeats (RFC 7693, 2.7); one hex digit for each word. */
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

const digits = (text: string): readonly number[] => Array.from(text, (digit) => parseInt(digit, 16))

/** Index of the local that holds a word; local 0 is the parameter. */
const local = (word: number): number => word + 1

const messageWord = (index: number): WasmCode => [
  I32.const,
  0,
  I64.load,
  ALIGNED,
  ...leb128(MESSAGE + index * WORD),
]

/** Adds another word and a message word to a word. */
const add = (target: number, other: number, added: WasmCode = []): WasmCode => [
  OP.get,
  local(target),
  OP.get,
  local(other),
  I64.add,
  ...(added.length === 0 ? [] : [...added, I64.add]),
  OP.set,
  local(target),
]

/** Replaces a word by its XOR with another word, rotated. */
const rotate = (target: number, other: number, bits: number): WasmCode => [
  OP.get,
  local(target),
  OP.get,
  local(other),
  I64.xor,
  I64.const,
  bits,
  I64.rotateRight,
  OP.set,
  local(target),
]

/** The function G of RFC 7693, 3.1. */
function mix(lane: string, first: number, second: number): WasmCode {
  const [a = 0, b = 0, c = 0, d = 0] = digits(lane)
  return [
    ...add(a, b, messageWord(first)),
    ...rotate(d, a, 32),
    ...add(c, d),
    ...rotate(b, c, 24),
    ...add(a, b, messageWord(second)),
    ...rotate(d, a, 16),
    ...add(c, d),
    ...rotate(b, c, 63),
  ]
}

function round(order: string): WasmCode {
  const words = digits(order)
  return LANES.flatMap((lane, index) => mix(lane, words[2 * index] ?? 0, words[2 * index + 1] ?? 0))
}

const WORDS = Array.from({ length: 16 }, (_, word) => word)

const loadWords = (): WasmCode =>
  WORDS.flatMap((word) => {
    return [I32.const, 0, I64.load, ALIGNED, ...leb128(word * WORD), OP.set, local(word)]
  })

const storeWords = (): WasmCode =>
  WORDS.flatMap((word) => {
    return [I32.const, 0, OP.get, local(word), I64.store, ALIGNED, ...leb128(word * WORD)]
  })

/** Repeats the ten rounds until as many rounds have run as the parameter says; at least one round runs. */
const rounds = (): WasmCode => [
  OP.block,
  OP.void,
  OP.loop,
  OP.void,
  ...ORDERS.flatMap((order) => [
    ...round(order),
    OP.get,
    0,
    I32.const,
    1,
    I32.subtract,
    OP.tee,
    0,
    I32.isZero,
    OP.branchIf,
    1,
  ]),
  OP.branch,
  0,
  OP.end,
  OP.end,
]

/** The bytes of the module. Its function `rounds` takes the number of rounds. */
export function blake2bModule(): Uint8Array {
  const code = [...loadWords(), ...rounds(), ...storeWords()]
  return moduleOf([{ name: 'rounds', parameters: 1, body: body(WORDS.length, code) }])
}
