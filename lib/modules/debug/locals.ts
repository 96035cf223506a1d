/**
 * Finds the words of parameters, return variables and local variables: on the stack, where the legacy pipeline gives each a fixed
 * place, or where rearranged-variables.ts or expression results in unoptimized IR code prove them. Uncertain words are unknown.
 */

import { oncePer } from '../../base/once.ts'
import {
  childAt,
  containsRange,
  isSameRange,
  listAt,
  nodesIn,
  numberAt,
  rangeOf,
  textAt,
  typeOf,
  type AstNode,
} from '../../insight/artifacts/ast-node.ts'
import { JUMP, JUMPDEST, type SourceRange } from '../../insight/artifacts/source-map.ts'
import type { Activation, Visit, Activations } from './activations.ts'
import { assignmentIn, assigns, assignsIn, isTarget, wordAfter } from './assignments.ts'
import {
  isInLoopOf,
  type DebugFunction,
  type DebugStatement,
  type FoundLocal,
  type DeclaredVariable,
} from './debug-function.ts'
import { RearrangedVariables, firstWords, type RunningStatement } from './rearranged-variables.ts'
import type { Recording } from './recording.ts'
import { belongsTo, rootFunction, stackShapes, wordsBelow, wordsOf } from './stack-shape.ts'

const OPTIMIZED = 'the optimizer has rearranged this line'
const INLINED = 'the optimizer has inlined this function'
const VIA_IR = 'optimized code of the IR pipeline does not keep variables'
const UNSHAPED = 'the stack is not as this version of solc is known to lay it out'
const NO_SETTINGS = 'the files of the compiler do not say whether it has optimized the code'
const OLD = 'solc before 0.5 lays out variables in another way'

/** An activation's variables in scope at a step, in order of declaration. */
export function localsAt(
  activations: Activations,
  activation: Activation,
  step: number,
): readonly FoundLocal[] {
  const visit = activations.visitAt(activation, step)
  const contract = activation.frame.mapped?.contract
  if (visit === undefined || contract === undefined) return atEntry(activations, activation, step)
  const { settings, compiler } = contract.compilation
  const { declared, frame } = activation
  const { statement } = visit
  const isOwn = declared !== undefined && belongsTo(statement, declared, contract)
  const owner = isOwn ? declared : rootFunction(frame, contract, statement)
  const running = owner ?? statement.within
  if (!settings.isKnown) return all(running, statement, NO_SETTINGS)
  if (settings.viaIr)
    return settings.isOptimized ? all(running, statement, VIA_IR) : irVariables(activations, visit)
  if (/^0\.[0-4]\./.test(compiler)) return all(running, statement, OLD)
  const base = isOwn
    ? activations.recording.heightAt(activation.entered) - wordsOf(running.parameters)
    : owner && wordsBelow(owner, frame, contract)
  if (base === undefined) return all(running, statement, INLINED)
  const place = { declared: running, base, now: visit, step }
  return settings.isOptimized ? inOptimized(activations, place) : inLegacy(activations, place)
}

/** The parameters before the first statement. */
function atEntry(activations: Activations, activation: Activation, step: number): readonly FoundLocal[] {
  const { declared: within, frame, entered } = activation
  const { isKnown = false, viaIr = false } = frame.mapped?.contract.compilation.settings ?? {}
  if (within === undefined || !isKnown || viaIr) return []
  let position = activations.recording.heightAt(entered) - wordsOf(within.parameters)
  return within.parameters.map((variable) => {
    const words = activations.recording.wordsAt(step, position, variable.slots)
    position += variable.slots
    return words === undefined ? { variable, within, unknown: UNSHAPED } : { variable, within, words, step }
  })
}

function inLegacy(activations: Activations, running: RunningStatement): readonly FoundLocal[] {
  const { declared, base, now: visit, step } = running
  const { activation, statement } = visit
  const contract = activation.frame.mapped?.contract
  const shapes = contract === undefined ? [] : stackShapes(declared, statement, contract)
  const height = activations.recording.heightAt(visit.step)
  const exact = shapes.find(({ words }) => base + words === height)
  // The first operand may be on the stack already, because a constant has the place of its declaration.
  const shape = exact ?? (shapes.length === 1 ? shapes[0] : undefined)
  if (shape === undefined) return all(declared, statement, UNSHAPED)
  const last = lastOf(activations, visit, step)
  return shape.variables.map(({ variable, within, offset }): FoundLocal => {
    const words = activations.recording.wordsAt(last, base + offset, variable.slots) ?? firstWords(variable)
    return words === undefined
      ? { variable, within, unknown: UNSHAPED }
      : { variable, within, words, step: last }
  })
}

/**
 * The last step at which the visited statement has its variables: the code at the end of a function or block moves them. Inside a
 * function that the statement calls, it is the step of the call.
 */
function lastOf(activations: Activations, visit: Visit, step: number): number {
  const { activation, statement } = visit
  const belongs = (at: number): boolean =>
    activations.at(at) === activation &&
    activations.recording.frameAt(at) === activation.frame &&
    activations.statementAt(at) === statement
  let at = step
  while (at > visit.step && !belongs(at)) at--
  const isNext = at < step && activations.recording.frameAt(at + 1) === activation.frame
  return isNext ? at + 1 : at
}

function inOptimized(activations: Activations, running: RunningStatement): readonly FoundLocal[] {
  const { declared, now: visit } = running
  const { activation, statement } = visit
  const contract = activation.frame.mapped?.contract
  const [shape, alternative] = contract === undefined ? [] : stackShapes(declared, statement, contract)
  if (shape === undefined || alternative !== undefined) return all(declared, statement, OPTIMIZED)
  const rearranged = new RearrangedVariables(activations, running)
  return shape.variables.map(({ variable, within }): FoundLocal => {
    const words = rearranged.wordsOf(variable, visit)
    return words === undefined ? { variable, within, unknown: OPTIMIZED } : { variable, within, ...words }
  })
}

const all = (
  declared: DebugFunction,
  { scope, within }: DebugStatement,
  unknown: string,
): readonly FoundLocal[] => [
  ...[...declared.parameters, ...declared.returns].map((variable) => ({
    variable,
    within: declared,
    unknown,
  })),
  ...scope.map((variable) => ({ variable, within, unknown })),
]

const UNKNOWN = 'the IR pipeline of solc keeps no place for it'

type Words = readonly bigint[] | undefined

function irVariables(activations: Activations, visit: Visit): readonly FoundLocal[] {
  const { activation, statement: current, step } = visit
  const { within, scope } = current
  const entry =
    activation.declared === within ? entryWords(activations.recording, activation, within) : undefined
  /** A variable's words when a statement begins that has run or runs now. */
  const wordsOf = (variable: DeclaredVariable, at: DebugStatement): Words => {
    const assigning = at.within.statements.filter((assignment) => assignsIn(assignment, variable))
    const computing = assigning.filter((assignment) => assignedBy(assignment, variable) !== undefined)
    const visited = activation.visits.findLast(
      (visit) =>
        visit.step < step &&
        computing.includes(visit.statement) &&
        (at === current || visit.statement.order < at.order),
    )
    let copy: DebugStatement | undefined
    for (const assignment of assigning) {
      if (
        computing.includes(assignment) ||
        !mayHaveRun(assignment, at) ||
        isReplaced(assignment, visited?.statement)
      )
        continue
      // A copy has no own instruction, so it is unknown whether a branch or loop has run it.
      const isSure = assignment.loops.length === 0 && containsRange(assignment.block, at.range)
      if (!isSure) return undefined
      copy = assignment
    }
    if (copy !== undefined) {
      const from = copy
      const word = wordAfter(from, variable, (statement) => wordsOf(statement, from))
      return word === undefined ? undefined : [word]
    }
    return visited === undefined ? entry?.get(variable) : assignedWord(activations, variable, visited)
  }
  return [...within.parameters, ...within.returns, ...scope].map((variable): FoundLocal => {
    const words = wordsOf(variable, current)
    return words === undefined ? { variable, within, unknown: UNKNOWN } : { variable, within, words, step }
  })
}

/** Words of parameters and return variables when a function begins. The first parameter is on top. */
function entryWords(
  recording: Recording,
  { entered }: Activation,
  declared: DebugFunction,
): Map<DeclaredVariable, readonly bigint[]> {
  const words = new Map<DeclaredVariable, readonly bigint[]>()
  // A modifier gets its function's parameters instead of its own.
  if (declared.kind === 'modifier') return words
  let position = recording.heightAt(entered)
  const { parameters, returns } = declared
  // The body of a function with modifiers is a separate function, which gets the return variables too.
  const isInner = listAt(declared.node, 'modifiers').length > 0 && declared.kind !== 'constructor'
  for (const variable of [...(isInner ? returns : []), ...parameters]) {
    position -= variable.slots
    const initial = recording.wordsAt(entered, position, variable.slots)
    if (initial !== undefined) words.set(variable, initial.toReversed())
  }
  for (const variable of returns)
    if (!isInner && variable.location === 'default' && variable.slots === 1) words.set(variable, [0n])
  return words
}

/** Whether a statement may have run before another one of its function. */
const mayHaveRun = (statement: DebugStatement, at: DebugStatement): boolean =>
  statement.order < at.order || isInLoopOf(statement, at)

/** Whether a later statement certainly ran after another one. */
const isReplaced = (statement: DebugStatement, later: DebugStatement | undefined): boolean =>
  later !== undefined && later.order > statement.order && !isInLoopOf(statement, later)

/** The expressions whose result a statement assigns to a variable; undefined if it assigns it in another way. */
function assignedBy(
  statement: DebugStatement,
  variable: DeclaredVariable,
): readonly SourceRange[] | undefined {
  if (variable.slots !== 1 || !isUsed(statement.within, variable)) return undefined
  const { target, value, whole, operator } = assignmentIn(statement)
  if (whole === undefined || (target !== undefined && !isTarget(target, variable))) return undefined
  if (value !== undefined && assigns(value, variable)) return undefined
  if (operator !== '=') return operator === 'delete' ? undefined : [rangeOf(whole)]
  return isComputed(value) ? [rangeOf(value), rangeOf(whole)] : undefined
}

/** Whether a variable is used, because solc omits the last instruction of an unused value. */
const isUsed = (within: DebugFunction, { id, kind }: DeclaredVariable): boolean =>
  kind === 'return' || usedIn(within).has(id)

/** The variables that a function uses, without those named only in values of unused ones. */
const usedIn = oncePer(({ node }: DebugFunction): ReadonlySet<number | undefined> => {
  const nodes = nodesIn(node)
  const names = nodes.filter(({ nodeType }) => nodeType === 'Identifier')
  const declarations = nodes.filter(({ nodeType }) => nodeType === 'VariableDeclarationStatement')
  const used = new Set<number | undefined>()
  let count: number
  do {
    count = used.size
    for (const name of names) {
      const around = declarations.find((declaration) => containsRange(rangeOf(declaration), rangeOf(name)))
      const declared = around === undefined ? [] : listAt(around, 'declarations')
      if (around === undefined || declared.some((variable) => used.has(numberAt(variable, 'id'))))
        used.add(numberAt(name, 'referencedDeclaration'))
    }
  } while (used.size > count)
  return used
})

/** Expressions whose last instruction produces their result. Names and numbers have none. */
const COMPUTED: ReadonlySet<string> = new Set(['BinaryOperation', 'FunctionCall', 'IndexAccess'])

function isComputed(value: AstNode | undefined): value is AstNode {
  if (value === undefined || !COMPUTED.has(value.nodeType)) return false
  if (nodesIn(value).some(({ nodeType }) => nodeType === 'NewExpression')) return false
  const operator = textAt(value, 'operator')
  // These have branches or are computed by the compiler.
  if (operator === '&&' || operator === '||' || value['isPure'] === true) return false
  if (value.nodeType === 'FunctionCall') return RETURNING.test(typeOf(childAt(value, 'expression')))
  return !TWO_WORDS.test(typeOf(childAt(value, 'baseExpression')))
}

/** Types of functions that end with their result. Others then write what they have allocated, or check what they have called. */
const RETURNING = /^t_function_(internal|external|delegatecall|keccak256|sha256|ecrecover|abidecode)_/

const TWO_WORDS = /^t_(array\$.*|bytes)_storage(_ptr)?$/

function assignedWord(activations: Activations, variable: DeclaredVariable, visit: Visit): Words {
  const { activation, statement, step } = visit
  const { recording } = activations
  const ranges = assignedBy(statement, variable)
  if (ranges === undefined) return undefined
  const { frame } = activation
  const end = Math.min(activations.nextVisit(activation, step)?.step ?? activation.left, frame.end)
  let word: bigint | undefined
  for (let at = step; at < end; at++) {
    if (activations.at(at) !== activation || recording.frameAt(at) !== frame) continue
    const range = frame.mapped?.sourceAt(recording.pcAt(at))?.range
    if (range === undefined || !ranges.some((wanted) => isSameRange(wanted, range))) continue
    const result = resultAt(recording, at)
    if (result !== undefined) word = result
  }
  return word === undefined ? undefined : [word]
}

/** The result of an instruction: on top of the stack after it, or where a function returns. */
function resultAt(recording: Recording, step: number): bigint | undefined {
  const opcode = recording.opcodeAt(step)
  if (opcode === JUMPDEST)
    return step > 0 && recording.opcodeAt(step - 1) === JUMP ? recording.topAt(step)?.word : undefined
  const isComputing =
    (opcode >= 0x01 && opcode <= 0x20) || opcode === 0x35 || opcode === 0x51 || opcode === 0x54
  return isComputing ? recording.topAt(step + 1)?.word : undefined
}
