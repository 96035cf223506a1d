/** Counts how often the instructions of codes were executed. */

import { hasMetadata, withoutArguments, type CodeKind } from '../../insight/artifacts/code.ts'
import { getOrAdd } from '../../base/once.ts'
import { instructionLength } from '../../insight/artifacts/source-map.ts'
import type { CodeMonitor, ExecutionMonitor, RunningCode } from '../../evm/observer.ts'
import { positionsInBlock } from '../../evm/machine/core-tables.ts'
import type { Rules } from '../../evm/rules.ts'

/** Counts of one code, or of codes that differ only in values inserted at deployment. */
export class CodeCounts implements CodeMonitor {
  readonly kind: CodeKind
  readonly code: Uint8Array
  readonly #rules: Rules
  readonly #blocks: Uint32Array
  /** Position after the basic block that begins at each position; 0 until it is needed. */
  readonly #ends: Uint32Array
  readonly jumps: Uint32Array
  /** Exceptions by the position of their instruction. */
  readonly #halts = new Map<number, number>()

  constructor(kind: CodeKind, code: Uint8Array, rules: Rules) {
    this.kind = kind
    this.code = code
    this.#rules = rules
    this.#blocks = new Uint32Array(code.length)
    this.#ends = new Uint32Array(code.length)
    this.jumps = new Uint32Array(code.length)
  }

  count(blocks: Uint32Array, previous: number | undefined): void {
    const [counts, { jumps }] = [this.#blocks, this]
    let end = previous === undefined ? undefined : this.#endOf(previous)
    for (const start of blocks) {
      counts[start] = (counts[start] ?? 0) + 1
      // A jump has one byte.
      if (end !== undefined && end !== start) jumps[end - 1] = (jumps[end - 1] ?? 0) + 1
      end = this.#endOf(start)
    }
  }

  #endOf(start: number): number {
    const known = this.#ends[start]
    if (known !== undefined && known > 0) return known
    const last = positionsInBlock(this.#rules, this.code, start).at(-1) ?? start
    return (this.#ends[start] = last + instructionLength(this.code[last] ?? 0))
  }

  halt(position: number): void {
    this.#halts.set(position, (this.#halts.get(position) ?? 0) + 1)
  }

  /** How often the instruction at each position was executed, including failed executions. */
  executions(): Uint32Array {
    const executed = new Uint32Array(this.code.length)
    for (const [start, runs] of this.#blocks.entries()) {
      let left = runs
      for (const position of left === 0 ? [] : positionsInBlock(this.#rules, this.code, start)) {
        executed[position] = left
        left = Math.max(0, left - (this.#halts.get(position) ?? 0))
      }
    }
    return executed
  }
}

const NOT_COUNTED: CodeMonitor = { count: () => undefined, halt: () => undefined }

/** Counts by code, for all chains of a node. */
export class ExecutionCounts implements ExecutionMonitor {
  readonly #onFault: (error: unknown) => void
  #byArray = new WeakMap<Uint8Array, CodeCounts>()
  #byContent = new Map<string, CodeCounts>()

  /** `onFault` gets errors of the counting itself, which fail no execution. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  monitorOf(running: RunningCode): CodeMonitor {
    try {
      const known = running.isCreation ? undefined : this.#byArray.get(running.code)
      return known ?? this.#add(running)
    } catch (error) {
      this.#onFault(error)
      return NOT_COUNTED
    }
  }

  #add({ code, isCreation, rules }: RunningCode): CodeCounts {
    const compiled = isCreation ? withoutArguments(code) : withoutImmutables(code)
    const kind = isCreation ? 'creation' : 'runtime'
    const key = `${kind} ${compiled.toString('latin1')}`
    // The code on the chain, because the catalog looks at its immutables and at constants that solc puts after the metadata.
    const kept = (): Uint8Array => (isCreation ? new Uint8Array(code) : code)
    const counts = getOrAdd(this.#byContent, key, () => new CodeCounts(kind, kept(), rules))
    if (!isCreation) this.#byArray.set(code, counts)
    return counts
  }

  get codes(): Iterable<CodeCounts> {
    return this.#byContent.values()
  }

  reset(): void {
    this.#byArray = new WeakMap()
    this.#byContent = new Map()
  }
}

const PUSH32 = 0x7f

/** Code with zeros in place of PUSH32 data, which may be immutables. Without the metadata hash it could be another contract's code. */
function withoutImmutables(code: Uint8Array): Buffer {
  const bytes = Buffer.from(code)
  if (!hasMetadata(bytes)) return bytes
  // Metadata at the end is read as code too, so the last instruction may be cut off.
  for (let position = 0; position < bytes.length;) {
    const opcode = bytes[position] ?? 0
    const next = position + instructionLength(opcode)
    if (opcode === PUSH32) bytes.fill(0, position + 1, Math.min(next, bytes.length))
    position = next
  }
  return bytes
}
