/** A recorded execution that a debugger moves in. Positions are steps; nothing changes but what is asked for. */

import { shortReason, type CustomErrorNames } from '../../abi/revert-reason.ts'
import { NodeError, invalidParams } from '../../base/errors.ts'
import { toHex, toQuantity, type Hash } from '../../base/hex.ts'
import { once } from '../../base/once.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Motion } from './params.ts'
import type {
  DebugCode,
  DebugSessionResult,
  DebugStack,
  DebugStop,
  DebugTargets,
  DebugVariable,
} from './results.ts'
import type { ListedSource } from '../../schema/report-results.ts'
import { listedSources } from '../../insight/artifacts/source-unit.ts'
import { wholeOf, Activations } from './activations.ts'
import { codeWindow, nameOf, runningFunctions, shownFrame, type RunningFunction } from './call-stack.ts'
import { failedFrames, type FailedFrame, type Recording } from './recording.ts'
import { Scopes } from './scopes.ts'
import { calledFrom, goalOf, stopOf } from './stops.ts'
import { parseExpression, isTrue } from './expressions/evaluate.ts'
import { isUnknown, type UnknownValue, type Value } from './values/value.ts'
import { callAt, type SteppedExecution, type CallGround, type ViewCall } from './view-calls.ts'

export interface RecordedExecution {
  readonly recording: Recording
  readonly outcome: Outcome
  /** Present for a transaction. */
  readonly hash?: Hash | undefined
  /** Reason of the failure in words, if the revert data does not contain it. */
  readonly reason?: string | undefined
  readonly ground: CallGround
}

export interface DebugNames {
  readonly errorText: CustomErrorNames
  readonly opcodeName: (opcode: number) => string
}

export class DebugSession implements SteppedExecution {
  readonly id: string
  /** Whether a request waits at it, so it must be kept. */
  isHeld = false
  readonly recording: Recording
  readonly activations: Activations
  readonly #execution: RecordedExecution
  readonly #names: DebugNames
  readonly failed: readonly FailedFrame[]

  constructor(id: string, execution: RecordedExecution, names: DebugNames) {
    this.id = id
    this.#execution = execution
    this.#names = names
    this.recording = execution.recording
    this.activations = new Activations(this.recording)
    this.failed = failedFrames(this.recording)
  }

  get context(): BlockContext {
    return this.#execution.ground.context
  }

  get first(): number {
    return this.activations.visits[0]?.step ?? 0
  }

  summary(): DebugSessionResult {
    const { outcome, hash, reason } = this.#execution
    const failure = this.failed.findLast(({ isCaught }) => !isCaught)
    return {
      session: this.id,
      steps: this.recording.length,
      first: this.first,
      last: this.#last(),
      failure: failure?.step,
      status: outcome.status,
      reason: outcome.status === 'success' ? undefined : (reason ?? (failure && this.reasonOf(failure))),
      isCut: this.recording.isCut || undefined,
      hash,
    }
  }

  stack(step: number): DebugStack {
    this.#check(step)
    const running = this.runningAt(step)
    const failed = this.failed.find((frame) => frame.step === step)
    return {
      step,
      op: this.#names.opcodeName(this.recording.opcodeAt(step)),
      gasLeft: toQuantity(BigInt(this.recording.gasAt(step))),
      frames: running.map((one, index) => shownFrame(one, running.length - 1 - index, this.recording)),
      exception: failed && { reason: this.reasonOf(failed), isCaught: failed.isCaught },
    }
  }

  /** A running function by its number, 0 for the outermost one. @throws NodeError 'invalidParams' */
  frame(step: number, frame: number): RunningFunction {
    this.#check(step)
    const running = this.runningAt(step)
    const chosen = running[running.length - 1 - frame]
    if (chosen !== undefined) return chosen
    throw invalidParams(`at step ${step} there is no function ${frame}: ${running.length} run`)
  }

  runningAt(step: number): readonly RunningFunction[] {
    return runningFunctions(this.activations, step)
  }

  move(step: number, motion: Motion): Promise<DebugStop> {
    this.#check(step)
    return stopOf(this, step, { ...motion, goal: goalOf(this.activations, step, motion), last: this.#last() })
  }

  targets(step: number): DebugTargets {
    this.#check(step)
    return calledFrom(this.activations, step).map(([{ declared, frame }, at]) => {
      const [first] = this.runningAt(at)
      const place = first && shownFrame(first, 0, this.recording).place
      return { step: at, name: nameOf(declared ?? first?.declared, frame), place }
    })
  }

  /** Variables of a scope, or parts of a variable. @throws NodeError 'invalidParams' for an unknown name */
  async variables(step: number, frame: number, path: readonly string[]): Promise<readonly DebugVariable[]> {
    return new Scopes(this, this.frame(step, frame), step).list(path)
  }

  code(step: number, frame: number, from: number, count: number): DebugCode {
    const { activation, step: at } = this.frame(step, frame)
    const { opcodeName } = this.#names
    return codeWindow(activation, { pc: this.recording.pcAt(at), from, count, opcodeName })
  }

  /** The value of an expression in a running function. @throws NodeError 'invalidParams' */
  async evaluate(step: number, frame: number, expression: string): Promise<DebugVariable> {
    const scopes = new Scopes(this, this.frame(step, frame), step)
    return scopes.shown(expression, await scopes.evaluate(parseExpression(expression)))
  }

  async holds(step: number, condition: string): Promise<boolean> {
    const value = await this.#valueAt(step, condition)
    if (isUnknown(value)) throw invalidParams(value.unknown)
    return isTrue(value)
  }

  async logText(step: number, text: string): Promise<string> {
    const parts = text.split(/\{([^{}]*)\}/)
    const shown = parts.map(async (part, index) => {
      if (index % 2 === 0) return part
      try {
        const value = await this.#valueAt(step, part)
        return isUnknown(value) ? `(${value.unknown})` : value.text
      } catch (error) {
        if (error instanceof NodeError) return `(${error.message})`
        throw error
      }
    })
    return (await Promise.all(shown)).join('')
  }

  async #valueAt(step: number, expression: string): Promise<Value | UnknownValue> {
    const [innermost] = this.runningAt(step)
    if (innermost === undefined) return { unknown: 'no code ran' }
    return new Scopes(this, innermost, step).evaluate(parseExpression(expression))
  }

  callAt(step: number, call: ViewCall): Promise<Value | UnknownValue> {
    return callAt(this.#execution.ground, this.recording, step, call)
  }

  readonly reasonOf = ({ frame }: FailedFrame): string => {
    const { exit } = frame
    return exit?.exception ?? shortReason(toHex(exit?.output ?? new Uint8Array(0)), this.#names.errorText)
  }

  readonly sources = once((): readonly ListedSource[] =>
    listedSources(this.recording.frames.flatMap(({ mapped }) => [...(mapped?.sources() ?? [])])),
  )

  /** The failure, or the last instruction of the called function, because contract code after it has no source. */
  readonly #last = once((): number => {
    const failure = this.failed.findLast(({ isCaught }) => !isCaught)
    let called = this.activations.visits.findLast(
      ({ activation }) => activation.frame.parent === undefined,
    )?.activation
    while (called !== undefined && (wholeOf(called).caller?.visits.length ?? 0) > 0)
      called = wholeOf(called).caller
    const end = called === undefined ? this.recording.length : Math.min(called.left, called.frame.end)
    return Math.max(0, failure?.step ?? end - 1)
  })

  #check(step: number): void {
    if (step < this.recording.length || step === 0) return
    const text = `there is no step ${step}: the execution has ${this.recording.length} instructions`
    throw invalidParams(text)
  }
}
