/** Runs the code of one transaction, outermost frame to last return. Fees, nonces and deletions are the transaction layer's. */

import { InvariantError } from '../../base/invariant.ts'
import type { ExecutionContext, ExecutionResult, OutermostMessage } from './execution.ts'

/** One execution. */
export class Machine {
  readonly context: ExecutionContext

  constructor(context: ExecutionContext) {
    this.context = context
  }

  /** Begins the outermost call or creation. */
  start(_message: OutermostMessage): void {
    throw new InvariantError('the machine is being built')
  }

  /** Runs until the end, or until an observer asks for a pause: then answers its promise; call `run` again after it. */
  run(): Promise<void> | undefined {
    throw new InvariantError('the machine is being built')
  }

  /** What became of it; after the end. */
  get result(): ExecutionResult {
    throw new InvariantError('the machine is being built')
  }
}
