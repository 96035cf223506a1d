/** Opens sessions: executes a transaction, failure or call again and records it. */

import { nextTurn } from '../../base/host.ts'
import { present } from '../../base/invariant.ts'
import { finish } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import { instructionTable } from '../../evm/machine/core-tables.ts'
import type { CallTimer, Observer, EnterEvent, Step, SyncObserver } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { ContractOf } from '../../insight/artifacts/code.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import { mappedFrameCode, runCode } from '../../insight/explain/executed-frame.ts'
import type { KnownContracts } from '../../insight/explain/explained-call.ts'
import type { Recorder, Replayer } from '../../insight/replay/replay.ts'
import type { State } from '../../state/state.ts'
import { placedBreakpoints } from './breakpoints.ts'
import { DebugSession, type RecordedExecution } from './debug-session.ts'
import type { DebugSessions } from './debug-sessions.ts'
import type { Breakpoint } from './params.ts'
import { Recording, type MemoryWrite, type RecordedFrame, type StackWord } from './recording.ts'
import type { PlacedBreakpoints } from './results.ts'
import type { CallGround } from './view-calls.ts'

/** What executes a chain's transactions and calls, and knows their sources. */
interface DebuggedParts {
  readonly replayer: Replayer
  readonly contracts: KnownContracts
  readonly startCallTimer: () => CallTimer
}

export class Debugger {
  readonly #parts: DebuggedParts
  /** Shared by all chains of the node. */
  readonly #sessions: DebugSessions

  constructor(parts: DebuggedParts, sessions: DebugSessions) {
    this.#parts = parts
    this.#sessions = sessions
  }

  mined(entry: ChainEntry, receipt: Receipt): Promise<DebugSession> {
    const { replayer } = this.#parts
    return this.#open(receipt, async () => {
      const recorded = await replayer.recordOne(entry, receipt, (state) =>
        this.#recorder(state, replayer.contextOf(entry)),
      )
      return { ...recorded, hash: receipt.transaction.hash }
    })
  }

  /** A session of a call. Another key records it again. */
  call(key: unknown, prepare: () => PreparedCall): Promise<DebugSession> {
    const timer = this.#parts.startCallTimer()
    return this.#open(key, async () => {
      // A first run loads missing data, so that the recorded run is not interrupted.
      const first = prepare()
      if (first.state.source !== undefined) await this.#simulate(first, timer)
      const prepared = prepare()
      const { observer, end } = this.#recorder(prepared.state, prepared.context)
      return end(await this.#simulate(prepared, { ...observer, onSlice: timer.onSlice }))
    })
  }

  /** An open session. @throws NodeError 'unknownSession' */
  session(id: string): DebugSession {
    return this.#sessions.get(id)
  }

  /** Breakpoints with the lines at which they stop, or what is wrong with them. */
  place(breakpoints: readonly Breakpoint[], contracts: readonly CompiledContract[]): PlacedBreakpoints {
    return placedBreakpoints(breakpoints, contracts)
  }

  async #open(key: unknown, record: () => Promise<RecordedExecution>): Promise<DebugSession> {
    const { contracts, replayer } = this.#parts
    await contracts.refresh()
    const session = this.#sessions.find(key)
    if (session !== undefined) return session
    const { rules } = replayer.engine
    const execution = await contracts.withSources(record)
    const names = {
      errorText: contracts.errorText,
      opcodeName: (opcode: number) => instructionTable(rules)[opcode]?.name ?? `0x${opcode.toString(16)}`,
    }
    return this.#sessions.add(key, (id) => new DebugSession(id, execution, names))
  }

  #recorder(state: State, context: BlockContext): Recorder<RecordedExecution> {
    const { contractOf } = this.#parts.contracts
    const recorder = new ExecutionRecorder(state, contractOf, this.#sessions.limits.recorded)
    const ground: CallGround = {
      context,
      simulate: (call) => this.#simulate(call, { onSlice: nextTurn }),
      contractOf: (code, at) => contractOf(code, 'runtime', at),
    }
    const { observer, recording } = recorder
    return { observer, end: (outcome) => ({ recording, outcome, ground }) }
  }

  async #simulate({ state, context, message }: PreparedCall, observer: Observer): Promise<Outcome> {
    const { engine } = this.#parts.replayer
    return finish(engine.simulate(state, engine.open(context), message, observer))
  }
}

/** Stands for the length of a word, in place of an operand's position. */
const WORD = -32
const BYTE = -1

/** Instructions that write to memory: positions of the operands for offset and length, 0 is the top. */
const MEMORY_WRITES: ReadonlyMap<number, readonly [offset: number, length: number]> = new Map([
  [0x37, [0, 2]], // CALLDATACOPY
  [0x39, [0, 2]], // CODECOPY
  [0x3c, [1, 3]], // EXTCODECOPY
  [0x3e, [0, 2]], // RETURNDATACOPY
  [0x52, [0, WORD]], // MSTORE
  [0x53, [0, BYTE]], // MSTORE8
  [0x5e, [0, 2]], // MCOPY
  [0xf1, [5, 6]], // CALL
  [0xf2, [5, 6]], // CALLCODE
  [0xf4, [4, 5]], // DELEGATECALL
  [0xfa, [4, 5]], // STATICCALL
])

const [KECCAK256, SSTORE, TSTORE, DUP1, SWAP1] = [0x20, 0x55, 0x5d, 0x80, 0x90]

/** A call with operands beyond this fails for lack of gas. */
const MAX_OFFSET = 2n ** 32n

/** Longest noted key, including its slot, in bytes. */
const MAX_HASHED = 320n

/** A running frame, and what its last instruction is about to change. */
interface WatchedFrame extends RecordedFrame {
  readonly writes: MemoryWrite[]
  top: StackWord | undefined
  /** Stack height below the words that the last instruction pushes. */
  kept: number
  pending: { readonly step: number; readonly offset: number; readonly length: number } | undefined
}

class ExecutionRecorder {
  readonly recording: Recording
  readonly #state: State
  readonly #contractOf: ContractOf
  /** Maximum number of instructions that are recorded. */
  readonly #limit: number
  #open: WatchedFrame[] = []

  constructor(state: State, contractOf: ContractOf, limit: number) {
    this.#state = state
    this.recording = new Recording(state.intermediateRoot())
    this.#contractOf = contractOf
    this.#limit = limit
  }

  readonly observer: SyncObserver = {
    onEnter: (event) => this.#enter(event),
    onOpcode: (step) => this.#record(step),
    onLog: (log) => {
      const frame = this.#open.at(-1)
      const { isCut, length, logs } = this.recording
      if (frame !== undefined && !isCut)
        logs.push({ step: length - 1, frame, log: { ...log, data: log.data.slice() } })
    },
    onExit: (exit) => {
      const frame = this.#open.pop()
      if (frame === undefined) return
      frame.end = this.recording.length
      if (!this.recording.isCut) frame.exit = { ...exit, output: exit.output.slice() }
    },
  }

  #enter(event: EnterEvent): void {
    const parent = this.#open.at(-1)
    const isBorrowing = event.kind === 'delegatecall' || event.kind === 'callcode'
    const code = runCode(event, this.#state)
    const frame: WatchedFrame = {
      ...event,
      input: event.input.slice(),
      parent,
      account: isBorrowing ? event.from : event.to,
      caller: event.kind === 'delegatecall' && parent !== undefined ? parent.caller : event.from,
      code,
      mapped: code && mappedFrameCode(event, code, this.#contractOf),
      first: this.recording.length,
      end: this.recording.length,
      exit: undefined,
      writes: [],
      top: undefined,
      kept: 0,
      pending: undefined,
    }
    if (!this.recording.isCut) this.recording.frames.push(frame)
    this.#open.push(frame)
  }

  #record(step: Step): undefined {
    const { recording } = this
    if (recording.length === this.#limit) {
      recording.isCut = true
      return
    }
    const frame = present(this.#open.at(-1), 'frame of an instruction')
    const { memory, opcode } = step
    if (frame.pending !== undefined) noteWrite(frame, memory)
    frame.top = topOf(frame, step)
    recording.addStep(frame, step, frame.top)
    frame.kept = step.height - (opcode >= DUP1 && opcode < SWAP1 ? 0 : step.inputs)
    const written = MEMORY_WRITES.get(opcode)
    if (written !== undefined) frame.pending = rangeOf(step, recording.length - 1, written)
    else if (opcode === SSTORE || opcode === TSTORE) this.#noteStore(frame, step)
    else if (opcode === KECCAK256) this.#noteKey(step)
  }

  #noteStore(frame: RecordedFrame, step: Step): void {
    if (step.height < 2) return
    const storage = step.opcode === SSTORE ? 'persistent' : 'transient'
    this.recording.addWrite(storage, frame, step.word(0), step.word(1))
  }

  /** Notes the key of a mapping when it is hashed with the mapping's slot after it. */
  #noteKey(step: Step): void {
    if (step.height < 2 || step.word(1) <= 32n || step.word(1) > MAX_HASHED || step.word(0) > MAX_OFFSET)
      return
    const [start, length] = [Number(step.word(0)), Number(step.word(1))]
    this.recording.addKey(step.memory.slice(start, start + length - 32))
  }
}

/** The stack after the last instruction: what it kept, and what it pushed. */
function topOf(frame: WatchedFrame, step: Step): StackWord | undefined {
  let { top } = frame
  while (top !== undefined && top.height > frame.kept) top = top.below
  for (let below = step.height - frame.kept - 1; below >= 0; below--)
    top = { word: step.word(below), below: top, height: step.height - below }
  return top
}

function rangeOf(
  step: Step,
  index: number,
  [offsetAt, lengthAt]: readonly [number, number],
): WatchedFrame['pending'] {
  if (step.height < step.inputs) return undefined
  const offset = step.word(offsetAt)
  const length = lengthAt < 0 ? BigInt(-lengthAt) : step.word(lengthAt)
  if (length === 0n || offset > MAX_OFFSET || length > MAX_OFFSET) return undefined
  return { step: index, offset: Number(offset), length: Number(length) }
}

/** Notes what the last instruction wrote to memory. */
function noteWrite(frame: WatchedFrame, memory: Uint8Array): void {
  const { step, offset, length } = present(frame.pending, 'write to memory')
  frame.pending = undefined
  frame.writes.push({ step, offset, bytes: memory.slice(offset, offset + length) })
}
