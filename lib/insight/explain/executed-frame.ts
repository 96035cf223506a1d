/** Records the frames of an execution as far as explaining its failure needs them, with the functions that each is in. */

import { present } from '../../base/invariant.ts'
import type { ContractOf } from '../artifacts/code.ts'
import { isCreation } from '../replay/call-tree.ts'
import type { EnterEvent, ExitEvent, SyncObserver } from '../../evm/observer.ts'
import type { Log } from '../../evm/outcome.ts'
import { mappedCode, type MappedCode } from './mapped-code.ts'
import { delegationOf } from '../../evm/delegation.ts'
import type { State } from '../../state/state.ts'
import { JUMP, JUMPDEST } from '../artifacts/source-map.ts'

/** The functions that a frame is in, and the instruction that it is at. */
export interface FramePosition {
  /** Outermost first; never empty. */
  readonly functions: readonly ActiveFunction[]
  readonly position: number
}

export interface LastCall {
  readonly frame: ExecutedFrame
  /** Position of the calling instruction; undefined if the source of its code is unknown. */
  readonly position: number | undefined
  /** Where the caller was, after a failed call; undefined if the source of its code is unknown. */
  from: FramePosition | undefined
}

/** A frame that has ended, with a copy of its input. */
export interface ExecutedFrame extends EnterEvent {
  /** Undefined if the frame ran no code. */
  code: Uint8Array | undefined
  /** The code with its sources; undefined for an unknown contract. */
  mapped: MappedCode | undefined
  walk: FrameWalk | undefined
  lastCall: LastCall | undefined
  /** Its calls, creations and logs, in order. */
  readonly steps: FrameAction[]
  /** Number of further steps, which are not recorded. */
  omittedSteps: number
  gasOfCalls: bigint
  /** Undefined while the frame runs. */
  exit: ExitEvent | undefined
}

export type FrameAction = { readonly frame: ExecutedFrame } | { readonly log: Log }

/** Maximum number of calls, creations and logs recorded per execution. */
const MAX_STEPS = 10_000

/** Builds the frames of an execution while it runs. To bound its memory, further steps are only counted. */
export class FrameRecorder {
  readonly #contractOf: ContractOf
  readonly #open: ExecutedFrame[] = []
  #root: ExecutedFrame | undefined
  #recordedSteps = 0

  constructor(contractOf: ContractOf) {
    this.#contractOf = contractOf
  }

  readonly observer: SyncObserver = {
    onEnter: (event) => this.#enter(event),
    onBlocks: (code, blocks) => this.#addBlocks(code, blocks),
    onLog: (log) => this.#addLog(log),
    onExit: (event) => this.#exit(event),
  }

  get root(): ExecutedFrame {
    return present(this.#root, 'outermost frame')
  }

  #enter(event: EnterEvent): void {
    const frame: ExecutedFrame = {
      ...event,
      input: event.input.slice(),
      code: undefined,
      mapped: undefined,
      walk: undefined,
      lastCall: undefined,
      steps: [],
      omittedSteps: 0,
      gasOfCalls: 0n,
      exit: undefined,
    }
    const caller = this.#open.at(-1)
    if (caller !== undefined) {
      caller.lastCall = { frame, position: caller.walk?.end, from: undefined }
      caller.walk?.noteCall()
      if (this.#hasRoom(caller)) caller.steps.push({ frame })
    }
    this.#root ??= frame
    this.#open.push(frame)
  }

  #addBlocks(code: Uint8Array, blocks: Uint32Array): void {
    const frame = present(this.#open.at(-1), 'frame of the blocks')
    if (frame.code === undefined) {
      // Init code is valid only now.
      frame.code = isCreation(frame) ? code.slice() : code
      frame.mapped = mappedFrameCode(frame, frame.code, this.#contractOf)
      frame.walk = frame.mapped && new FrameWalk(frame.mapped)
    }
    frame.walk?.add(blocks)
  }

  #addLog({ data, ...log }: Log): void {
    const frame = present(this.#open.at(-1), 'frame of a log')
    if (this.#hasRoom(frame)) frame.steps.push({ log: { ...log, data: data.slice() } })
  }

  #exit(event: ExitEvent): void {
    const frame = present(this.#open.pop(), 'frame that ends')
    frame.exit = { ...event, output: event.output.slice() }
    const caller = this.#open.at(-1)
    if (caller === undefined) return
    caller.gasOfCalls += event.gasUsed
    const { lastCall, walk } = caller
    if (event.status !== 'success' && lastCall !== undefined)
      lastCall.from = walk && { functions: walk.functions(), position: walk.end }
  }

  #hasRoom(frame: ExecutedFrame): boolean {
    const hasRoom = this.#recordedSteps++ < MAX_STEPS
    if (!hasRoom) frame.omittedSteps++
    return hasRoom
  }
}

/** The code with its sources; undefined for an unknown contract, a precompile, and an account without code. */
export function codeOfFrame(
  event: EnterEvent,
  state: Pick<State, 'code'>,
  contractOf: ContractOf,
): MappedCode | undefined {
  const code = runCode(event, state)
  return code && mappedFrameCode(event, code, contractOf)
}

/** The code that a frame runs; undefined for a precompile and for an account without code. */
export function runCode(event: EnterEvent, state: Pick<State, 'code'>): Uint8Array | undefined {
  // Init code is valid only now.
  if (isCreation(event)) return event.input.slice()
  if (event.isPrecompile || event.kind === 'selfdestruct') return undefined
  const own = state.code(event.to)
  const delegated = delegationOf(own)
  const code = delegated === undefined ? own : state.code(delegated)
  return code.length === 0 ? undefined : code
}

/** The code of a frame with its sources; undefined for an unknown contract. */
export function mappedFrameCode(
  event: EnterEvent,
  code: Uint8Array,
  contractOf: ContractOf,
): MappedCode | undefined {
  const kind = isCreation(event) ? 'creation' : 'runtime'
  const contract = contractOf(code, kind, event.to)
  return contract && mappedCode(contract, kind, code)
}

/** A function that has been entered and not left; the outermost one begins with the frame. */
export interface ActiveFunction {
  /** Position of the jump into it; undefined for the outermost one. */
  readonly site: number | undefined
  readonly entry: number
  /** Positions of its last blocks, without those of functions that have been left. */
  readonly blocks: readonly number[]
}

interface OpenFunction extends ActiveFunction {
  readonly blocks: number[]
}

/** Number of blocks kept per function. The last ones suffice to find its place in the source. */
const KEPT_BLOCKS = 128

export class FrameWalk {
  readonly #code: MappedCode
  readonly #open: OpenFunction[] = [{ site: undefined, entry: 0, blocks: [] }]
  #last: number | undefined
  #sinceCall: number[] = []

  constructor(code: MappedCode) {
    this.#code = code
  }

  /** Adds blocks by the positions of their first instructions. */
  add(blocks: Iterable<number>): void {
    for (const block of blocks) {
      if (this.#last !== undefined) this.follow(this.#code.endOfRun(this.#last), block)
      keep(this.#open.at(-1)?.blocks, block)
      keep(this.#sinceCall, block)
      this.#last = block
    }
  }

  /** Position of the last instruction of the last block: it calls, creates or ends the frame. */
  get end(): number {
    return this.#last === undefined ? 0 : this.#code.endOfRun(this.#last)
  }

  /** The functions that the frame is in, outermost first. */
  functions(): readonly ActiveFunction[] {
    return this.#open.map((one) => ({ ...one, blocks: [...one.blocks] }))
  }

  /** The same functions while they run; the list changes with each step. */
  get running(): readonly ActiveFunction[] {
    return this.#open
  }

  /** First positions of the blocks since the last call or creation, or since the frame began. */
  get sinceCall(): readonly number[] {
    return this.#sinceCall
  }

  noteCall(): void {
    this.#sinceCall = []
  }

  /** Follows execution from one instruction to the next. A jump can enter and leave functions. */
  follow(from: number, to: number): void {
    if (this.#code.code[from] !== JUMP || this.#code.code[to] !== JUMPDEST) return
    const kind = this.#code.jumpAt(from)
    if (kind === 'into') {
      this.#open.push({ site: from, entry: to, blocks: [] })
      return
    }
    // A function returns to the instruction after the jump into it, even if the optimizer removed returns in between.
    const returned = this.#open.findLastIndex(({ site }) => site !== undefined && site + 1 === to)
    if (returned > 0) this.#open.length = returned
    else if (kind === 'out' && this.#open.length > 1) this.#open.pop()
  }
}

function keep(blocks: number[] | undefined, block: number): void {
  if (blocks === undefined) return
  if (blocks.length >= KEPT_BLOCKS) blocks.splice(0, KEPT_BLOCKS / 2)
  blocks.push(block)
}
