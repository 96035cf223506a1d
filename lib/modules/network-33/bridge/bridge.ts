/**
 * The Bridge: the precompile that moves coins between the auxiliary chain and this chain (node-chain 10.3). The auxiliary
 * chain is a chain whose miners mine this chain too; its coins are unspent outputs with scripts. This file selects
 * the method of a call, computes its gas and checks the kind of call. Terms: a peg-in releases coins on this chain that were
 * paid to the federation on the auxiliary chain; a peg-out pays coins on the auxiliary chain that were sent to the Bridge.
 * The federation is the group of signers whose multisig address holds the coins on the auxiliary chain. Authorizers are
 * accounts that vote on a new federation and on the fee, or that set the locking cap: the maximum amount of coins in
 * circulation outside of the Bridge. The union contract is a contract that may borrow coins from the Bridge.
 */

import { AbiError } from '../../../abi/codec.ts'
import { SELECTOR_LENGTH } from '../../../abi/selector.ts'
import { toHex, EMPTY_BYTES, type Hex } from '../../../base/hex.ts'
import { NotLoadedError } from '../../../base/routine.ts'
import { NEUTRAL_NAMES, filled, type NetworkNames } from '../../../config/names.ts'
import { PrecompileFailure, type Precompile, type PrecompileCall } from '../../../evm/precompile.ts'
import type { StateRoot } from '../../../state/state-root.ts'
import { State } from '../../../state/state.ts'
import { precompileMethod, type PrecompileMethod } from '../precompiles/methods.ts'
import { isFreeBridgeCall } from '../rules.ts'
import { BridgeCall, bridgeStorageOf, remoteBridge, type BridgeHandlers } from './bridge-call.ts'
import { bytesOf, listOf, type BridgeStorage } from './bridge-storage.ts'
import { BRIDGE_ADDRESS } from './constants.ts'
import { federationMethods, federationVotes } from './federation-methods.ts'
import { isMember, GENESIS_FEDERATION, type Federation } from './federation.ts'
import { governanceMethods, whitelistMethods } from './governance-methods.ts'
import { HeaderChain } from './header-chain.ts'
import { headerMethods } from './header-methods.ts'
import {
  METHOD_TABLE,
  type AnyDeclaration,
  type BridgeDeclaration,
  type BridgeMethodName,
  type InputsOf,
  type OutputOf,
} from './method-table.ts'
import { peginMethods } from './pegin-methods.ts'
import { pegoutMethods } from './pegout-methods.ts'
import { signingBatches } from './pegout-state.ts'
import { stateMethods } from './state-methods.ts'
import { unionMethods } from './union-methods.ts'

/** Selector of a call without data: `releaseAux`. */
const RELEASE: Hex = '0x80af2871'

/** Gas of a call whose method or arguments cannot be read. Its data is free. */
const UNREADABLE_GAS = 23_000

const DATA_GAS = 2

type Methods = ReadonlyMap<Hex, BridgeMethod>

const HANDLERS: BridgeHandlers = {
  ...headerMethods,
  ...peginMethods,
  ...pegoutMethods,
  ...stateMethods,
  ...governanceMethods,
  ...whitelistMethods,
  ...federationMethods,
  ...federationVotes,
  ...unionMethods,
}

/** A method, with a network's names in its name and signature. Its gas does not include the data. */
export type BridgeMethod = PrecompileMethod<BridgeCall> & Pick<AnyDeclaration, 'use'>

const isMethod = (name: string): name is BridgeMethodName => name in METHOD_TABLE

export const bridgeMethods = (names: NetworkNames): readonly BridgeMethod[] =>
  Object.keys(METHOD_TABLE)
    .filter(isMethod)
    .map((name) => methodOf(name, names))

function methodOf<Name extends BridgeMethodName>(name: Name, names: NetworkNames): BridgeMethod {
  const { gas, use, ...declaration }: BridgeDeclaration<InputsOf<Name>, OutputOf<Name>> = METHOD_TABLE[name]
  const method = precompileMethod<InputsOf<Name>, OutputOf<Name>, BridgeCall>({
    ...declaration,
    name: filled(name, names),
    gas: (args, { storage }) => (typeof gas === 'number' ? gas : gas(args, storage)),
    run: (args, bridge) => HANDLERS[name](bridge, args),
  })
  return { ...method, use }
}

export const BRIDGE_METHODS = bridgeMethods(NEUTRAL_NAMES)

/** The precompile, which holds all coins that are not in circulation. `federation` is active until another one takes over. */
export function bridgeOf(names: NetworkNames, federation: Federation): Precompile {
  const methods: Methods = new Map(bridgeMethods(names).map((method) => [method.selector, method]))
  return {
    address: BRIDGE_ADDRESS,
    name: 'bridge',
    gas: (call) => {
      if (call.depth === 0 && isFreeBridgeCall(call.caller, BRIDGE_ADDRESS)) return 0
      return gasOf(new BridgeCall(call, federation), methods)
    },
    run: (call) => {
      if (call.kind === 'delegatecall' || call.kind === 'callcode') {
        throw failure(`${call.kind.toUpperCase()} is not supported`)
      }
      const scripted = scriptedResponse(bridgeStorageOf(call.state), selectorOf(call))
      if (scripted === undefined) return runMethod(new BridgeCall(call, federation), methods)
      const { isRevert, data } = scripted
      if (isRevert) throw new PrecompileFailure('scripted revert', { data })
      return data
    },
  }
}

/** The precompile with the default names, and the federation of the newest release. */
export const bridge = bridgeOf(NEUTRAL_NAMES, GENESIS_FEDERATION)

const selectorOf = ({ input }: PrecompileCall): Hex =>
  input.length === 0 ? RELEASE : toHex(input.subarray(0, SELECTOR_LENGTH))

const argumentsOf = ({ input }: PrecompileCall): Uint8Array => input.subarray(SELECTOR_LENGTH)

function gasOf(bridge: BridgeCall, methods: Methods): number {
  const { call } = bridge
  const method = methods.get(selectorOf(call))
  if (method === undefined) return UNREADABLE_GAS
  try {
    return method.bind(argumentsOf(call), bridge).gas() + DATA_GAS * call.input.length
  } catch (error) {
    if (error instanceof AbiError) return UNREADABLE_GAS
    throw error
  }
}

function runMethod(bridge: BridgeCall, methods: Methods): Uint8Array {
  const { call } = bridge
  const method = methods.get(selectorOf(call))
  if (method === undefined) throw invalidData(call)
  if (method.use === 'ethCallOnly' && !call.isSimulated)
    throw failure(`${method.signature} is for local calls only`)
  if (method.mutability !== 'view' && (call.isStatic || call.kind === 'staticcall')) {
    throw failure(`${method.signature} cannot be reached by STATICCALL`)
  }
  if (method.use === 'membersOnly' && !isMember(call.caller, bridge.members)) {
    throw failure(`${call.caller} is not a member of the federation, which alone calls ${method.signature}`)
  }
  try {
    const run = () => method.bind(argumentsOf(call), bridge).run()
    return method.mutability === 'view' ? viewOfRemote(bridge, run) : run()
  } catch (error) {
    if (error instanceof AbiError) throw invalidData(call, `: ${method.signature}: ${error.message}`)
    if (error instanceof PrecompileFailure) throw failure(`${method.name}: ${error.message}`)
    throw error
  }
}

const failure = (message: string): PrecompileFailure =>
  new PrecompileFailure(`Exception executing bridge: ${message}`)

const invalidData = ({ input }: PrecompileCall, why = '.'): PrecompileFailure =>
  failure(`Invalid data given: ${toHex(input).slice(2)}${why}`)

/**
 * The result of a view. On a fork, values that are constants here, such as the federation, come from the remote. @throws
 * NotLoadedError; PrecompileFailure if the call fails on the remote
 */
function viewOfRemote({ call, storage }: BridgeCall, run: () => Uint8Array): Uint8Array {
  const { input, state } = call
  const callPrecompile = state.source?.callPrecompile
  if (callPrecompile === undefined) return run()
  // Without changes here, what the view would read need not be loaded.
  if (state.hasStorage(BRIDGE_ADDRESS)) {
    try {
      const result = run()
      if (storage.hasReadOwn) return result
    } catch (error) {
      if (storage.hasReadOwn || error instanceof NotLoadedError) throw error
    }
  }
  const answer = callPrecompile(BRIDGE_ADDRESS, input)
  if (answer === undefined) throw new PrecompileFailure('the call fails on the remote')
  return answer
}

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

function scriptedResponse(storage: BridgeStorage, selector: Hex): ScriptedResponse | undefined {
  const record = storage.record(nameOfResponse(selector))
  if (record === undefined) return undefined
  const [kind, data] = listOf(record).map(bytesOf)
  return { isRevert: kind?.[0] === 1, data: bytesOf(data) }
}

export function scriptBridge(state: State, selector: Hex, response: ScriptedResponse | undefined): void {
  bridgeStorageOf(state).putRecord(
    nameOfResponse(selector),
    response && [response.isRevert ? Uint8Array.of(1) : EMPTY_BYTES, response.data],
  )
}
