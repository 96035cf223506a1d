/** Assembles WebAssembly modules in binary form (WebAssembly core specification, chapter 5). */

/** Bytes of a module or of a part of it. */
export type WasmCode = readonly number[]

/** Opcodes of control and of locals, and the type of a block without a result. */
export const OP = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  call: 0x10,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  void: 0x40,
} as const

/** The type of 32-bit integers, and opcodes for them. */
export const I32 = {
  type: 0x7f,
  load8: 0x2d,
  const: 0x41,
  isZero: 0x45,
  isUnequal: 0x47,
  add: 0x6a,
  subtract: 0x6b,
  multiply: 0x6c,
  and: 0x71,
  or: 0x72,
  shiftRight: 0x76,
} as const

/** The type of 64-bit integers, and opcodes for them; comparisons and shifts are unsigned. */
export const I64 = {
  type: 0x7e,
  load: 0x29,
  load32: 0x35,
  store: 0x37,
  const: 0x42,
  isLess: 0x54,
  add: 0x7c,
  subtract: 0x7d,
  multiply: 0x7e,
  and: 0x83,
  or: 0x84,
  xor: 0x85,
  shiftLeft: 0x86,
  shiftRight: 0x88,
  rotateLeft: 0x89,
  rotateRight: 0x8a,
  fromI32: 0xad,
} as const

const vector = (operation: number): WasmCode => [0xfd, ...leb128(operation)]

/** The type of vectors of 128 bits, and opcodes for them: lanes of 32 or 64 bits, signed products, signed shift of 32 bits. */
export const V128 = {
  type: 0x7b,
  load: vector(0x00),
  splat32: vector(0x09),
  store: vector(0x0b),
  const: vector(0x0c),
  shuffle: vector(0x0d),
  and: vector(0x4e),
  xor: vector(0x51),
  shiftRight32: vector(0xac),
  add32: vector(0xae),
  subtract32: vector(0xb1),
  multiply32: vector(0xb5),
  extendLow: vector(0xc7),
  extendHigh: vector(0xc8),
  shiftLeft64: vector(0xcb),
  shiftRight64: vector(0xcd),
  add64: vector(0xce),
  subtract64: vector(0xd1),
  productLow: vector(0xdc),
  productHigh: vector(0xdd),
} as const

/** Alignment of a 64-bit integer in memory, as the exponent of two; of a vector it is one more. */
export const ALIGNED = 3

/** An unsigned number in LEB128: groups of seven bits, least significant first. */
export function leb128(value: number): WasmCode {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7)]
}

/** A signed number in LEB128: groups of seven bits, least significant first. */
export function signedLeb128(value: bigint): WasmCode {
  const group = Number(value & 0x7fn)
  const isLast = value >= -64n && value < 64n
  return isLast ? [group] : [group | 0x80, ...signedLeb128(value >> 7n)]
}

/** Joins parts. concat copies the memory of long arrays, whereas flat and spread read each element. */
export const join = (...parts: readonly WasmCode[]): WasmCode => new Array<number>().concat(...parts)

/** Items, preceded by their count. */
export const list = (items: readonly WasmCode[]): WasmCode => join(leb128(items.length), ...items)

/** Bytes, preceded by their count. */
export const sized = (bytes: WasmCode): WasmCode => join(leb128(bytes.length), bytes)

/** A text, preceded by its length. */
export const name = (text: string): WasmCode => sized([...new TextEncoder().encode(text)])

/** A function's body: numbers of 64-bit and 32-bit locals, which follow the parameters, and the instructions. */
export const body = (locals: number, code: WasmCode, locals32 = 0): WasmCode =>
  bodyOf(locals32, locals, I64.type, code)

/** A function's body with locals that are vectors instead of 64-bit integers. */
export const vectorBody = (locals: number, code: WasmCode, locals32 = 0): WasmCode =>
  bodyOf(locals32, locals, V128.type, code)

function bodyOf(locals32: number, locals: number, type: number, code: WasmCode): WasmCode {
  const short = locals32 === 0 ? [] : [[...leb128(locals32), I32.type]]
  return sized(join(list([...short, [...leb128(locals), type]]), code, [OP.end]))
}

/** A function that the module exports under its name. */
export interface WasmFunctionCode {
  readonly name: string
  /** Parameters, each an integer of 32 bits. */
  readonly parameters: number
  readonly body: WasmCode
}

/** Magic number and version, with which a module begins. */
const PREAMBLE: WasmCode = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** Ids of sections. */
const SECTION = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const

/** Form of a function type. */
const FUNCTION_TYPE = 0x60

/** Kinds of imports and exports. */
const EXTERNAL = { function: 0, memory: 2 } as const

/** A memory of at least one page, without a maximum. */
const ONE_PAGE: WasmCode = [0, 1]

const section = (id: number, content: WasmCode): WasmCode => join([id], sized(content))

const exportOf = (exported: WasmFunctionCode, index: number): WasmCode => [
  ...name(exported.name),
  EXTERNAL.function,
  ...leb128(index),
]

/** The bytes of a module that imports its memory of at least one page as `env.memory`. */
export function moduleOf(functions: readonly WasmFunctionCode[]): Uint8Array {
  const types = functions.map(({ parameters }) => [
    FUNCTION_TYPE,
    ...list(Array.from({ length: parameters }, () => [I32.type])),
    ...list([]),
  ])
  return new Uint8Array(
    join(
      PREAMBLE,
      section(SECTION.types, list(types)),
      section(SECTION.imports, list([[...name('env'), ...name('memory'), EXTERNAL.memory, ...ONE_PAGE]])),
      section(SECTION.functions, list(functions.map((_, index) => leb128(index)))),
      section(SECTION.exports, list(functions.map(exportOf))),
      section(SECTION.code, list(functions.map((each) => each.body))),
    ),
  )
}
