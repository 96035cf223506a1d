/** A recorded execution of a node that is debugged: what the node knows about each of its steps. */

import type * as z from 'zod'
import { refuseOption } from '../../../base/errors.ts'
import { AnsweredError, ask } from '../../../client/node-client.ts'
import { debugCode, debugSession, debugStack, debugStop, debugTargets } from '../results.ts'
import { debugVariable, debugVariables, placedBreakpoints } from '../results.ts'
import type { DebugCode, DebugSessionResult, DebugStack, DebugStop } from '../results.ts'
import type { DebugTargets, DebugVariable, PlacedBreakpoints } from '../results.ts'
import type { Breakpoint, Motion } from '../params.ts'
import { explanationObject, type ExplanationResult } from '../../../schema/explanation-results.ts'
import { sourcesObject, type ListedSource } from '../../../schema/report-results.ts'
import type { LaunchTarget } from './launch-settings.ts'

/** A function that is running at a step. */
export interface FramePlace {
  readonly step: number
  /** 0 for the outermost function. */
  readonly frame: number
}

/** Code of the error of a session that is not open, among others. */
const UNKNOWN_SESSION = -32000

/** A recorded execution. */
export class DebuggedExecution {
  readonly #url: string
  readonly facts: DebugSessionResult
  readonly #target: LaunchTarget | undefined
  #session: string
  #sources: Promise<ReadonlyMap<string, ListedSource>> | undefined

  /** Without a target it cannot be recorded again. */
  constructor(url: string, facts: DebugSessionResult, target?: LaunchTarget) {
    this.#url = url
    this.facts = facts
    this.#session = facts.session
    this.#target = facts.hash === undefined ? target : { transaction: facts.hash }
  }

  /** Records an execution. @throws NodeError 'invalidOption' if the node does not know it or cannot be asked */
  static async open(url: string, target: LaunchTarget): Promise<DebuggedExecution> {
    const facts = await ask(url, ['dev_debugOpen', target], debugSession.nullable())
    if (facts === null) refuseOption(unknownTarget(url, target))
    return new DebuggedExecution(url, facts, target)
  }

  /** The functions that run at a step, innermost first. */
  stack(step: number): Promise<DebugStack> {
    return this.#ask('dev_debugStack', [step], debugStack)
  }

  /** Variables of a scope, or parts of a variable. */
  variables({ step, frame }: FramePlace, path: readonly string[]): Promise<readonly DebugVariable[]> {
    return this.#ask('dev_debugVariables', [step, frame, path], debugVariables)
  }

  evaluate({ step, frame }: FramePlace, expression: string): Promise<DebugVariable> {
    return this.#ask('dev_debugEvaluate', [step, frame, expression], debugVariable)
  }

  /** Where a motion from a step ends. */
  move(step: number, motion: Motion): Promise<DebugStop> {
    return this.#ask('dev_debugMove', [step, motion], debugStop)
  }

  /** The functions that the statement at a step enters. */
  targets(step: number): Promise<DebugTargets> {
    return this.#ask('dev_debugTargets', [step], debugTargets)
  }

  /** Instructions of the code of a function, from an offset relative to its own instruction. */
  code({ step, frame }: FramePlace, from: number, count: number): Promise<DebugCode> {
    return this.#ask('dev_debugCode', [step, frame, from, count], debugCode)
  }

  /** The sources by id. */
  sources(): Promise<ReadonlyMap<string, ListedSource>> {
    this.#sources ??= this.#ask('dev_debugSources', [], sourcesObject).then(
      (sources) => new Map(sources.map((source) => [source.id, source])),
    )
    return this.#sources
  }

  /** Explains the transaction of the execution; null for a call. */
  async explanation(): Promise<ExplanationResult | null> {
    const { hash } = this.facts
    if (hash === undefined) return null
    const explained = explanationObject.nullable()
    const mined = await ask(this.#url, ['dev_explainTransaction', hash], explained)
    return mined ?? ask(this.#url, ['dev_explainFailure', hash], explained)
  }

  /** The node keeps few recordings, and none when it is started again: the execution is recorded again then. */
  async #ask<Result>(method: string, params: readonly unknown[], result: z.ZodType<Result>): Promise<Result> {
    const asked = (): Promise<Result> => ask(this.#url, [method, this.#session, ...params], result)
    return asked().catch(async (error: unknown) => {
      const isLost = error instanceof AnsweredError && error.error.code === UNKNOWN_SESSION
      if (!isLost || this.#target === undefined) throw error
      const found = await ask(this.#url, ['dev_debugOpen', this.#target], debugSession.nullable())
      if (found === null || factsText(found) !== factsText(this.facts))
        return refuseOption(
          `the node at ${this.#url} was started again and does not have the execution: launch another`,
        )
      this.#session = found.session
      return asked()
    })
  }
}

/** What the node says of an execution, without the id of the session. */
const factsText = (facts: DebugSessionResult): string => JSON.stringify({ ...facts, session: '' })

function unknownTarget(url: string, { transaction, call, failure }: LaunchTarget): string {
  if (transaction !== undefined) return `the node at ${url} has no transaction ${transaction}`
  if (call !== undefined) return `the node at ${url} cannot make the call`
  if (failure === 'last') return `no execution has failed at ${url}`
  return `the node at ${url} keeps no failure ${failure}`
}

/** Breakpoints as a node places them. */
export const placeBreakpoints = (
  url: string,
  breakpoints: readonly Breakpoint[],
): Promise<PlacedBreakpoints> => ask(url, ['dev_debugBreakpoints', breakpoints], placedBreakpoints)
