/** Every method of the Bridge (node-chain 10.4). */

import type { Hex } from '../../../base/hex.ts'
import { NEUTRAL_NAMES, filled } from '../../../config/names.ts'
import type { NetworkNames } from '../../../config/names.ts'
import { eventMethods } from './event-methods.ts'
import { federationMethods } from './federation-methods.ts'
import { federationVotes } from './federation-votes.ts'
import { governanceMethods } from './governance-methods.ts'
import { headerMethods } from './header-methods.ts'
import type { BridgeMethod } from './method.ts'
import { peginMethods } from './pegin-methods.ts'
import { pegoutMethods } from './pegout-methods.ts'
import { stateMethods } from './state-methods.ts'
import { unionMethods } from './union-methods.ts'
import { whitelistMethods } from './whitelist-methods.ts'

const DECLARED: readonly BridgeMethod[] = [
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
]

/** The methods with the names of a network. */
export const bridgeMethods = (names: NetworkNames): readonly BridgeMethod[] =>
  DECLARED.map((method) => ({
    ...method,
    name: filled(method.name, names),
    signature: filled(method.signature, names),
  }))

/** The methods with the default names. */
export const BRIDGE_METHODS = bridgeMethods(NEUTRAL_NAMES)

/** Selectors of methods that were retired: they fail like any unknown one. */
export const RETIRED_SELECTORS: readonly Hex[] = [
  ...(['0xecefd339', '0x502bbbce', '0xcf4ff2d2', '0x6b89a1af', '0x492f7c44', '0x4675d6de'] as const),
]
