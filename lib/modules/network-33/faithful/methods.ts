/** The methods of a node started with --faithful: the reference node's, with its params and results, and `dev_`. */

import type { Method } from '../../../kernel/method.ts'
import type { Front } from '../../../kernel/wire-form.ts'
import { moduleOf } from '../../../rpc/registry.ts'
import type { FaithfulChain } from './scope.ts'
import * as controls from './controls.ts'
import * as executions from './executions.ts'
import * as filters from './filters.ts'
import type { FaithfulCall } from './results.ts'
import { isKnown, readParams } from './signatures.ts'
import * as traces from './traces.ts'
import * as views from './views.ts'
import { FAITHFUL_FORM } from './wire.ts'

/** Results that differ, by neutral name. */
const CHANGED: Readonly<Partial<Record<string, (call: FaithfulCall, node: FaithfulChain) => unknown>>> = {
  eth_accounts: controls.listAccounts,
  personal_listAccounts: controls.listAccounts,
  personal_dumpRawKey: controls.withKey,
  personal_sendTransaction: controls.withKey,
  personal_importRawKey: controls.withKey,
  personal_unlockAccount: controls.lock,
  personal_lockAccount: controls.lock,
  eth_sign: controls.sign,
  eth_mining: controls.isMining,
  evm_stopMining: controls.nothing,
  evm_startMining: controls.nothing,
  evm_snapshot: controls.takeSnapshot,
  evm_revert: controls.revert,
  evm_reset: controls.reset,
  eth_call: executions.call,
  eth_estimateGas: executions.estimate,
  eth_sendTransaction: executions.send,
  eth_sendRawTransaction: executions.sendRaw,
  eth_newFilter: filters.addLogs,
  eth_newBlockFilter: filters.addBlocks,
  eth_newPendingTransactionFilter: filters.addTransactions,
  eth_getFilterChanges: filters.poll,
  eth_getFilterLogs: filters.list,
  eth_uninstallFilter: filters.remove,
  eth_getLogs: filters.getLogs,
  eth_getCode: views.code,
  eth_getBlockByHash: views.block,
  eth_getBlockByNumber: views.block,
  eth_getBlockTransactionCountByNumber: views.pendingCount,
  eth_getTransactionByHash: views.transaction,
  eth_getTransactionByBlockNumberAndIndex: views.transactionAt,
  trace_get: views.briefly,
  debug_accountTransactionQuota: views.quota,
  debug_traceTransaction: traces.transaction,
  debug_traceBlockByHash: traces.block,
  debug_traceBlockByNumber: traces.block,
  txpool_content: views.pool,
  node_getTransactionReceiptNodesByHash: views.orServerError,
  mnr_submitAuxBlock: views.submission,
  mnr_submitAuxBlockTransactions: views.submission,
  mnr_submitAuxBlockPartialMerkle: views.submission,
  sco_clearPeerScoring: views.readable,
  eth_getUncleCountByBlockHash: views.ofHash,
  eth_subscribe: views.subscription,
  eth_unsubscribe: views.subscription,
}

const needsSocket = ({ errors }: Method): boolean => errors.includes('needsSocket')

/** The same method with the reference's params and result. `name` is the neutral one. */
function faithful(name: string, method: Method<FaithfulChain>): Method<FaithfulChain> {
  const answer = CHANGED[name] ?? views.usual
  return {
    ...method,
    aliases: [],
    prepare: (given) => {
      const values: readonly unknown[] = Array.isArray(given) ? given : []
      const params = needsSocket(method) ? values : readParams(name, given)
      return (node, context) => {
        const run = (changed = params) => method.prepare(changed)(node, context)
        return answer({ params, given: values, run }, node)
      }
    },
    named: (names) => faithful(name, method.named(names)),
  }
}

/** How a node with --faithful answers. */
export const FAITHFUL_FRONT: Front<FaithfulChain> = {
  methods: (all) => {
    const own = all.filter(({ name }) => moduleOf(name) === 'dev')
    const known = all.filter((method) => isKnown(method) || needsSocket(method))
    return [...own, ...known.map((method) => faithful(method.name, method))]
  },
  form: FAITHFUL_FORM,
}
