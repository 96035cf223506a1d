/** Variables as functions declare them (from the AST of solc), and the words that they have on the stack. */

import { listAt, numberAt, textAt, typeIn, type AstNode } from '../artifacts/ast-node.ts'

/** Where the data of a variable is: `default` for value types. */
export type DataLocation = 'default' | 'memory' | 'storage' | 'calldata'

/** A parameter, a return variable or a local variable. */
export interface DeclaredVariable {
  /** Undefined in inline assembly. */
  readonly id: number | undefined
  /** Empty for a parameter without a name. */
  readonly name: string
  readonly node: AstNode
  readonly location: DataLocation
  /** Number of words on the stack. */
  readonly slots: number
  readonly kind: 'parameter' | 'return' | 'local' | 'assembly'
}

/** The variables in a list of parameters. */
export const variablesIn = (
  list: AstNode | undefined,
  kind: DeclaredVariable['kind'],
): readonly DeclaredVariable[] =>
  list === undefined ? [] : listAt(list, 'parameters').map((node) => variableOf(node, kind))

export function variableOf(node: AstNode, kind: DeclaredVariable['kind']): DeclaredVariable {
  const location = textAt(node, 'storageLocation')
  return {
    id: numberAt(node, 'id'),
    name: textAt(node, 'name') ?? '',
    node,
    location:
      location === 'memory' || location === 'storage' || location === 'calldata' ? location : 'default',
    slots: slotsOf(`${typeIn(node, 'typeString')}${location === 'calldata' ? ' calldata' : ''}`),
    kind,
  }
}

/** Words on the stack: offset and length of what is dynamic in the call data, address and selector of an external function. */
const slotsOf = (type: string): number =>
  /(^bytes|^string|\[\]) calldata( slice)?$/.test(type) || /^function \(.*\).* external/.test(type) ? 2 : 1

/** A variable of inline assembly: a word. */
export const assemblyVariable = (node: AstNode): DeclaredVariable => ({
  id: undefined,
  name: textAt(node, 'name') ?? '',
  node,
  location: 'default',
  slots: 1,
  kind: 'assembly',
})
