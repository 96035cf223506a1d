/** The storage of the Bridge in a state, which may be that of a fork. */

import type { State } from '../../../../state/state.ts'
import { BridgeStorage } from './bridge-storage.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import { RemoteValues } from './remote-values.ts'

/** Reads and sets values of the Bridge; on a fork, those that are not set here are the remote's. */
export function bridgeStorageOf(state: Pick<State, 'storage' | 'putStorage' | 'source'>): BridgeStorage {
  const call = state.source?.callPrecompile
  if (call === undefined) return new BridgeStorage(state)
  return new BridgeStorage(state, new RemoteValues((data) => call(BRIDGE_ADDRESS, data)))
}
