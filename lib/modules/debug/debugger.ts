/** Opens sessions: executes a transaction, a failure or a call once more, and records it. */

import { nextTurn } from '../../base/host.ts'
import { finish } from '../../base/routine.ts'
import type { Receipt } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import { instructionTable } from '../../evm/machine/core-tables.ts'
import type { CallTimer, Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import type { State } from '../../state/state.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'
import type { Breakpoint } from './params.ts'
import type { PlacedBreakpoints } from './results.ts'
import type { KnownContracts } from '../../insight/explain/explained-call.ts'
import type { Recorder, Replayer } from '../../insight/replay/replay.ts'
import { placedBreakpoints } from './breakpoints.ts'
import { DebugSession, type RecordedExecution } from './debug-session.ts'
import type { DebugSessions } from './debug-sessions.ts'
import { ExecutionRecorder } from './recorder.ts'
import type { CallGround } from './view-calls.ts'

/** What executes the transactions and calls of a chain, and knows their sources. */
interface DebuggedParts {
  readonly replayer: Replayer
  readonly contracts: KnownContracts
  readonly startCallTimer: () => CallTimer
}

/** The sessions of one chain. */
export class Debugger {
  readonly #replayer: Replayer
  readonly #contracts: KnownContracts
  readonly #startCallTimer: () => CallTimer
  /** Those of all chains of the node. */
  readonly #sessions: DebugSessions

  constructor({ replayer, contracts, startCallTimer }: DebuggedParts, sessions: DebugSessions) {
    this.#replayer = replayer
    this.#contracts = contracts
    this.#startCallTimer = startCallTimer
    this.#sessions = sessions
  }

  /** The session of a mined transaction, which is recorded at the first call. */
  mined(entry: ChainEntry, receipt: Receipt): Promise<DebugSession> {
    return this.#open(receipt, async () => {
      const recorded = await this.#replayer.recordOne(entry, receipt, (state) =>
        this.#recorder(state, this.#replayer.contextOf(entry)),
      )
      return { ...recorded, hash: receipt.transaction.hash }
    })
  }

  /** A session of a call, which is recorded again for another key. */
  call(key: unknown, prepare: () => PreparedCall): Promise<DebugSession> {
    const timer = this.#startCallTimer()
    return this.#open(key, async () => {
      // A first run loads what is missing, so that the recorded one is not interrupted.
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
    await this.#contracts.refresh()
    const known = this.#sessions.find(key)
    if (known !== undefined) return known
    const { rules } = this.#replayer.engine
    const execution = await this.#contracts.withSources(record)
    const names = {
      errorText: this.#contracts.errorText,
      opcodeName: (opcode: number) => instructionTable(rules)[opcode]?.name ?? `0x${opcode.toString(16)}`,
    }
    return this.#sessions.add(key, (id) => new DebugSession(id, execution, names))
  }

  #recorder(state: State, context: BlockContext): Recorder<RecordedExecution> {
    const { contractOf } = this.#contracts
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
    const { engine } = this.#replayer
    return finish(engine.simulate(state, engine.open(context), message, observer))
  }
}
