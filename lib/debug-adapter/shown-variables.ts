/** Scopes and variables as editors show them. */

import type { DebugProtocol } from '@vscode/debugprotocol'
import type { DEBUG_SCOPES, DebugVariable } from '../schema/debug-results.ts'

/** A scope; it is expensive if its variables are many. */
type ShownScope = Omit<DebugProtocol.Scope, 'variablesReference'> & {
  readonly scope: (typeof DEBUG_SCOPES)[number]
}

/** The scopes of a function. */
export const SCOPES: readonly ShownScope[] = [
  { scope: 'locals', name: 'Locals', presentationHint: 'locals', expensive: false },
  { scope: 'state', name: 'State', expensive: false },
  { scope: 'message', name: 'Message', expensive: false },
  { scope: 'storage', name: 'Storage', expensive: true },
  { scope: 'memory', name: 'Memory', expensive: true },
  { scope: 'stack', name: 'Stack', expensive: true },
]

/** The value of a variable, or why it is not known. */
export const shownValue = ({ value, unknown }: DebugVariable): string =>
  unknown === undefined ? value : `not known: ${unknown}`

const NAMED_SCOPES = new Set(['locals', 'state', 'message', 'expression'])

/** The expression of a variable by its scope and names; undefined for words of the machine, and for what a function returned. */
export function expressionOf([scope = '', first = '', ...parts]: readonly string[]): string | undefined {
  if (!NAMED_SCOPES.has(scope) || (scope === 'locals' && first.includes(' '))) return undefined
  return parts.reduce((whole, part) => {
    if (/^[A-Za-z_$]/.test(part)) return `${whole}.${part}`
    return part.startsWith('[') ? whole + part : `${whole}[${part}]`
  }, first)
}
