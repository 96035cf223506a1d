/** Loads parts of the program when they are first needed. */

import { NodeError } from './errors.ts'

/**
 * Loads a module, or a value made from it, once. A failed load is tried again at the next call. The loader throws NodeError
 * 'internal' with the name of the module.
 */
export function lazyPart<Part>(name: string, load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined
      const reason = cause instanceof Error ? cause.message : String(cause)
      const advice = 'was the package reinstalled? restart the node'
      const message = `part ${name} of dev-node could not be loaded: ${reason}; ${advice}`
      throw new NodeError('internal', message, { cause })
    })
    return loading
  }
}
