/** Reads source maps of solc: which part of a source each instruction comes from. */

/** Whether a jump enters a function, leaves one, or does neither (Solidity documentation, "Source Mappings"). */
export type JumpKind = 'into' | 'out' | 'regular'

/** A part of a source, in bytes of its UTF-8 text. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

/** A part of one of the sources of a compilation. */
export interface SourceLocation extends SourceRange {
  readonly file: number
}

/** The kinds of jumps by their letters, other than `-`. */
const JUMP_KINDS: ReadonlyMap<number | undefined, JumpKind> = new Map([
  ['i'.charCodeAt(0), 'into'],
  ['o'.charCodeAt(0), 'out'],
])

/** Values of an instruction in the map: start, length, file. */
const VALUES = 3

/** Opcodes of jumps and of their targets. */
export const JUMP = 0x56
export const JUMPI = 0x57
export const JUMPDEST = 0x5b

const FIRST_PUSH = 0x60
const LAST_PUSH = 0x7f

/** The source map of a piece of code, by the position of instructions. */
export class SourceMap {
  /** Index of the instruction at each position; -1 between instructions. */
  readonly #indexes: Int32Array
  readonly #values: Int32Array
  readonly #jumps: Uint8Array

  /** Reads a map in the compressed form of solc: `start:length:file:jump:modifierDepth;...`. */
  constructor(compressed: string, code: Uint8Array) {
    const entries = compressed.split(';')
    const values = new Int32Array(VALUES * entries.length)
    const jumps = new Uint8Array(entries.length)
    for (const [index, entry] of entries.entries()) {
      const fields = entry.split(':')
      for (let field = 0; field < VALUES; field++) {
        const text = fields[field] ?? ''
        const at = VALUES * index + field
        values[at] = text === '' ? (values[at - VALUES] ?? -1) : Number(text)
      }
      jumps[index] = fields[VALUES]?.charCodeAt(0) || (jumps[index - 1] ?? 0)
    }
    this.#values = values
    this.#jumps = jumps
    this.#indexes = instructionIndexes(code)
  }

  /** The source of the instruction at a position; undefined for code without a source. */
  locationAt(position: number): SourceLocation | undefined {
    const at = VALUES * (this.#indexes[position] ?? -1)
    const [start = -1, length = -1, file = -1] = at < 0 ? [] : this.#values.subarray(at, at + VALUES)
    return start < 0 || length < 0 || file < 0 ? undefined : { file, start, end: start + length }
  }

  jumpAt(position: number): JumpKind {
    return JUMP_KINDS.get(this.#jumps[this.#indexes[position] ?? -1]) ?? 'regular'
  }
}

/** Index of the instruction that begins at each position; -1 in the data of a PUSH. */
function instructionIndexes(code: Uint8Array): Int32Array {
  const indexes = new Int32Array(code.length).fill(-1)
  let position = 0
  for (let index = 0; position < code.length; index++) {
    indexes[position] = index
    position += instructionLength(code[position] ?? 0)
  }
  return indexes
}

/** Length of an instruction in bytes, including the data of a PUSH. */
export const instructionLength = (opcode: number): number =>
  opcode >= FIRST_PUSH && opcode <= LAST_PUSH ? opcode - FIRST_PUSH + 2 : 1
