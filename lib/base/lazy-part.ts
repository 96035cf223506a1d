/** Loads parts of the program when they are first needed. */

import { NodeError } from './errors.ts'

/**
 * Returns a function that loads a module, or a value made from it, once. After a failure, the next call tries again. The
 * returned function rejects with NodeError 'internal', which names the module.
 */
export function lazyPart<Part>(name: string, load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined
      const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)
      const advice = 'was the package reinstalled? restart the node'
      const message = `part ${name} of dev-node could not be loaded: ${reason}; ${advice}`
      throw new NodeError('internal', message, { cause })
    })
    return loading
  }
}
