/** Answers views of the Bridge of a fork: as the remote does, until they read what was changed here. Terms: bridge.ts. */

import { NotLoadedError } from '../../../../base/not-loaded.ts'
import { PrecompileFailure } from '../../precompile.ts'
import type { BridgeCall } from './bridge-call.ts'
import { BRIDGE_ADDRESS } from './constants.ts'

/**
 * The result of a view. Also what this node keeps constant, such as the federation, is then that of the remote.
 * @throws NotLoadedError; PrecompileFailure if the call fails on the remote
 */
export function viewOfRemote({ call, storage }: BridgeCall, run: () => Uint8Array): Uint8Array {
  const { input, state } = call
  const callPrecompile = state.source?.callPrecompile
  if (callPrecompile === undefined) return run()
  // Without changes here, what the view would read need not be loaded.
  if (state.hasStorage(BRIDGE_ADDRESS)) {
    const outcome = outcomeOf(run)
    if (storage.hasReadOwn) return outcome()
  }
  const answer = callPrecompile(BRIDGE_ADDRESS, input)
  if (answer === undefined) throw new PrecompileFailure('the call fails on the remote')
  return answer
}

/** The result of a function, or its error, to be used later. @throws NotLoadedError */
function outcomeOf<Result>(run: () => Result): () => Result {
  try {
    const result = run()
    return () => result
  } catch (error) {
    if (error instanceof NotLoadedError) throw error
    return () => {
      throw error
    }
  }
}
