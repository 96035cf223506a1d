/** Every method of the Bridge: the declarations of method-table.ts with their functions. */

import { NEUTRAL_NAMES, filled, type NetworkNames } from '../../../config/names.ts'
import { eventMethods } from './event-methods.ts'
import { federationMethods } from './federation-methods.ts'
import { federationVotes } from './federation-votes.ts'
import { governanceMethods } from './governance-methods.ts'
import { headerMethods } from './header-methods.ts'
import { bridgeMethod, type BridgeHandlers, type BridgeMethod } from './method.ts'
import { METHOD_TABLE, type BridgeMethodName } from './method-table.ts'
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
  ...eventMethods,
}

const isMethod = (name: string): name is BridgeMethodName => name in METHOD_TABLE

export const bridgeMethods = (names: NetworkNames): readonly BridgeMethod[] =>
  Object.keys(METHOD_TABLE)
    .filter(isMethod)
    .map((name) => methodOf(name, names))

const methodOf = <Name extends BridgeMethodName>(name: Name, names: NetworkNames): BridgeMethod =>
  bridgeMethod(filled(name, names), METHOD_TABLE[name], HANDLERS[name])

/** The methods with the default names. */
export const BRIDGE_METHODS = bridgeMethods(NEUTRAL_NAMES)
