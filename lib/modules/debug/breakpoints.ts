/** Finds where breakpoints are in the sources, and the steps of a recording at which they apply. Conditions are evaluated by the session. */

import { bigIntToBytes32, bytesToBigInt, fromHex, toHex, toWord } from '../../base/hex.ts'
import { NodeError } from '../../base/errors.ts'
import { eventOfLog, eventValues } from '../../abi/fragments.ts'
import { oncePer } from '../../base/once.ts'
import { linesOf } from '../../insight/artifacts/source-unit.ts'
import { storageLayout } from '../../insight/artifacts/storage-layout.ts'
import { bytesIn, valueText } from '../../insight/explain/storage-variables.ts'
import { VariableFinder } from '../../insight/explain/storage-variables.ts'
import type { CompiledContract, SourceUnit } from '../../insight/artifacts/compilation.ts'
import type { Breakpoint } from './params.ts'
import type { PlacedBreakpoints } from './results.ts'
import type { Activation } from './activations.ts'
import { nameOf, titleOf } from './call-stack.ts'
import { parseExpression } from './expressions/evaluate.ts'
import { ORDERS } from './expressions/typed-values.ts'
import { failedFrames, type RecordedLog, type Recording, type StorageWrite } from './recording.ts'
import { functionsIn } from './source-index.ts'
import type { SteppedExecution } from './view-calls.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'

export interface BreakpointHit {
  readonly step: number
  readonly breakpoint: Breakpoint
  /** Makes a sentence about what happens there. */
  readonly text?: (() => string) | undefined
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
        .flatMap((activation) => beginsOf(activation, breakpoint.name))
        .toSorted((one, other) => one - other)
        .map((step) => ({ step, breakpoint }))
    case 'revert':
      return failedFrames(recording)
        .filter(({ isCaught }) => breakpoint.which === 'all' || !isCaught)
        .map((failed) => ({ step: failed.step, breakpoint, text: () => reasonOf(failed) }))
    case 'event':
      return recording.logs.flatMap((recorded) => {
        const name = eventName(recorded)
        return breakpoint.name === undefined || isNamed(name, breakpoint.name)
          ? [{ step: recorded.step, breakpoint, text: () => eventText(recorded) }]
          : []
      })
    case 'call':
      return recording.frames
        .filter(({ parent, kind }) => parent !== undefined && kind !== 'selfdestruct')
        .map((frame) => ({
          step: frame.first - 1,
          breakpoint,
          text: () => `${frame.kind} of ${nameOf(undefined, frame)}`,
        }))
    case 'write':
      return [...recording.stored]
        .flat()
        .filter((write) => changes(write, breakpoint.stored, recording))
        .map((write) => ({ step: write.step, breakpoint, text: () => changeText(write, recording) }))
  }
}

/** The steps at which functions with a name begin in an activation: its own, and inlined ones such as modifiers. */
function beginsOf({ declared, visits, entered }: Activation, name: string): readonly number[] {
  const isMeant = (candidate: DebugFunction): boolean => isNamed(titleOf(candidate), name)
  const own = declared !== undefined && isMeant(declared) ? [visits[0]?.step ?? entered] : []
  const inner = visits.filter(({ statement }, index) => {
    const { within } = statement
    const isEntered = statement === within.statements[0] && visits[index - 1]?.statement.within !== within
    return isEntered && within !== declared && isMeant(within)
  })
  return [...own, ...inner.map(({ step }) => step)]
}

/** Whether a name such as `Shop.buy` is meant by another, such as `buy`. */
export const isNamed = (name: string, wanted: string): boolean =>
  name === wanted || name.endsWith(`.${wanted}`)

function eventName({ log, frame }: RecordedLog): string {
  const contract = frame.mapped?.contract
  const event = contract && eventOfLog(contract.abi, log)
  return event === undefined ? (log.topics[0] ?? 'without topics') : `${contract?.name}.${event.name ?? ''}`
}

/** An event with its values, as far as they are known. */
function eventText(recorded: RecordedLog): string {
  const { log, frame } = recorded
  const event = eventOfLog(frame.mapped?.contract.abi ?? [], log)
  const values = event && eventValues(event, log)
  const shown = values?.map(
    ({ name, value }) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `event ${eventName(recorded)}${shown === undefined ? '' : `(${shown.join(', ')})`}`
}

/** Whether a source path means the same file as a file's path. */
const isSamePath = (path: string, file: string): boolean => {
  const filePath = file.replaceAll('\\', '/')
  return filePath === path || filePath.endsWith(`/${path}`) || path.endsWith(`/${filePath}`)
}

const lineOfStatement = oncePer(
  ({ within, range }: DebugStatement): number | undefined =>
    linesOf(within.unit)?.positionOf(range.start).line,
)

/** The first statement on or after a line; undefined if there is none. */
const statementFrom = (unit: SourceUnit, line: number): DebugStatement | undefined =>
  orderedStatements(unit).find((statement) => (lineOfStatement(statement) ?? 0) >= line)

const orderedStatements = oncePer((unit: SourceUnit): readonly DebugStatement[] => {
  const statements = functionsIn(unit).flatMap((declared) => declared.statements)
  return statements.toSorted((one, other) => one.range.start - other.range.start)
})

/** Finds the statements at which a breakpoint stops: in each matching source, the first one from its line on. */
function statementsOn({ path, line }: Extract<Breakpoint, { kind: 'line' }>) {
  const statementIn = oncePer((unit: SourceUnit) =>
    isSamePath(unit.path, path) ? statementFrom(unit, line) : undefined,
  )
  return (statement: DebugStatement): boolean => statementIn(statement.within.unit) === statement
}

function changes(
  { step, account, slot, value }: StorageWrite,
  stored: Extract<Breakpoint, { kind: 'write' }>['stored'],
  recording: Recording,
): boolean {
  if (stored !== undefined && (account !== stored.address || slot !== bytesToBigInt(fromHex(stored.slot))))
    return false
  const { offset, bytes } = stored ?? { offset: 0, bytes: 32 }
  const part = (word: bigint): bigint => BigInt.asUintN(8 * bytes, word >> BigInt(8 * offset))
  return part(recording.storageAt(step, account, slot)) !== part(value)
}

/** Describes what a write changes: variables by name, else the slot. */
function changeText({ step, frame, account, slot, value }: StorageWrite, recording: Recording): string {
  const contract = frame.mapped?.contract
  const layout = contract && storageLayout(contract)
  const variables = layout && new VariableFinder(layout, { slots: [slot], keys: recording.keys }).at(slot)
  const [before, after] = [recording.storageAt(step, account, slot), value].map(bigIntToBytes32)
  const changed = (variables ?? []).flatMap(({ path, type, offset }) => {
    const [was, is] = [before, after].map((word) => valueText(type, bytesIn(word ?? NO_WORD, type, offset)))
    return was === is ? [] : [`${path} changes from ${was} to ${is}`]
  })
  if (changed.length > 0) return changed.join(', ')
  return `slot ${toWord(slot)} changes from ${toHex(before ?? NO_WORD)} to ${toHex(after ?? NO_WORD)}`
}

const NO_WORD = new Uint8Array(32)

/** Breakpoints with the lines where they stop, or what is wrong with them. */
export function placedBreakpoints(
  breakpoints: readonly Breakpoint[],
  contracts: readonly CompiledContract[],
): PlacedBreakpoints {
  const units = unitsOf(contracts)
  return breakpoints.map((breakpoint) => {
    const { id } = breakpoint
    const problem = problemIn(breakpoint)
    if (problem !== undefined) return { id, isPlaced: false, message: problem }
    if (breakpoint.kind === 'line') return { id, ...placedLine(breakpoint, units) }
    if (breakpoint.kind !== 'function') return { id, isPlaced: true }
    const isKnown = units.some((unit) =>
      functionsIn(unit).some((declared) => isNamed(titleOf(declared), breakpoint.name)),
    )
    return isKnown
      ? { id, isPlaced: true }
      : { id, isPlaced: false, message: `no known contract has a function ${breakpoint.name}` }
  })
}

function problemIn(breakpoint: Breakpoint): string | undefined {
  if (
    'hitCondition' in breakpoint &&
    breakpoint.hitCondition !== undefined &&
    !isHitCondition(breakpoint.hitCondition)
  )
    return `hit condition: expected a number such as 3, >= 3 or % 2, got ${breakpoint.hitCondition}`
  if (!('condition' in breakpoint) || breakpoint.condition === undefined) return undefined
  try {
    parseExpression(breakpoint.condition)
    return undefined
  } catch (error) {
    if (error instanceof NodeError) return `condition: ${error.message}`
    throw error
  }
}

function placedLine({ path, line }: Extract<Breakpoint, { kind: 'line' }>, units: readonly SourceUnit[]) {
  const sources = units.filter((unit) => isSamePath(unit.path, path))
  if (sources.length === 0) {
    const message = `no known contract was compiled from ${path}: compile it, or tell the node where its artifacts are (--artifacts)`
    return { isPlaced: false, message }
  }
  const statement = sources.map((unit) => statementFrom(unit, line)).find((each) => each !== undefined)
  const at = statement && lineOfStatement(statement)
  return at === undefined
    ? { isPlaced: false, message: `no statement is on line ${line} of ${path} or after it` }
    : { isPlaced: true, line: at }
}

/** The sources of all compilations. Old and new versions of a path are not distinguished. */
const unitsOf = oncePer((contracts: readonly CompiledContract[]): readonly SourceUnit[] =>
  [...new Set(contracts.map(({ compilation }) => compilation))].flatMap(({ sources }) => sources),
)

const HIT_CONDITION = /^\s*(>=|<=|>|<|==?|%)?\s*(\d+)\s*$/

/** Whether a text is the condition of a number of hits, such as `3`, `>= 3` or `% 2`. */
const isHitCondition = (text: string): boolean => HIT_CONDITION.test(text)

/** Whether a number of hits meets such a condition. */
export function meets(count: number, hitCondition: string): boolean {
  const [, operator = '=', digits = ''] = HIT_CONDITION.exec(hitCondition) ?? []
  const wanted = Number(digits)
  if (operator === '%') return wanted > 0 && count % wanted === 0
  return ORDERS[operator]?.(count, wanted) ?? count === wanted
}
