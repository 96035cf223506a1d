/** Every method of the node. */

import { Registry } from '../registry.ts'
import { accountEditMethods } from './account-edits.ts'
import { addressTransactionMethods } from './address-transactions.ts'
import { blobMethods } from './blobs.ts'
import { blockSettingMethods } from './block-settings.ts'
import { contractContentMethods } from './contract-content.ts'
import { contractMethods } from './contracts.ts'
import { coverageMethods } from './coverage.ts'
import { crossCheckMethods } from './cross-checks.ts'
import { debugRawMethods } from './debug-raw.ts'
import { debugStateMethods } from './debug-state.ts'
import { debugMethods } from './debug.ts'
import { ethAccountMethods } from './eth-accounts.ts'
import { ethBlockMethods } from './eth-blocks.ts'
import { ethBridgeMethods } from './eth-bridge.ts'
import { ethCallMethods } from './eth-call.ts'
import { ethCallManyMethods } from './eth-call-many.ts'
import { ethChainMethods } from './eth-chain.ts'
import { ethConfigMethods } from './eth-config.ts'
import { ethFeeMethods } from './eth-fees.ts'
import { ethFilterMethods } from './eth-filters.ts'
import { ethSendSyncMethods } from './eth-send-sync.ts'
import { ethSendMethods } from './eth-send.ts'
import { ethSimulateMethods } from './eth-simulate.ts'
import { ethStateMethods } from './eth-state.ts'
import { ethSubscriptionMethods } from './eth-subscriptions.ts'
import { ethTransactionMethods } from './eth-transactions.ts'
import { ethUncleMethods } from './eth-uncles.ts'
import { ethWorkMethods } from './eth-work.ts'
import { evmMineDetailedMethods } from './evm-mine-detailed.ts'
import { evmSnapshotMethods } from './evm-snapshots.ts'
import { evmMethods } from './evm.ts'
import { explainMethods } from './explain.ts'
import { gasMethods } from './gas.ts'
import { identityMethods } from './identity.ts'
import { miningControlMethods } from './mining-controls.ts'
import { impersonationMethods } from './impersonation.ts'
import { memoryMethods } from './memory.ts'
import { mnrMethods } from './mnr.ts'
import { netMethods } from './net.ts'
import { nodeStateMethods } from './node-state.ts'
import { nodeBridgeMethods } from './node-bridge.ts'
import { nodeMethods } from './node.ts'
import { otsHistoryMethods } from './ots-history.ts'
import { otsMethods } from './ots.ts'
import { personalMethods } from './personal.ts'
import { personalSignMethods } from './personal-sign.ts'
import { poolEditMethods } from './pool-edits.ts'
import { reorganizationMethods } from './reorganizations.ts'
import { requestMethods } from './requests.ts'
import { rpcMethods } from './rpc.ts'
import { scoMethods } from './sco.ts'
import { tokenEditMethods } from './token-edits.ts'
import { stepMethods } from './steps.ts'
import { traceMethods } from './trace.ts'
import { txpoolMethods } from './txpool.ts'
import { web3Methods } from './web3.ts'
import { worldMethods } from './worlds.ts'

/** The registry of all methods. */
export const allMethods = new Registry([
  ...web3Methods,
  ...identityMethods,
  ...explainMethods,
  ...coverageMethods,
  ...crossCheckMethods,
  ...gasMethods,
  ...stepMethods,
  ...addressTransactionMethods,
  ...netMethods,
  ...rpcMethods,
  ...requestMethods,
  ...memoryMethods,
  ...ethChainMethods,
  ...ethConfigMethods,
  ...ethFeeMethods,
  ...ethAccountMethods,
  ...ethStateMethods,
  ...ethBlockMethods,
  ...ethUncleMethods,
  ...ethTransactionMethods,
  ...ethCallMethods,
  ...ethCallManyMethods,
  ...ethSimulateMethods,
  ...ethSendMethods,
  ...ethSendSyncMethods,
  ...ethFilterMethods,
  ...ethSubscriptionMethods,
  ...ethBridgeMethods,
  ...ethWorkMethods,
  ...mnrMethods,
  ...evmSnapshotMethods,
  ...evmMethods,
  ...evmMineDetailedMethods,
  ...miningControlMethods,
  ...reorganizationMethods,
  ...blockSettingMethods,
  ...accountEditMethods,
  ...tokenEditMethods,
  ...impersonationMethods,
  ...personalMethods,
  ...personalSignMethods,
  ...nodeMethods,
  ...nodeBridgeMethods,
  ...nodeStateMethods,
  ...worldMethods,
  ...contractMethods,
  ...contractContentMethods,
  ...scoMethods,
  ...txpoolMethods,
  ...poolEditMethods,
  ...blobMethods,
  ...debugMethods,
  ...debugRawMethods,
  ...debugStateMethods,
  ...traceMethods,
  ...otsMethods,
  ...otsHistoryMethods,
])
