/** Every method of the Bridge: the declarations of method-table.ts with their functions. */

import { NEUTRAL_NAMES, filled, type NetworkNames } from '../../../config/names.ts'
import { precompileMethod, type PrecompileMethod } from '../precompiles/methods.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import type { AnyDeclaration, BridgeDeclaration } from './declaration.ts'
import { federationMethods } from './federation-methods.ts'
import { federationVotes } from './federation-votes.ts'
import { governanceMethods } from './governance-methods.ts'
import { headerMethods } from './header-methods.ts'
import { METHOD_TABLE, type BridgeMethodName, type InputsOf, type OutputOf } from './method-table.ts'
import { peginMethods } from './pegin-methods.ts'
import { pegoutMethods } from './pegout-methods.ts'
import { stateMethods } from './state-methods.ts'
import { unionMethods } from './union-methods.ts'
import { whitelistMethods } from './whitelist-methods.ts'

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

/** A method, whose name and signature have the names of a network. Its gas leaves out that of the data. */
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

/** The methods with the default names. */
export const BRIDGE_METHODS = bridgeMethods(NEUTRAL_NAMES)
