/** Every method of the node. */

import { Registry } from '../registry.ts'
import { ethAccountMethods } from './eth-accounts.ts'
import { ethBlockMethods } from './eth-blocks.ts'
import { ethCallMethods } from './eth-call.ts'
import { ethChainMethods } from './eth-chain.ts'
import { ethFilterMethods } from './eth-filters.ts'
import { ethSendMethods } from './eth-send.ts'
import { ethStateMethods } from './eth-state.ts'
import { ethTransactionMethods } from './eth-transactions.ts'
import { evmMethods } from './evm.ts'
import { netMethods } from './net.ts'
import { personalMethods } from './personal.ts'
import { personalSignMethods } from './personal-sign.ts'
import { rpcMethods } from './rpc.ts'
import { web3Methods } from './web3.ts'

/** The registry of all methods. */
export const allMethods = new Registry([
  ...web3Methods,
  ...netMethods,
  ...rpcMethods,
  ...ethChainMethods,
  ...ethAccountMethods,
  ...ethStateMethods,
  ...ethBlockMethods,
  ...ethTransactionMethods,
  ...ethCallMethods,
  ...ethSendMethods,
  ...ethFilterMethods,
  ...evmMethods,
  ...personalMethods,
  ...personalSignMethods,
])
