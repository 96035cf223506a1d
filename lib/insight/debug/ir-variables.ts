/**
 * Values of variables in code of the IR pipeline without optimizer. It keeps no variable in a fixed place, but the result of each
 * expression is on top of the stack when its last instruction has run, and parameters are there when a function is entered.
 */

import { childAt, listAt, nodesIn, numberAt, rangeOf, textAt } from '../artifacts/ast-node.ts'
import type { AstNode } from '../artifacts/ast-node.ts'
import { JUMP, JUMPDEST } from '../artifacts/source-map.ts'
import type { SourceRange } from '../artifacts/source-map.ts'
import { bisect } from '../../base/bisect.ts'
import type { Activation, Activations, Visit } from './activations.ts'
import { assigns } from './assignments.ts'
import type { DeclaredVariable } from './declared-variables.ts'
import type { FoundLocal } from './found-local.ts'
import type { Recording } from './recording.ts'
import type { DebugFunction, DebugStatement } from './debug-function.ts'

const UNKNOWN = 'the IR pipeline of solc keeps no place for it'

/** The variables of a function at a visit. */
export function irVariables(
  recording: Recording,
  activations: Activations,
  visit: Visit,
): readonly FoundLocal[] {
  const { activation, statement } = visit
  const { within } = statement
  const entry =
    activation.declared === within
      ? entryWords(recording, activation, within)
      : new Map<DeclaredVariable, readonly bigint[]>()
  return [...within.parameters, ...within.returns, ...statement.scope].map((variable): FoundLocal => {
    const last = lastAssignment(variable, visit)
    const word =
      last === undefined ? entry.get(variable) : assignedWord(recording, activations, variable, last)
    return word === undefined
      ? { variable, within, unknown: UNKNOWN }
      : { variable, within, words: word, step: visit.step }
  })
}

/** Words of parameters and return variables when a function begins: the first parameter is on top. */
function entryWords(
  recording: Recording,
  { entered }: Activation,
  one: DebugFunction,
): Map<DeclaredVariable, readonly bigint[]> {
  const words = new Map<DeclaredVariable, readonly bigint[]>()
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

/** The newest visit before a visit that assigns a variable; `none` if an assignment is there that cannot be followed. */
function lastAssignment(
  variable: DeclaredVariable,
  { activation, statement, step }: Visit,
): Visit | 'none' | undefined {
  const assigning = statement.within.statements.filter((one) => isAssigning(one, variable))
  if (assigning.some((one) => resultOf(one, variable) === undefined)) return 'none'
  const found = activation.visits.findLast((one) => one.step < step && assigning.includes(one.statement))
  const isLocal = variable.kind === 'local' || variable.kind === 'assembly'
  return found ?? (isLocal ? 'none' : undefined)
}

const isAssigning = ({ node, declares }: DebugStatement, variable: DeclaredVariable): boolean =>
  declares.some((one) => one.node === variable.node) || assigns(node, variable)

/** The expression whose result a statement assigns to a variable; undefined if it is none, or if the code can lack it. */
function resultOf({ node }: DebugStatement, variable: DeclaredVariable): readonly SourceRange[] | undefined {
  if (variable.slots !== 1) return undefined
  if (node.nodeType === 'VariableDeclarationStatement') {
    const value = childAt(node, 'initialValue')
    return listAt(node, 'declarations').length === 1 && isComputed(value)
      ? [rangeOf(value), rangeOf(node)]
      : undefined
  }
  const expression = childAt(node, 'expression')
  if (node.nodeType !== 'ExpressionStatement' || expression === undefined) return undefined
  const isTarget = (target: AstNode | undefined): boolean =>
    target?.nodeType === 'Identifier' && numberAt(target, 'referencedDeclaration') === variable.id
  if (expression.nodeType === 'UnaryOperation')
    return isTarget(childAt(expression, 'subExpression')) && textAt(expression, 'operator') !== 'delete'
      ? [rangeOf(expression)]
      : undefined
  if (expression.nodeType !== 'Assignment' || !isTarget(childAt(expression, 'leftHandSide'))) return undefined
  const value = childAt(expression, 'rightHandSide')
  if (value === undefined || assigns(value, variable)) return undefined
  if (textAt(expression, 'operator') !== '=') return [rangeOf(expression)]
  return isComputed(value) ? [rangeOf(value), rangeOf(expression)] : undefined
}

/** Expressions whose last instruction has their result: names and numbers have none of their own. */
const COMPUTED: ReadonlySet<string> = new Set(['BinaryOperation', 'FunctionCall', 'IndexAccess'])

function isComputed(value: AstNode | undefined): value is AstNode {
  if (value === undefined || !COMPUTED.has(value.nodeType)) return false
  if (nodesIn(value).some(({ nodeType }) => nodeType === 'NewExpression')) return false
  const operator = textAt(value, 'operator')
  // These have branches, or are computed by the compiler.
  return (
    operator !== '&&' &&
    operator !== '||' &&
    value['isPure'] !== true &&
    textAt(value, 'kind') !== 'typeConversion'
  )
}

/** The word that a visit assigns to a variable. */
function assignedWord(
  recording: Recording,
  activations: Activations,
  variable: DeclaredVariable,
  visit: Visit | 'none',
): readonly bigint[] | undefined {
  if (visit === 'none') return undefined
  const { activation, statement, step } = visit
  const ranges = resultOf(statement, variable) ?? []
  const { frame, visits } = activation
  const next = visits[bisect(visits.length, (index) => (visits[index]?.step ?? step) <= step)]
  const end = Math.min(next?.step ?? activation.left, frame.end)
  let word: bigint | undefined
  for (let at = step; at < end; at++) {
    if (activations.at(at) !== activation || recording.frameAt(at) !== frame) continue
    const range = frame.mapped?.sourceAt(recording.pcAt(at))?.range
    if (range === undefined || !ranges.some((one) => one.start === range.start && one.end === range.end))
      continue
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
