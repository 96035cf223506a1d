/**
 * Values of the Bridge of a remote chain, in the form in which this node stores its own (bridge-storage.ts). The remote keeps them in
 * slots of another layout, so they are read by the methods of its Bridge. Terms: bridge.ts.
 */

import { ZERO_ADDRESS, bigIntToBytes, fromHex } from '../../../base/hex.ts'
import { decodeAbi } from '../../../abi/codec.ts'
import type { State } from '../../../state/state.ts'
import { BridgeStorage } from './bridge-storage.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import { METHOD_TABLE, type BridgeMethodName, type OutputOf } from './method-table.ts'

/** The result of a method without inputs on the remote; absent if the call fails there. @throws NotLoadedError */
type AskRemote = <Name extends BridgeMethodName>(method: Name) => OutputOf<Name> | undefined

const numberBytes = (value: bigint | undefined): Uint8Array | undefined =>
  value === undefined ? undefined : bigIntToBytes(value)

const someBytes = (value: Uint8Array | undefined): Uint8Array | undefined =>
  value?.length === 0 ? undefined : value

/** The value of a name on the remote. What no single method returns begins empty on the fork. @throws NotLoadedError */
function remoteValue(name: string, ask: AskRemote): Uint8Array | undefined {
  switch (name) {
    case 'feePerKb':
      return numberBytes(ask('getFeePerKb'))
    case 'lockingCap':
      return numberBytes(ask('getLockingCap'))
    case 'union/cap':
      return numberBytes(ask('getUnionBridgeLockingCap'))
    case 'union/address': {
      const contract = ask('getUnionBridgeContractAddress') ?? ZERO_ADDRESS
      return contract === ZERO_ADDRESS ? undefined : fromHex(contract)
    }
    case 'event/base':
      return someBytes(ask('getBaseEvent'))
    case 'event/super':
      return someBytes(ask('getSuperEvent'))
    default:
      return undefined
  }
}

type BridgeState = Pick<State, 'storage' | 'putStorage' | 'source'>

/** Asks the Bridge of the remote; absent unless the state is that of a fork whose remote uses other slots. */
export function remoteBridge({ source }: Pick<State, 'source'>): AskRemote | undefined {
  const call = source?.callPrecompile
  if (call === undefined) return undefined
  return (method) => {
    const { selector, output } = METHOD_TABLE[method]
    const result = call(BRIDGE_ADDRESS, fromHex(selector))
    return result === undefined || result.length === 0 ? undefined : decodeAbi([output], result)[0]
  }
}

/** Reads and sets values of the Bridge; on a fork, values that are not set here are the remote's. */
export function bridgeStorageOf(state: BridgeState): BridgeStorage {
  const ask = remoteBridge(state)
  return new BridgeStorage(state, ask && ((name) => remoteValue(name, ask)))
}
