/** Access to the Bridge from outside of executions: a summary of its state, and scripted responses for tests. */

import { EMPTY_BYTES, type Hex } from '../../../base/hex.ts'
import type { NetworkNames } from '../../../config/names.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { State } from '../../../state/state.ts'
import { HeaderChain } from './header-chain.ts'
import { bridgeMethods } from './methods.ts'
import { signingBatches } from './pegout-state.ts'
import { bridgeStorageOf, remoteBridge } from './remote-values.ts'
import { bytesOf, listOf, type BridgeStorage } from './bridge-storage.ts'

/** The values of the Bridge after a block. */
export const storedAfter = (root: StateRoot): BridgeStorage => bridgeStorageOf(new State(root))

/**
 * The state of the Bridge after a block (node-chain 10.9): height of the best header of the auxiliary chain, and the transactions whose
 * peg-out batches wait for signatures, in the order of their hashes.
 */
export function bridgeSummary(root: StateRoot) {
  const state = new State(root)
  const storage = bridgeStorageOf(state)
  const own = new HeaderChain(storage).best.height
  const remote = storage.hasReadOwn ? undefined : remoteBridge(state)?.('get{Aux}BlockchainBestChainHeight')
  const awaitingSignatures = signingBatches(storage).map(({ transactionHash }) => transactionHash)
  return { bestHeight: remote ?? own, awaitingSignatures }
}

/** Selectors of the methods of the deployed contract, by signature with the names of a network. */
export const bridgeSelectors = (names: NetworkNames): ReadonlyMap<string, Hex> =>
  new Map(bridgeMethods(names).map(({ signature, selector }) => [signature, selector]))

/** A response that replaces a method: return data or revert data. */
interface ScriptedResponse {
  readonly isRevert: boolean
  readonly data: Uint8Array
}

const nameOfResponse = (selector: Hex): string => `script/${selector}`

export function scriptedResponse(storage: BridgeStorage, selector: Hex): ScriptedResponse | undefined {
  const record = storage.record(nameOfResponse(selector))
  if (record === undefined) return undefined
  const [kind, data] = listOf(record).map(bytesOf)
  return { isRevert: kind?.[0] === 1, data: bytesOf(data) }
}

/** Sets or removes the scripted response of a selector. */
export function scriptBridge(state: State, selector: Hex, response: ScriptedResponse | undefined): void {
  bridgeStorageOf(state).putRecord(
    nameOfResponse(selector),
    response && [response.isRevert ? Uint8Array.of(1) : EMPTY_BYTES, response.data],
  )
}
