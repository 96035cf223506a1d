/** Params for every reading method, drawn from the current contents of a node. */

import { auxChainOf } from './networks.ts'
import { toQuantity } from '../../lib/base/hex.ts'
import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import { toDisplayOrder } from '../../lib/modules/network-33/bridge/aux-header.ts'
import type { Node } from '../../lib/node/node.ts'
import { SENT } from '../../lib/rpc/methods/params.ts'
import type { Draw } from './random-draws.ts'
import { PLAIN_KEYS } from './command-transactions.ts'
import { SIGNATURE } from './write-params.ts'

/** The contents of a node that params refer to. */
interface Observations {
  readonly node: Node
  readonly accounts: readonly string[]
  readonly contracts: readonly string[]
  /** Tags and numbers. */
  readonly heights: readonly string[]
  readonly blocks: readonly string[]
  /** Hashes of mined and pending transactions. */
  readonly transactions: readonly string[]
  /** Ids of the newest ones of the auxiliary chain. */
  readonly auxTransactions: readonly string[]
  /** Draws an item of a list. */
  readonly any: <T>(from: readonly T[]) => T
}

/** Params of one call. */
type Params = readonly unknown[]

/** Params of some calls of a method. */
type ParamsOf = (observations: Observations) => readonly Params[]

const UNKNOWN = `0x${'ee'.repeat(32)}`
/** Number of recent blocks that are requested. */
const DEPTH = 12

/** Collects the contents of a node. */
function observationsOf(node: Node, draw: Draw): Observations {
  const { chain, funded, network, mempool } = node
  const recent: ChainEntry[] = [...chain.sideBlocks].slice(-3)
  for (let entry: ChainEntry | undefined = chain.head; entry !== undefined; entry = entry.parent) {
    if (recent.length >= DEPTH) break
    recent.push(entry)
  }
  const accounts = [...chain.head.state.accounts()].filter(([, { code }]) => code.length > 0)
  const mined = recent.flatMap(({ block }) => block.receipts.map(({ transaction }) => transaction.hash))
  const waiting = [...mempool.all()].map(({ transaction }) => transaction.hash)
  const contracts = accounts.map(([address]) => address).slice(-8)
  const head = chain.head.block.header.number
  return {
    node,
    accounts: [...funded.slice(0, 4).map(({ address }) => address), network.coinbase, ...contracts],
    contracts: [...contracts, `0x${'cc'.repeat(20)}`],
    heights: ['earliest', 'latest', 'pending', toQuantity(head), toQuantity(BigInt(draw(Number(head) + 2)))],
    blocks: [...recent.map(({ block }) => block.hash), UNKNOWN],
    transactions: [...mined, ...waiting, UNKNOWN],
    auxTransactions: [...auxTransactionsOf(node), UNKNOWN],
    any: (from) => from[draw(from.length)]!,
  }
}

const TAGS = ['latest', 'pending']
const TRACERS = [
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'nodeTracer',
  'flatCallTracer',
  'noopTracer',
  'erc7562Tracer',
  'opcodeGasTracer',
]

const once = () => [[]]
const atHeight = ({ any, heights }: Observations) => [[any(heights)], [any(TAGS)]]
function auxTransactionsOf(node: Node): readonly string[] {
  const value = auxChainOf(node)
  const newest = [...value.blocks.slice(-DEPTH).flatMap(({ transactions }) => transactions), ...value.pool]
  return newest.map(({ id }) => toDisplayOrder(id))
}

const ofBlock = ({ any, blocks }: Observations) => [[any(blocks)]]
const ofTransaction = ({ any, transactions }: Observations) => [[any(transactions)], [any(transactions)]]
const ofAccount = ({ any, accounts, heights }: Observations) => [
  [any(accounts), any(TAGS)],
  [any(accounts), any(heights)],
]

const transfer = ({ any, accounts, node }: Observations) => ({
  from: any(node.funded.slice(0, PLAIN_KEYS)).address,
  to: any(accounts),
  value: '0x1',
})

const callOf = ({ any, contracts, node }: Observations) => ({
  from: node.funded[0]!.address,
  to: any(contracts),
  data: `0x${'00'.repeat(31)}01${'00'.repeat(31)}02`,
})

/** Calls ecrecover (address 1) with a signature that anvil_impersonateSignature may have set. */
const recovery = { to: `0x${'00'.repeat(19)}01`, data: `0x${'00'.repeat(63)}1b${SIGNATURE.slice(2, 130)}` }

/** Requested every eighth time, because it is slow. */
const seldom = ({ any }: Observations, params: Params) =>
  any([0, 1, 2, 3, 4, 5, 6, 7]) === 0 ? [params] : []

const simulated = (observations: Observations) => [[callOf(observations), observations.any(TAGS)]]
const traced = ({ any }: Observations) => ({ tracer: any(TRACERS) })

/** A complete transaction, whose result depends only on its account's key. */
const complete = (from: string) => ({
  from,
  to: from,
  gas: '0x5208',
  gasPrice: '0x1',
  nonce: '0x0',
  value: '0x0',
})

/** The same params for several methods. */
const methods = (names: string, paramsOf: ParamsOf): Readonly<Record<string, ParamsOf>> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, paramsOf]))

/** Restored by a revert, and in a dumped state; or never changed. */
const chain: Readonly<Record<string, ParamsOf>> = {
  ...methods(
    `anvil_getGenesisTime anvil_nodeInfo debug_getBadBlocks debug_wireProtocolQueueSize dev_contracts
    dev_instructions eth_baseFee eth_blobBaseFee eth_blockNumber eth_bridgeState eth_chainId eth_coinbase
    eth_config eth_gasPrice eth_maxPriorityFeePerGas eth_netHashrate eth_pendingTransactions
    eth_protocolVersion eth_syncing hardhat_getStackTraceFailuresCount net_listening net_peerCount
    net_peerList net_version node_protocolVersion ots_getApiLevel rpc_modules sco_peerList
    sco_reputationSummary txpool_content txpool_inspect txpool_status web3_clientVersion`,
    once,
  ),
  ...methods(
    `debug_executionWitness debug_getRawBlock debug_getRawBlockAccessList debug_getRawHeader
    debug_getRawReceipts debug_getRawTransactions dev_getExecutionRequests eth_getBlockAccessList
    eth_getBlockReceipts eth_getBlockTransactionCountByNumber eth_getHeaderByNumber
    eth_getUncleCountByBlockNumber node_getRawBlockHeaderByNumber ots_getBlockDetails trace_block
    trace_blockOpcodeGas`,
    atHeight,
  ),
  ...methods(
    `eth_getBlockTransactionCountByHash eth_getHeaderByHash eth_getUncleCountByBlockHash
    node_getRawBlockHeaderByHash ots_getBlockDetailsByHash`,
    ofBlock,
  ),
  ...methods(
    `anvil_getBlobsByTransactionHash debug_getRawTransaction dev_profile dev_transactionSources
    eth_getTransactionByHash eth_getTransactionReceipt node_getRawTransactionReceiptByHash
    ots_getInternalOperations ots_getTransactionError ots_traceTransaction trace_transaction
    trace_transactionOpcodeGas`,
    ofTransaction,
  ),
  ...methods(
    `dev_contractSources dev_getContract eth_getAccount eth_getAccountInfo eth_getBalance eth_getCode
    eth_getTransactionCount ots_hasCode`,
    ofAccount,
  ),
  ...methods('eth_createAccessList', simulated),
  anvil_getBlobByHash: () => [[UNKNOWN]],
  debug_storageRangeAt: ({ any, contracts, heights }) => [[any(heights), 0, any(contracts), '0x00', 10]],
  debug_codeByHash: ({ any, heights }) => [[`0x${'00'.repeat(32)}`, any(heights)]],
  debug_traceBlockByHash: (observations) => [[observations.any(observations.blocks), traced(observations)]],
  debug_traceBlockByNumber: (observations) => [
    [observations.any(observations.heights), traced(observations)],
  ],
  debug_traceCall: (observations) => [[callOf(observations), observations.any(TAGS), traced(observations)]],
  debug_traceTransaction: (observations) => [
    [observations.any(observations.transactions), traced(observations)],
  ],
  debug_accountTransactionQuota: ({ any, accounts }) => [[any(accounts)]],
  eth_call: (observations) => [...simulated(observations), ...simulated(observations), [recovery, 'latest']],
  eth_callBundle: ({ any }) => [[{ txs: [SENT.raw], blockNumber: '0x99', stateBlockNumber: any(TAGS) }]],
  eth_estimateGas: (observations) => [...simulated(observations), [transfer(observations)]],
  eth_feeHistory: ({ any, heights }) => [['0x5', any(heights), [10, 90]]],
  eth_fillTransaction: (observations) => [[transfer(observations)]],
  eth_getBlockByHash: ({ any, blocks }) => [[any(blocks), true]],
  eth_getBlockByNumber: ({ any, heights }) => [
    ['latest', true],
    ['pending', true],
    [any(heights), false],
  ],
  eth_getBlocksByNumber: ({ any, heights }) => [[any(heights.slice(3))]],
  eth_getLogs: ({ any, contracts, blocks }) => [
    [{ fromBlock: 'earliest' }],
    [{ fromBlock: 'pending' }],
    [{ fromBlock: 'earliest', address: any(contracts) }],
    [{ blockHash: any(blocks) }],
  ],
  eth_getProof: ({ any, accounts, heights }) => [[any(accounts), ['0x0', '0x1'], any(heights)]],
  eth_getRawTransactionByBlockHashAndIndex: ({ any, blocks }) => [[any(blocks), '0x0']],
  eth_getRawTransactionByBlockNumberAndIndex: ({ any, heights }) => [[any(heights), '0x0']],
  eth_getStorageValues: ({ any, contracts, heights }) => [
    [{ [any(contracts)]: ['0x0', '0x1'] }, any(heights)],
  ],
  eth_getStorageAt: ({ any, contracts, heights }) => [
    [any(contracts), '0x0', any(TAGS)],
    [any(contracts), '0x1', any(heights)],
  ],
  eth_getTransactionByBlockHashAndIndex: ({ any, blocks }) => [[any(blocks), '0x0']],
  eth_getTransactionByBlockNumberAndIndex: ({ any, heights }) => [[any(heights), '0x0']],
  eth_getTransactionBySenderAndNonce: ({ any, accounts }) => [[any(accounts), any(['0x0', '0x1', '0x7'])]],
  eth_getUncleByBlockHashAndIndex: ({ any, blocks }) => [[any(blocks), '0x0']],
  eth_getUncleByBlockNumberAndIndex: ({ any, heights }) => [[any(heights), '0x0']],
  eth_signTransaction: (observations) => [[transfer(observations)]],
  eth_simulateV1: (observations) => [
    [{ blockStateCalls: [{ calls: [callOf(observations)] }] }, observations.any(TAGS)],
  ],
  dev_traceSteps: ({ any, transactions }) => [[any(transactions), 0, 3]],
  dev_debugBreakpoints: () => [[[{ id: 1, kind: 'revert', which: 'all' }]]],
  dev_addressTransactions: ({ any, accounts }) => [[any(accounts), {}, 5]],
  dev_findContracts: () => [['a']],
  dev_storageVariables: ({ any, contracts, heights }) => [[any(contracts), any(heights), ['0x1']]],
  // Without keys, which are requested below, and snapshots, which the commands compare: a full dump is too slow.
  dev_dumpState: (observations) => seldom(observations, [{ keystore: false, snapshots: false }]),
  node_getTransactionReceiptNodesByHash: ({ any, blocks, transactions }) => [
    [any(blocks), any(transactions)],
  ],
  ots_getBlockTransactions: ({ any, heights }) => [[any(heights), 0, 2]],
  ots_getContractCreator: ({ any, contracts }) => [[any(contracts)]],
  ots_getTransactionBySenderAndNonce: ({ any, accounts }) => [[any(accounts), any(['0x0', '0x1'])]],
  ots_searchTransactionsAfter: (observations) =>
    seldom(observations, [observations.any(observations.accounts), 0, 3]),
  ots_searchTransactionsBefore: (observations) =>
    seldom(observations, [observations.any(observations.accounts), 0, 3]),
  trace_call: (observations) => [[callOf(observations), ['trace'], observations.any(TAGS)]],
  trace_callMany: (observations) => [
    [[1, 2].map(() => [callOf(observations), ['trace', 'stateDiff']]), observations.any(TAGS)],
  ],
  trace_filter: ({ any, heights }) => [[{ fromBlock: any(heights), toBlock: 'latest', count: 20 }]],
  trace_get: ({ any, transactions }) => [[any(transactions), ['0x0']]],
  trace_rawTransaction: ({ any }) => [[SENT.raw, ['stateDiff'], any(TAGS)]],
  txpool_contentFrom: ({ any, accounts }) => [[any(accounts)]],
  anvil_setRpcUrl: () => [['http://127.0.0.1:8545']],
  personal_ecRecover: () => [['0x01', SIGNATURE]],
  sco_clearPeerScoring: () => [['3fd44f66']],
  web3_sha3: () => [['0x01']],
}

/** Restored by a revert, but not in a dumped state: mining settings, identity of the node, keys, and the auxiliary chain. */
const running: typeof chain = {
  ...methods(
    `anvil_getIntervalMining eth_accounts eth_mining hardhat_getAutomine hardhat_metadata
    personal_listAccounts`,
    once,
  ),
  ...methods('dev_bridge', atHeight),
  ...methods('dev_explainTransaction', ofTransaction),
  dev_leadsTo: () => [[UNKNOWN]],
  dev_auxTransaction: ({ any, auxTransactions }) => [[any(auxTransactions)]],
  // Accounts are named by their index.
  dev_nameAddresses: ({ accounts, contracts }) => [[[...accounts, ...contracts]]],
  dev_describeTransactions: ({ transactions }) => [[transactions]],
  dev_explainCall: (observations) => [[callOf(observations), observations.any(TAGS)]],
  eth_sign: ({ node }) => node.keystore.addresses.map((address) => [address, '0x01']),
  eth_signTypedData_v4: (observations) => [[listedAccount(observations), TYPED]],
  personal_sign: (observations) => [['0x01', listedAccount(observations)]],
  // Decrypting is slow.
  personal_signTransaction: (observations) =>
    seldom(observations, [complete(listedAccount(observations)), 'secret']),
  personal_dumpRawKey: (observations) => [[listedAccount(observations)]],
}

/** Kept by a revert (architecture, the table of cells): the same directly before and after it. */
const kept: typeof chain = {
  // Banned peers belong to the network, not to the chain.
  sco_bannedAddresses: once,
}

const listedAccount = ({ any, node }: Observations) => any(node.keystore.addresses)

const TYPED = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Post' },
  message: { contents: 'Hello' },
}

const reasons = (names: string, reason: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reason]))

/** Methods other than writing ones that are not requested, with the reason. */
export const UNASKED: Readonly<Record<string, string>> = {
  ...reasons(
    'dev_debugDetach dev_debugNext dev_debugResume dev_debugSet',
    'belongs to a debugger of dev_debugAttach, which a revert keeps',
  ),
  ...reasons(
    'dev_debugCode dev_debugEvaluate dev_debugMove dev_debugSources dev_debugStack dev_debugTargets dev_debugVariables',
    'reads a recording of dev_debugOpen, which a revert keeps',
  ),
  ...reasons(
    'dev_coverage dev_gasReport',
    'counts executions of the whole node, also those that a revert undoes',
  ),
  ...reasons(
    'dev_createWorld dev_deleteWorld',
    'is a command: it changes the registry of worlds, which belongs to the node',
  ),
  eth_hashrate:
    'the sum of eth_netHashrate, which is requested, and of reports of miners, which a revert keeps',
  anvil_metadata: 'hardhat_metadata, which is requested, and the list of snapshots (next line)',
  dev_snapshots: 'a revert keeps the list and drops later ones: the commands compare it with their own list',
  dev_memory: 'measures the memory of the whole node, which a revert does not restore',
  dev_requests: 'keeps requests of the whole node, of which a revert removes none',
  dev_debugAttach: 'counts the debuggers of the whole node, and holds its requests',
  dev_debugOpen: 'numbers the recordings of the whole node, also of executions that a revert undoes',
  dev_failures: 'lists failures of the whole node, also those that a revert removes',
  dev_explainFailure: 'explains a failure of dev_failures, also one that a revert removed',
  dev_executedContracts: 'tells what has run since the last request, also what a revert undid',
  dev_testFailed: 'keeps executions of the whole node, also those that a revert removed',
  dev_findTransactions: 'finds transactions that a revert removed, too',
  dev_crossChecks: 'counts blocks of the whole node, also those that a revert undoes',
  dev_saveState: 'writes the file of the node, which a revert does not change',
  dev_worlds: 'lists the head of every world: the commands compare it with their own list',
  dev_advanceAll: 'is a command: it changes the clocks of all worlds, also of those that must not change',
}

/** Params by method, grouped by the effect of a revert and of a loaded state on the result. */
export const READ_PARAMS = { chain, running, kept } as const

/** Group of results. */
export type Kind = keyof typeof READ_PARAMS

/** A reading request. */
export interface ReadRequest {
  readonly kind: Kind
  readonly method: string
  readonly params: Params
}

/** Requests of every reading method in the groups, with drawn params. */
export function readRequestsOf(node: Node, draw: Draw, kinds: readonly Kind[]): readonly ReadRequest[] {
  const observations = observationsOf(node, draw)
  return kinds.flatMap((kind) =>
    Object.entries(READ_PARAMS[kind]).flatMap(([method, paramsOf]) =>
      paramsOf(observations).map((params) => ({ kind, method, params })),
    ),
  )
}
