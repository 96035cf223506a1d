/**
 * Values of variables in code of the IR pipeline without optimizer. It keeps no variable in a fixed place, but the result of each
 * expression is on top of the stack when its last instruction has run, and parameters are there when a function is entered.
 */

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
} from '../../insight/artifacts/ast-node.ts'
import type { AstNode } from '../../insight/artifacts/ast-node.ts'
import { JUMP, JUMPDEST, type SourceRange } from '../../insight/artifacts/source-map.ts'
import { oncePer } from '../../base/once.ts'
import type { Activation, Visit } from './activation.ts'
import type { Activations } from './activations.ts'
import { assignmentIn, assigns, assignsIn, isTarget, wordAfter } from './assignments.ts'
import {
  isInLoopOf,
  type DebugFunction,
  type DebugStatement,
  type DeclaredVariable,
  type FoundLocal,
} from './debug-function.ts'
import type { Recording } from './recording.ts'

const UNKNOWN = 'the IR pipeline of solc keeps no place for it'

type Words = readonly bigint[] | undefined

/** The variables of a function at a visit. */
export function irVariables(activations: Activations, visit: Visit): readonly FoundLocal[] {
  const { activation, statement: current, step } = visit
  const { within, scope } = current
  const entry =
    activation.declared === within ? entryWords(activations.recording, activation, within) : undefined
  /** The words of a variable when a statement begins that has run, or runs now. */
  const wordsOf = (variable: DeclaredVariable, at: DebugStatement): Words => {
    const assigning = at.within.statements.filter((one) => assignsIn(one, variable))
    const computing = assigning.filter((one) => assignedBy(one, variable) !== undefined)
    const visited = activation.visits.findLast(
      (one) =>
        one.step < step &&
        computing.includes(one.statement) &&
        (at === current || one.statement.order < at.order),
    )
    let copy: DebugStatement | undefined
    for (const one of assigning) {
      if (computing.includes(one) || !mayHaveRun(one, at) || isReplaced(one, visited?.statement)) continue
      // A copy has no instruction of its own, so that it is not known whether a branch or a loop has run it.
      const isSure = one.loops.length === 0 && containsRange(one.block, at.range)
      if (!isSure) return undefined
      copy = one
    }
    if (copy !== undefined) {
      const from = copy
      const word = wordAfter(from, variable, (one) => wordsOf(one, from))
      return word === undefined ? undefined : [word]
    }
    return visited === undefined ? entry?.get(variable) : assignedWord(activations, variable, visited)
  }
  return [...within.parameters, ...within.returns, ...scope].map((variable): FoundLocal => {
    const words = wordsOf(variable, current)
    return words === undefined ? { variable, within, unknown: UNKNOWN } : { variable, within, words, step }
  })
}

/** Words of parameters and return variables when a function begins: the first parameter is on top. */
function entryWords(
  recording: Recording,
  { entered }: Activation,
  one: DebugFunction,
): Map<DeclaredVariable, readonly bigint[]> {
  const words = new Map<DeclaredVariable, readonly bigint[]>()
  // A modifier gets the parameters of its function instead of its own.
  if (one.kind === 'modifier') return words
  let position = recording.heightAt(entered)
  const { parameters, returns } = one
  // The body of a function with modifiers is a function of its own, which gets the return variables too.
  const isInner = listAt(one.node, 'modifiers').length > 0 && one.kind !== 'constructor'
  for (const variable of [...(isInner ? returns : []), ...parameters]) {
    position -= variable.slots
    const found = recording.wordsAt(entered, position, variable.slots)
    if (found !== undefined) words.set(variable, found.toReversed())
  }
  for (const variable of returns)
    if (!isInner && variable.location === 'default' && variable.slots === 1) words.set(variable, [0n])
  return words
}

/** Whether a statement can have run before another one of its function. */
const mayHaveRun = (one: DebugStatement, at: DebugStatement): boolean =>
  one.order < at.order || isInLoopOf(one, at)

/** Whether a later statement has run in any case after another one. */
const isReplaced = (one: DebugStatement, later: DebugStatement | undefined): boolean =>
  later !== undefined && later.order > one.order && !isInLoopOf(one, later)

/** The expressions with the result that a statement assigns to a variable, and nothing else to it; undefined for other ways. */
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

/** Whether a variable is used: solc leaves out the last instruction of a value that nothing uses. */
const isUsed = (within: DebugFunction, { id, kind }: DeclaredVariable): boolean =>
  kind === 'return' || usedIn(within).has(id)

/** The variables that a function names, but for those named only by the values of other unused ones. */
const usedIn = oncePer(({ node }: DebugFunction): ReadonlySet<number | undefined> => {
  const nodes = nodesIn(node)
  const names = nodes.filter(({ nodeType }) => nodeType === 'Identifier')
  const declarations = nodes.filter(({ nodeType }) => nodeType === 'VariableDeclarationStatement')
  const used = new Set<number | undefined>()
  let known: number
  do {
    known = used.size
    for (const name of names) {
      const around = declarations.find((one) => containsRange(rangeOf(one), rangeOf(name)))
      const declared = around === undefined ? [] : listAt(around, 'declarations')
      if (around === undefined || declared.some((one) => used.has(numberAt(one, 'id'))))
        used.add(numberAt(name, 'referencedDeclaration'))
    }
  } while (used.size > known)
  return used
})

/** Expressions whose last instruction has their result: names and numbers have none of their own. */
const COMPUTED: ReadonlySet<string> = new Set(['BinaryOperation', 'FunctionCall', 'IndexAccess'])

function isComputed(value: AstNode | undefined): value is AstNode {
  if (value === undefined || !COMPUTED.has(value.nodeType)) return false
  if (nodesIn(value).some(({ nodeType }) => nodeType === 'NewExpression')) return false
  const operator = textAt(value, 'operator')
  // These have branches, or are computed by the compiler.
  if (operator === '&&' || operator === '||' || value['isPure'] === true) return false
  if (value.nodeType === 'FunctionCall') return RETURNING.test(typeOf(childAt(value, 'expression')))
  return !TWO_WORDS.test(typeOf(childAt(value, 'baseExpression')))
}

/** Types of functions that end with their result: others write what they have allocated, or check what they have called. */
const RETURNING = /^t_function_(internal|external|delegatecall|keccak256|sha256|ecrecover|abidecode)_/

/** Types whose items have a slot and an offset in it. */
const TWO_WORDS = /^t_(array\$.*|bytes)_storage(_ptr)?$/

/** The word that a visit assigns to a variable. */
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
    if (range === undefined || !ranges.some((one) => isSameRange(one, range))) continue
    const found = resultAt(recording, at)
    if (found !== undefined) word = found
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
