/** Profiles transactions: gas by line of the sources, and by call path. */

import { fragmentSignature } from '../../abi/fragments.ts'
import { SELECTOR_LENGTH } from '../../abi/selector.ts'
import { toHex } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { getOrAdd, oncePer, oncePerValue } from '../../base/once.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { EnterEvent, ExitEvent, Observer, Step } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { GasProfile, LineGas } from './results.ts'
import type { State } from '../../state/state.ts'
import type { SourceUnit } from '../../insight/artifacts/compilation.ts'
import type { NamedContract } from '../../insight/artifacts/named-contracts.ts'
import { JUMP, JUMPDEST } from '../../insight/artifacts/source-map.ts'
import { linesOf } from '../../insight/artifacts/source-unit.ts'
import { codeOfFrame, FrameWalk, type ActiveFunction } from '../../insight/explain/executed-frame.ts'
import { runFunction, type KnownContracts } from '../../insight/explain/explained-call.ts'
import type { MappedCode } from '../../insight/explain/mapped-code.ts'
import { isCreation } from '../../insight/replay/call-tree.ts'
import { gasMeter } from '../../insight/replay/opcode-gas.ts'
import type { Recorder, Replayer } from '../../insight/replay/replay.ts'

/** Profiles mined transactions by executing them again. */
export const gasProfiler =
  (replayer: Replayer, contracts: KnownContracts) =>
  async (entry: ChainEntry, receipt: Receipt): Promise<GasProfile> => {
    await contracts.refresh()
    const gasLimit = Number(receipt.transaction.gasLimit)
    return replayer.recordOne(entry, receipt, (state) => recordProfile(contracts, state, gasLimit))
  }

/** Counts the gas of one execution. */
function recordProfile(
  { contractOf, contractAt }: KnownContracts,
  state: State,
  gasLimit: number,
): Recorder<GasProfile> {
  const root = new PathNode('')
  const lines = new LineTable()
  const open: ProfiledFrame[] = []
  /** Gas at the start of the outermost frame, and gas that it used. */
  let gasAtBegin: number | undefined
  let executionGas = 0
  const observer: Observer = {
    onEnter: (event) => {
      gasAtBegin ??= Number(event.gas)
      const mapped = codeOfFrame(event, state, contractOf)
      const contract = mapped?.contract ?? contractAt(event.to)
      open.push(new ProfiledFrame({ event, mapped, contract, caller: open.at(-1)?.node ?? root, lines }))
    },
    onOpcode: (step): undefined => present(open.at(-1), 'frame of an instruction').step(step),
    onExit: (event) => {
      present(open.pop(), 'frame that ends').end(event)
      const caller = open.at(-1)
      if (caller === undefined) executionGas = Number(event.gasUsed)
      else caller.meter.addCall(event.gasUsed)
    },
  }
  const end = ({ gasUsed: used }: Outcome): GasProfile => {
    const gasUsed = Number(used)
    const intrinsicGas = gasLimit - (gasAtBegin ?? gasLimit - gasUsed)
    const adjustment = gasUsed - intrinsicGas - executionGas
    const floorGas = Math.max(0, adjustment)
    root.child('intrinsic gas').gas += intrinsicGas
    root.child('data floor').gas += floorGas
    return {
      gasUsed,
      intrinsicGas,
      refund: Math.max(0, -adjustment),
      floorGas,
      lines: lines.used,
      folded: Array.from(root.folded(), (line) => `${line}\n`).join(''),
    }
  }
  return { observer, end }
}

interface FrameBegin {
  readonly event: EnterEvent
  /** Its code with the sources; undefined for an unknown contract. */
  readonly mapped: MappedCode | undefined
  readonly contract: NamedContract | undefined
  readonly caller: PathNode
  readonly lines: LineTable
}

class ProfiledFrame {
  readonly #mapped: MappedCode | undefined
  readonly #walk: FrameWalk | undefined
  readonly #lines: LineTable
  readonly #isCreation: boolean
  readonly #selector: string
  /** The path of the frame, without its functions. */
  readonly #node: PathNode
  readonly #entered: { readonly active: ActiveFunction; readonly node: PathNode }[] = []
  #line: LineGas
  readonly meter: ReturnType<typeof gasMeter>
  /** The newest instruction. */
  #last: { readonly pc: number; readonly opcode: number; readonly cost: number } | undefined

  constructor({ event, mapped, contract, caller, lines }: FrameBegin) {
    const title = event.isPrecompile ? `precompile ${event.to}` : (contract?.name ?? event.to)
    this.meter = gasMeter(event)
    this.#mapped = mapped
    this.#walk = mapped && new FrameWalk(mapped)
    this.#lines = lines
    this.#isCreation = isCreation(event)
    this.#selector = toHex(event.input.subarray(0, SELECTOR_LENGTH)).slice(2)
    this.#node = caller.child(
      event.isPrecompile ? title : `${title}.${functionName({ event, contract, mapped })}`,
    )
    this.#line = lines.titled(title)
  }

  /** The path of what runs now. */
  get node(): PathNode {
    return this.#entered.at(-1)?.node ?? this.#node
  }

  /** An instruction begins, so the gas of the previous one is known. */
  step(step: Step): undefined {
    const { pc, opcode, cost } = step
    this.#count(this.meter.step(step))
    if (this.#last?.opcode === JUMP && opcode === JUMPDEST) this.#walk?.follow(this.#last.pc, pc)
    this.#followFunctions()
    // Code added by the compiler counts for the line before.
    if (this.#mapped !== undefined) this.#line = this.#lines.rowOf(this.#mapped)(pc) ?? this.#line
    this.#last = { pc, opcode, cost: Number(cost) }
  }

  /** The frame ends. An exception uses all gas at its instruction. */
  end(event: ExitEvent): void {
    const rest = this.meter.end(event)
    const isCreated = this.#isCreation && event.status === 'success' && this.#last !== undefined
    const deposit = isCreated ? rest - (this.#last?.cost ?? 0) : 0
    this.#count(rest - deposit)
    if (deposit === 0) return
    this.#node.child('code deposit').gas += deposit
    this.#lines.titled(`code deposit of ${this.#node.name.replace(/\.constructor$/, '')}`).gas += deposit
  }

  #count(gas: number): void {
    this.node.gas += gas
    this.#line.gas += gas
  }

  /** Enters and leaves functions like the walk. Only a few steps change them. */
  #followFunctions(): void {
    const running = this.#walk?.running
    if (running === undefined) return
    const entered = this.#entered
    while (entered.length > 0 && entered.at(-1)?.active !== running[entered.length - 1]) entered.pop()
    for (const active of running.slice(entered.length)) entered.push({ active, node: this.#nodeOf(active) })
  }

  /** The path of a function. Code outside the source's functions belongs to the function that runs it. */
  #nodeOf({ site, entry }: ActiveFunction): PathNode {
    const place = site === undefined ? undefined : this.#mapped?.placeAt(entry)
    const isEntry = place !== undefined && place.range.start === place.within.range.start
    // console.log is a single box without its own functions.
    if (!isEntry || this.node.name.startsWith('console.')) return this.node
    const { name, contract, selector } = place.within
    // The function called from outside is the frame itself.
    if (this.node === this.#node && selector === this.#selector) return this.node
    return this.node.child(contract === undefined ? name : `${contract.name}.${name}`)
  }
}

/** Name of the function that a frame calls. It includes types if the name is overloaded. */
function functionName({ event, contract, mapped }: Omit<FrameBegin, 'caller' | 'lines'>): string {
  if (isCreation(event)) return 'constructor'
  const selector = toHex(event.input.subarray(0, SELECTOR_LENGTH))
  if (contract === undefined) return selector
  const run = runFunction({ mapped, input: event.input }, contract.abi)
  if (run?.type !== 'function') return run?.type ?? 'fallback'
  const isOverloaded = contract.abi.filter(({ name }) => name === run.name).length > 1
  return isOverloaded ? fragmentSignature(run) : (run.name ?? '')
}

/** A contract or a function, called from the one above it. */
class PathNode {
  readonly name: string
  /** Gas that it used itself. */
  gas = 0
  readonly #children = new Map<string, PathNode>()

  constructor(name: string) {
    this.name = name
  }

  /** The callee with a name. All calls with the same name are merged. */
  child(name: string): PathNode {
    return getOrAdd(this.#children, name, () => new PathNode(name))
  }

  /** Paths below this one that used gas themselves, in the format of flame graphs: `A.f;B.g 123`. */
  *folded(above = ''): Generator<string> {
    for (const child of this.#children.values()) {
      const path = above + plain(child.name)
      if (child.gas > 0) yield `${path} ${child.gas}`
      yield* child.folded(`${path};`)
    }
  }
}

/** Names come from files. A semicolon or line break would be read as another path. */
const plain = (name: string): string => name.replace(/[;\p{Cc}\u2028\u2029]/gu, '_')

class LineTable {
  readonly #rows = new Map<string, LineGas>()

  /** For a code, the row of an instruction; undefined for code added by the compiler. */
  readonly rowOf = oncePer((code: MappedCode) =>
    oncePerValue((position: number) => {
      const place = code.sourceAt(position)
      return place && this.#lineOf(place.unit, place.range.start)
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

  #lineOf(unit: SourceUnit, start: number): LineGas {
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
