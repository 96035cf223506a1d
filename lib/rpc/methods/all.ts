/** Every method of the node: all methods that the files of this folder export. */

import type { Method } from '../method.ts'
import { Registry } from '../registry.ts'
import * as accountEdit from './account-edits.ts'
import * as addressTransaction from './address-transactions.ts'
import * as blob from './blobs.ts'
import * as blockSetting from './block-settings.ts'
import * as contractContent from './contract-content.ts'
import * as contract from './contracts.ts'
import * as coverage from './coverage.ts'
import * as crossCheck from './cross-checks.ts'
import * as debugRaw from './debug-raw.ts'
import * as debugState from './debug-state.ts'
import * as debug from './debug.ts'
import * as ethAccount from './eth-accounts.ts'
import * as ethBlock from './eth-blocks.ts'
import * as ethBridge from './eth-bridge.ts'
import * as ethCallMany from './eth-call-many.ts'
import * as ethCall from './eth-call.ts'
import * as ethChain from './eth-chain.ts'
import * as ethConfig from './eth-config.ts'
import * as ethFee from './eth-fees.ts'
import * as ethFilter from './eth-filters.ts'
import * as ethSendSync from './eth-send-sync.ts'
import * as ethSend from './eth-send.ts'
import * as ethSimulate from './eth-simulate.ts'
import * as ethState from './eth-state.ts'
import * as ethSubscription from './eth-subscriptions.ts'
import * as ethTransaction from './eth-transactions.ts'
import * as ethUncle from './eth-uncles.ts'
import * as ethWork from './eth-work.ts'
import * as evmMineDetailed from './evm-mine-detailed.ts'
import * as evmSnapshot from './evm-snapshots.ts'
import * as evm from './evm.ts'
import * as explain from './explain.ts'
import * as gas from './gas.ts'
import * as identity from './identity.ts'
import * as impersonation from './impersonation.ts'
import * as memory from './memory.ts'
import * as miningControl from './mining-controls.ts'
import * as mnr from './mnr.ts'
import * as net from './net.ts'
import * as nodeBridge from './node-bridge.ts'
import * as nodeState from './node-state.ts'
import * as node from './node.ts'
import * as otsHistory from './ots-history.ts'
import * as ots from './ots.ts'
import * as personalSign from './personal-sign.ts'
import * as personal from './personal.ts'
import * as poolEdit from './pool-edits.ts'
import * as reorganization from './reorganizations.ts'
import * as request from './requests.ts'
import * as rpc from './rpc.ts'
import * as sco from './sco.ts'
import * as step from './steps.ts'
import * as tokenEdit from './token-edits.ts'
import * as trace from './trace.ts'
import * as txpool from './txpool.ts'
import * as web3 from './web3.ts'
import * as world from './worlds.ts'

const files = [
  accountEdit,
  addressTransaction,
  blob,
  blockSetting,
  contractContent,
  contract,
  coverage,
  crossCheck,
  debugRaw,
  debugState,
  debug,
  ethAccount,
  ethBlock,
  ethBridge,
  ethCallMany,
  ethCall,
  ethChain,
  ethConfig,
  ethFee,
  ethFilter,
  ethSendSync,
  ethSend,
  ethSimulate,
  ethState,
  ethSubscription,
  ethTransaction,
  ethUncle,
  ethWork,
  evmMineDetailed,
  evmSnapshot,
  evm,
  explain,
  gas,
  identity,
  impersonation,
  memory,
  miningControl,
  mnr,
  net,
  nodeBridge,
  nodeState,
  node,
  otsHistory,
  ots,
  personalSign,
  personal,
  poolEdit,
  reorganization,
  request,
  rpc,
  sco,
  step,
  tokenEdit,
  trace,
  txpool,
  web3,
  world,
]

const isMethod = (exported: unknown): exported is Method =>
  typeof exported === 'object' && exported !== null && 'prepare' in exported

/** The registry of all methods. */
export const allMethods = new Registry(
  files.flatMap((file) => Object.values<unknown>(file).flat().filter(isMethod)),
)
