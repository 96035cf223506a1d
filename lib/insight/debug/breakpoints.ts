/** Finds the steps of a recording at which breakpoints apply. Conditions are evaluated by the session. */

import { bytesToBigInt, fromHex, toQuantity } from '../../base/hex.ts'
import { eventOfLog } from '../../abi/fragments.ts'
import { oncePer } from '../../base/once.ts'
import { linesOf } from '../artifacts/source-unit.ts'
import type { SourceUnit } from '../artifacts/compilation.ts'
import type { Breakpoint } from '../../schema/debug-params.ts'
import { nameOf } from './call-stack.ts'
import { failedFrames } from './failed-frames.ts'
import type { RecordedLog, Recording, StorageWrite } from './recording.ts'
import { sourceIndex } from './source-index.ts'
import type { SteppedExecution } from './stepped-execution.ts'
import type { DebugStatement } from './debug-function.ts'

/** A step at which a breakpoint applies. */
export interface BreakpointHit {
  readonly step: number
  readonly breakpoint: Breakpoint
  /** Sentence about what happens there. */
  readonly text?: string | undefined
}

/** All steps at which a breakpoint applies, in order. */
export function hitsOf(
  breakpoint: Breakpoint,
  { recording, activations, reasonOf }: SteppedExecution,
): readonly BreakpointHit[] {
  switch (breakpoint.kind) {
    case 'line': {
      const isMeant = statementsOn(breakpoint)
      return activations.visits
        .filter(({ statement }) => isMeant(statement))
        .map(({ step }) => ({ step, breakpoint }))
    }
    case 'function':
      return activations.all
        .filter(
          (one) => one.declared !== undefined && isNamed(nameOf(one.declared, one.frame), breakpoint.name),
        )
        .map((one) => ({ step: one.visits[0]?.step ?? one.entered, breakpoint }))
    case 'revert':
      return failedFrames(recording)
        .filter(({ isCaught }) => breakpoint.which === 'all' || !isCaught)
        .map((failed) => ({ step: failed.step, breakpoint, text: reasonOf(failed) }))
    case 'event':
      return recording.logs.flatMap((one) => {
        const name = eventName(one)
        return breakpoint.name === undefined || isNamed(name, breakpoint.name)
          ? [{ step: one.step, breakpoint, text: `event ${name}` }]
          : []
      })
    case 'call':
      return recording.frames
        .filter(({ parent, kind }) => parent !== undefined && kind !== 'selfdestruct')
        .map((frame) => ({
          step: frame.first - 1,
          breakpoint,
          text: `${frame.kind} of ${nameOf(undefined, frame)}`,
        }))
    case 'write':
      return [...recording.stored].flat().flatMap((write) => {
        const text = changeText(write, breakpoint.stored, recording)
        return text === undefined ? [] : [{ step: write.step, breakpoint, text }]
      })
  }
}

/** Whether a name such as `Shop.buy` is meant by another, such as `buy`. */
export const isNamed = (name: string, wanted: string): boolean =>
  name === wanted || name.endsWith(`.${wanted}`)

function eventName({ log, frame }: RecordedLog): string {
  const contract = frame.mapped?.contract
  const event = contract && eventOfLog(contract.abi, log)
  return event === undefined ? (log.topics[0] ?? 'without topics') : `${contract?.name}.${event.name ?? ''}`
}

/** Whether a path of a source is meant by a path of a file. */
export const isSamePath = (path: string, file: string): boolean => {
  const given = file.replaceAll('\\', '/')
  return given === path || given.endsWith(`/${path}`) || path.endsWith(`/${given}`)
}

/** Line of the beginning of what is shown of a statement. */
export const lineOfStatement = oncePer(
  ({ within, range }: DebugStatement): number | undefined =>
    linesOf(within.unit)?.positionOf(range.start).line,
)

/** The first statement on a line or after it; undefined if there is none. */
export const statementFrom = (unit: SourceUnit, line: number): DebugStatement | undefined =>
  orderedStatements(unit).find((one) => (lineOfStatement(one) ?? 0) >= line)

const orderedStatements = oncePer((unit: SourceUnit): readonly DebugStatement[] => {
  const statements = sourceIndex(unit)?.functions.flatMap((one) => one.statements) ?? []
  return statements.toSorted((one, other) => one.range.start - other.range.start)
})

/** Finds the statements at which a breakpoint stops: of each source that its path means, the first one from its line on. */
function statementsOn({ path, line }: Extract<Breakpoint, { kind: 'line' }>) {
  const statementIn = oncePer((unit: SourceUnit) =>
    isSamePath(unit.path, path) ? statementFrom(unit, line) : undefined,
  )
  return (statement: DebugStatement): boolean => statementIn(statement.within.unit) === statement
}

/** The change of a variable, or of a slot, by a write; undefined if it does not change. */
function changeText(
  { step, account, slot, value }: StorageWrite,
  stored: Extract<Breakpoint, { kind: 'write' }>['stored'],
  recording: Recording,
): string | undefined {
  if (stored !== undefined && (account !== stored.address || slot !== bytesToBigInt(fromHex(stored.slot))))
    return undefined
  const { offset, bytes } = stored ?? { offset: 0, bytes: 32 }
  const part = (word: bigint): bigint => BigInt.asUintN(8 * bytes, word >> BigInt(8 * offset))
  const [before, after] = [part(recording.storageAt(step, account, slot)), part(value)]
  const name = stored === undefined ? `slot ${toQuantity(slot)} ` : ''
  return before === after ? undefined : `${name}changes from ${toQuantity(before)} to ${toQuantity(after)}`
}
