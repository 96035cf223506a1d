/** What the debugger adds to a node and to its chains. */

import type { MethodScope } from '../../kernel/method.ts'
import type { Debuggers } from './attached-debugger.ts'
import type { Debugger } from './debugger.ts'

export interface DebugPart {
  /** Of all chains of the node. */
  readonly debuggers: Debuggers
}

export interface DebuggerPart {
  /** Records executions of the chain. It is loaded with the first of them. */
  readonly loadDebugger: () => Promise<Debugger>
}

/** A chain that can be debugged. */
export type DebuggedChain = MethodScope & DebuggerPart
