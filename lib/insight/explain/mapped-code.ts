/** Code of a contract together with the sources that its instructions come from. */

import type { CodeKind } from '../artifacts/code.ts'
import type { CompiledCode, CompiledContract, SourceUnit } from '../artifacts/compilation.ts'
import { oncePer, oncePerValue } from '../../base/once.ts'
import { soliditySource, type SolidityFunction } from '../artifacts/solidity-ast.ts'
import { JUMP, JUMPDEST, JUMPI, SourceMap, instructionLength } from '../artifacts/source-map.ts'
import type { JumpKind, SourceRange } from '../artifacts/source-map.ts'

export interface SourcePlace {
  readonly unit: SourceUnit
  readonly range: SourceRange
}

export interface FunctionPlace extends SourcePlace {
  readonly within: SolidityFunction
}

const STOP = 0x00

/** Instructions after which another than the following one can run: jumps, calls, creations, ends of the frame. */
const ENDS_RUN: ReadonlySet<number> = new Set(
  Buffer.from([STOP, JUMP, JUMPI, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xfa, 0xfd, 0xfe, 0xff]),
)

/** The source map of a code, which all its deployments share: what differs in theirs is no instruction. */
const mapOf = oncePer(({ sourceMap, bytes }: CompiledCode) =>
  sourceMap === undefined ? undefined : new SourceMap(sourceMap, bytes),
)

/** Code as a frame runs it, with the source map of its contract. */
export class MappedCode {
  readonly contract: CompiledContract
  readonly kind: CodeKind
  readonly code: Uint8Array
  readonly #map: SourceMap | undefined

  constructor(contract: CompiledContract, kind: CodeKind, code: Uint8Array) {
    this.contract = contract
    this.kind = kind
    this.code = code
    this.#map = this.compiled && mapOf(this.compiled)
  }

  /** The compiled form of the code, with the sources that the compiler added. */
  get compiled(): CompiledCode | undefined {
    return this.contract[this.kind]
  }

  /** The positions of the instructions from one position to another, both included. */
  *positions(start: number, end: number): Generator<number> {
    for (let at = start; at <= end; at += instructionLength(this.code[at] ?? STOP)) yield at
  }

  /** Position of the last instruction that runs if the frame continues at a position without a jump. */
  readonly endOfRun = oncePerValue((start: number): number => {
    let position = start
    for (;;) {
      const opcode = this.code[position] ?? STOP
      const next = position + instructionLength(opcode)
      if (ENDS_RUN.has(opcode) || next >= this.code.length || this.code[next] === JUMPDEST) break
      position = next
    }
    return position
  })

  /** The positions that a frame ran in some blocks. The last one is taken to have run to its end. */
  path(blocks: readonly number[]): readonly number[] {
    return blocks.flatMap((start, index) => {
      const end = this.endOfRun(start)
      const next = blocks[index + 1]
      const positions = [...this.positions(start, end)]
      // Blocks also end where the machine interrupts the code.
      return next === undefined || next <= start || next > end
        ? positions
        : positions.filter((at) => at < next)
    })
  }

  jumpAt(position: number): JumpKind {
    return this.#map?.jumpAt(position) ?? 'regular'
  }

  /** The place that the instruction comes from; undefined outside of functions, such as in code that the compiler added. */
  readonly placeAt = oncePerValue((position: number): FunctionPlace | undefined => {
    const place = this.sourceAt(position)
    const within = place && soliditySource(place.unit.ast)?.functionAt(place.range)
    return within && { ...place, within }
  })

  /** The part of a source that the instruction comes from; undefined for code that the compiler added. */
  sourceAt(position: number): SourcePlace | undefined {
    const range = this.#map?.locationAt(position)
    if (range === undefined || this.compiled?.generatedFiles.has(range.file) === true) return undefined
    const unit = this.contract.compilation.source(range.file)
    return unit && { unit, range }
  }

  /** The sources that instructions come from. */
  sources(): ReadonlySet<SourceUnit> {
    const all = [...this.positions(0, this.code.length - 1)].map((at) => this.sourceAt(at)?.unit)
    return new Set(all.filter((unit) => unit !== undefined))
  }
}

const mappedByCode = new WeakMap<Uint8Array, MappedCode>()

/** Code with the sources of its contract. That of the same array is shared. */
export function mappedCode(contract: CompiledContract, kind: CodeKind, code: Uint8Array): MappedCode {
  const known = mappedByCode.get(code)
  if (known?.contract === contract) return known
  const mapped = new MappedCode(contract, kind, code)
  mappedByCode.set(code, mapped)
  return mapped
}
