/** Every method of the node: all methods that the files of this folder export. */

import type { Method } from '../method.ts'
import { Registry } from '../registry.ts'
import * as accountEdits from './account-edits.ts'
import * as addressTransactions from './address-transactions.ts'
import * as blockSettings from './block-settings.ts'
import * as bridge from './bridge.ts'
import * as contracts from './contracts.ts'
import * as debug from './debug.ts'
import * as debugState from './debug-state.ts'
import * as ethBlocks from './eth-blocks.ts'
import * as ethCall from './eth-call.ts'
import * as ethChain from './eth-chain.ts'
import * as ethFees from './eth-fees.ts'
import * as ethFilters from './eth-filters.ts'
import * as ethSend from './eth-send.ts'
import * as ethSendSync from './eth-send-sync.ts'
import * as ethSimulate from './eth-simulate.ts'
import * as ethState from './eth-state.ts'
import * as ethSubscriptions from './eth-subscriptions.ts'
import * as ethTransactions from './eth-transactions.ts'
import * as evm from './evm.ts'
import * as evmSnapshots from './evm-snapshots.ts'
import * as explain from './explain.ts'
import * as identity from './identity.ts'
import * as impersonation from './impersonation.ts'
import * as miningControls from './mining-controls.ts'
import * as miningWork from './mining-work.ts'
import * as node from './node.ts'
import * as nodeState from './node-state.ts'
import * as ots from './ots.ts'
import * as personal from './personal.ts'
import * as reorganizations from './reorganizations.ts'
import * as reports from './reports.ts'
import * as signing from './signing.ts'
import * as trace from './trace.ts'
import * as txpool from './txpool.ts'
import * as worlds from './worlds.ts'

const files = [
  accountEdits,
  addressTransactions,
  blockSettings,
  bridge,
  contracts,
  debug,
  debugState,
  ethBlocks,
  ethCall,
  ethChain,
  ethFees,
  ethFilters,
  ethSend,
  ethSendSync,
  ethSimulate,
  ethState,
  ethSubscriptions,
  ethTransactions,
  evm,
  evmSnapshots,
  explain,
  identity,
  impersonation,
  miningControls,
  miningWork,
  node,
  nodeState,
  ots,
  personal,
  reorganizations,
  reports,
  signing,
  trace,
  txpool,
  worlds,
]

const isMethod = (exported: unknown): exported is Method =>
  typeof exported === 'object' && exported !== null && 'prepare' in exported

/** The registry of all methods. */
export const allMethods = new Registry(
  files.flatMap((file) => Object.values<unknown>(file).flat().filter(isMethod)),
)
