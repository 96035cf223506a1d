/** One frame of an execution, while its gas is counted by call path and by line of the sources. */

import { fragmentSignature, functionRun } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import { libraryFunction } from '../artifacts/solidity-ast.ts'
import type { NamedContract } from '../artifacts/named-contracts.ts'
import { getOrAdd } from '../../base/get-or-add.ts'
import { toHex } from '../../base/hex.ts'
import { oncePer, oncePerValue } from '../../base/once.ts'
import type { EnterEvent, ExitEvent, Step } from '../../evm/observer.ts'
import { isCreation } from '../trace/call-tree.ts'
import { FrameWalk, type ActiveFunction } from '../explain/frame-walk.ts'
import { JUMP, JUMPDEST } from '../artifacts/source-map.ts'
import type { MappedCode } from '../explain/mapped-code.ts'
import type { LineGas } from '../../schema/gas-results.ts'
import { linesOf } from '../artifacts/source-unit.ts'

interface FrameBegin {
  readonly event: EnterEvent
  /** Its code with the sources; undefined for an unknown contract. */
  readonly mapped: MappedCode | undefined
  readonly contract: NamedContract | undefined
  readonly caller: PathNode
  readonly lines: LineTable
}

/** Counts the gas of a frame. */
export class ProfiledFrame {
  readonly #mapped: MappedCode | undefined
  readonly #walk: FrameWalk | undefined
  readonly #lines: LineTable
  readonly #isCreation: boolean
  readonly #selector: string
  /** The path of the frame, without its functions. */
  readonly #node: PathNode
  readonly #entered: { readonly active: ActiveFunction; readonly node: PathNode }[] = []
  #line: LineGas
  /** The instruction whose gas is not counted yet. */
  #last:
    | { readonly pc: number; readonly opcode: number; readonly left: number; readonly cost: number }
    | undefined
  /** Gas of the frame itself that has been counted. */
  #counted = 0
  /** Gas of the calls since the last instruction, and of all calls. */
  #gasOfLastCall = 0
  #gasOfCalls = 0

  constructor({ event, mapped, contract, caller, lines }: FrameBegin) {
    const title = event.isPrecompile ? `precompile ${event.to}` : (contract?.name ?? event.to)
    this.#mapped = mapped
    this.#walk = mapped && new FrameWalk(mapped)
    this.#lines = lines
    this.#isCreation = isCreation(event)
    this.#selector = toHex(event.input.subarray(0, SELECTOR_LENGTH)).slice(2)
    this.#node = caller.child(
      event.isPrecompile ? title : `${title}.${functionName(event, contract, mapped)}`,
    )
    this.#line = lines.titled(title)
  }

  /** The path of what runs now. */
  get node(): PathNode {
    return this.#entered.at(-1)?.node ?? this.#node
  }

  /** An instruction begins: the gas of the one before is known. */
  step({ pc, opcode, gasLeft, cost }: Step): undefined {
    const last = this.#last
    const left = Number(gasLeft)
    if (last !== undefined) this.#count(last.left - left - this.#gasOfLastCall)
    this.#gasOfLastCall = 0
    if (last?.opcode === JUMP && opcode === JUMPDEST) this.#walk?.follow(last.pc, pc)
    this.#followFunctions()
    // Code that the compiler added belongs to the line before.
    if (this.#mapped !== undefined) this.#line = this.#lines.rowAt(this.#mapped, pc) ?? this.#line
    this.#last = { pc, opcode, left, cost: Number(cost) }
  }

  /** A call or a creation has ended. */
  addCall(gas: number): void {
    this.#gasOfLastCall += gas
    this.#gasOfCalls += gas
  }

  /** The frame ends. An exception takes all gas at its instruction. */
  end({ gasUsed, status }: ExitEvent): void {
    const rest = Number(gasUsed) - this.#gasOfCalls - this.#counted
    const isCreated = this.#isCreation && status === 'success' && this.#last !== undefined
    const deposit = isCreated ? rest - (this.#last?.cost ?? 0) : 0
    this.#count(rest - deposit)
    if (deposit === 0) return
    this.#node.child('code deposit').gas += deposit
    this.#lines.titled(`code deposit of ${this.#node.name.replace(/\.constructor$/, '')}`).gas += deposit
  }

  #count(gas: number): void {
    this.node.gas += gas
    this.#line.gas += gas
    this.#counted += gas
  }

  /** Enters and leaves functions as the walk does. Only a few steps change them. */
  #followFunctions(): void {
    const running = this.#walk?.running
    if (running === undefined) return
    const entered = this.#entered
    while (entered.length > 0 && entered.at(-1)?.active !== running[entered.length - 1]) entered.pop()
    for (const active of running.slice(entered.length)) entered.push({ active, node: this.#nodeOf(active) })
  }

  /** The path of a function. Code outside of the functions in the sources belongs to the function that runs it. */
  #nodeOf({ site, entry }: ActiveFunction): PathNode {
    const place = site === undefined ? undefined : this.#mapped?.placeAt(entry)
    const isEntry = place !== undefined && place.range.start === place.within.range.start
    // console.log is one box: its own functions are left out.
    if (!isEntry || this.node.name.startsWith('console.')) return this.node
    const { name, contract, selector } = place.within
    // The function that was called from outside is the frame.
    if (this.node === this.#node && selector === this.#selector) return this.node
    return this.node.child(contract === undefined ? name : `${contract.name}.${name}`)
  }
}

/** Name of the function that a frame calls; with its types if other functions have the same name. */
function functionName(
  event: EnterEvent,
  contract: NamedContract | undefined,
  mapped: MappedCode | undefined,
): string {
  if (isCreation(event)) return 'constructor'
  const selector = toHex(event.input.subarray(0, SELECTOR_LENGTH))
  if (contract === undefined) return selector
  const run =
    functionRun(contract.abi, event.input) ?? (mapped && libraryFunction(mapped.contract, event.input))
  if (run?.type !== 'function') return run?.type ?? 'fallback'
  const isOverloaded = contract.abi.filter(({ name }) => name === run.name).length > 1
  return isOverloaded ? fragmentSignature(run) : (run.name ?? '')
}

/** A contract or a function, called from the one above it. */
export class PathNode {
  readonly name: string
  /** Gas that it used itself. */
  gas = 0
  readonly #children = new Map<string, PathNode>()

  constructor(name: string) {
    this.name = name
  }

  /** The callee with a name; all calls by the same name are one. */
  child(name: string): PathNode {
    return getOrAdd(this.#children, name, () => new PathNode(name))
  }

  /** Paths below this one with gas of their own, as flame graphs read them: `A.f;B.g 123`. */
  *folded(above = ''): Generator<string> {
    for (const child of this.#children.values()) {
      const path = above + plain(child.name)
      if (child.gas > 0) yield `${path} ${child.gas}`
      yield* child.folded(`${path};`)
    }
  }
}

/** Names come from files: a semicolon or a line break would be read as another path. */
const plain = (name: string): string => name.replace(/[;\p{Cc}\u2028\u2029]/gu, '_')

/** The lines of one execution. */
export class LineTable {
  readonly #rows = new Map<string, LineGas>()
  readonly #rowsOf = oncePer((code: MappedCode) =>
    oncePerValue((position: number) => {
      const place = code.sourceAt(position)
      return place && this.#rowOf(place.unit, place.range.start)
    }),
  )

  /** The rows that used gas, the largest first. */
  get used(): readonly LineGas[] {
    return [...this.#rows.values()].filter(({ gas }) => gas > 0).toSorted((a, b) => b.gas - a.gas)
  }

  /** The row of gas without a line. */
  titled(title: string): LineGas {
    return getOrAdd(this.#rows, title, () => ({ title, gas: 0 }))
  }

  /** The row of an instruction; undefined for code that the compiler added. */
  rowAt(code: MappedCode, position: number): LineGas | undefined {
    return this.#rowsOf(code)(position)
  }

  #rowOf(unit: SourceUnit, start: number): LineGas {
    const lines = linesOf(unit)
    const line = lines?.positionOf(start).line
    return getOrAdd(this.#rows, `${unit.path}:${line ?? ''}`, () => ({
      file: unit.path,
      line,
      excerpt: line === undefined ? undefined : lines?.textOf(line).trim(),
      gas: 0,
    }))
  }
}
