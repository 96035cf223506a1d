/** WebAssembly modules put together from their opcodes (WebAssembly core specification, chapter 5). */

/** Bytes of a module, or of a part of it. */
export type Code = readonly number[]

/** Opcodes and types that concern no kind of number. */
export const OP = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  void: 0x40,
} as const

/** Opcodes and the type of 32-bit integers. */
export const I32 = {
  type: 0x7f,
  const: 0x41,
  isZero: 0x45,
  isUnequal: 0x47,
  add: 0x6a,
  subtract: 0x6b,
} as const

/** Opcodes and the type of 64-bit integers. */
export const I64 = {
  type: 0x7e,
  const: 0x42,
  load: 0x29,
  store: 0x37,
  add: 0x7c,
  and: 0x83,
  xor: 0x85,
  rotateLeft: 0x89,
  rotateRight: 0x8a,
} as const

/** Alignment of a 64-bit integer in memory: two to this power. */
export const ALIGNED = 3

/** An unsigned number in groups of seven bits, least first (LEB128): sizes, indices and places in memory. */
export function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** A signed number in groups of seven bits, least first (LEB128): what constants are. */
export function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}

/** Items behind their count. */
export const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]

/** Bytes behind their count. */
export const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes]

/** A function of a module. */
export interface AssembledFunction {
  /** Under which it is exported. */
  readonly name: string
  /** How many parameters it has, all of 32 bits. It returns nothing. */
  readonly parameters: number
  /** Its local variables behind the parameters, and its instructions. */
  readonly body: Code
}

const section = (id: number, content: Code): Code => [id, ...sized(content)]
const name = (text: string): Code => sized([...new TextEncoder().encode(text)])

/** The bytes of a module with one function, which works on one page of memory that it imports as `env.memory`. */
export function assembleModule({ name: exported, parameters, body }: AssembledFunction): Uint8Array {
  const types = Array.from({ length: parameters }, () => [I32.type])
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...list(types), ...list([])]])),
    ...section(2, list([[...name('env'), ...name('memory'), 2, 0, 1]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...name(exported), 0, 0]])),
    ...section(10, list([sized([...body, OP.end])])),
  ])
}
