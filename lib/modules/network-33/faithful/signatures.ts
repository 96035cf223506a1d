/** The methods of the reference node with their params (node-rpc 2.6). */

import { NodeError } from '../../../base/errors.ts'
import type { Method } from '../../../kernel/method.ts'
import {
  blockId,
  calledBlock,
  codeBlock,
  estimateBlock,
  looseBlockId,
  stateBlock,
  traceBlock,
} from './blocks.ts'
import { calledObject, logFilter, sentObject, traceFilter } from './objects.ts'
import { bannableAddress } from '../../../schema/peers.ts'
import * as read from './values.ts'
import { refused, serverError, type Reader } from './values.ts'

/** Params of a method: their readers, and how many are optional. */
interface FaithfulParams {
  readonly readers: readonly Reader[]
  readonly optional: number
}

const params = (...readers: readonly Reader[]): FaithfulParams => ({ readers, optional: 0 })
const withOptional = (...readers: readonly Reader[]): FaithfulParams => ({ readers, optional: 1 })

const asGiven: Reader = (value) => value

const overrides: Reader = (value) => {
  if (value === null || JSON.stringify(value).includes('"movePrecompileToAddress":')) throw serverError()
  return value
}

const txHash = read.hash('transaction hash')
const index = read.lowerHex('index')
const anyBlockHash = read.hash('block hash')

/** Texts of mining submissions. Text that is not hex without a prefix fails. */
const rawHex: Reader = (value) => {
  const given = String(read.text(value))
  if (!/^([0-9a-fA-F]{2})*$/.test(given)) throw serverError()
  return given
}

/** An address of peers to ban. */
const bannable: Reader = (value) => {
  const given = read.text(value)
  if (!bannableAddress.safeParse(given).success) throw refused(`invalid banned address ${String(given)}`)
  return given
}

/** Methods with params, by neutral name. */
const SIGNATURES: Readonly<Record<string, FaithfulParams>> = {
  web3_sha3: params(read.prefixedData),
  eth_newFilter: params(logFilter),
  eth_getLogs: params(logFilter),
  eth_uninstallFilter: params((value) => (value === null ? '0x' : read.data(value))),
  eth_getFilterChanges: params((value) => (value === null ? null : read.data(value))),
  eth_getFilterLogs: params(read.data),
  eth_getBalance: withOptional(read.address, stateBlock),
  eth_getTransactionCount: params(read.address, stateBlock),
  eth_getStorageAt: params(read.address, read.number, stateBlock),
  eth_getCode: params(read.address, codeBlock),
  eth_getBlockByHash: params(read.blockHash, read.flag),
  eth_getBlockByNumber: params(blockId, read.flag),
  eth_getBlockTransactionCountByHash: params(anyBlockHash),
  eth_getBlockTransactionCountByNumber: params(blockId),
  eth_getUncleCountByBlockHash: params(anyBlockHash),
  eth_getUncleCountByBlockNumber: params(blockId),
  eth_getUncleByBlockHashAndIndex: params(anyBlockHash, index),
  eth_getUncleByBlockNumberAndIndex: params(blockId, index),
  eth_getBlocksByNumber: params(looseBlockId),
  eth_getTransactionByHash: params(txHash),
  eth_getTransactionReceipt: params(txHash),
  eth_getTransactionByBlockHashAndIndex: params(read.blockHash, index),
  eth_getTransactionByBlockNumberAndIndex: params(blockId, index),
  eth_call: withOptional(calledObject, calledBlock, overrides),
  eth_estimateGas: withOptional(calledObject, estimateBlock),
  eth_sendTransaction: params(sentObject),
  eth_sendRawTransaction: params(read.data),
  eth_sign: params(read.address, read.data),
  evm_snapshot: params(),
  evm_revert: params(read.snapshotId),
  evm_reset: params(),
  evm_mine: params(),
  evm_increaseTime: params(read.seconds),
  personal_newAccountWithSeed: params(read.text),
  personal_newAccount: params(read.text),
  personal_importRawKey: params(read.key, read.text),
  personal_dumpRawKey: params(read.address),
  personal_unlockAccount: params(read.address, read.text, read.lowerHex('duration')),
  personal_lockAccount: params(read.address),
  personal_sendTransaction: params(sentObject, read.text),
  sco_banAddress: params(bannable),
  sco_unbanAddress: params(bannable),
  sco_clearPeerScoring: params(read.text),
  debug_accountTransactionQuota: params(read.quotaAddress),
  debug_traceTransaction: withOptional(read.looseHash(), asGiven),
  debug_traceBlockByHash: withOptional(read.looseHash(true), asGiven),
  debug_traceBlockByNumber: withOptional(looseBlockId, asGiven),
  trace_transaction: params(read.looseHash()),
  trace_block: params(traceBlock),
  trace_filter: params(traceFilter),
  trace_get: params(read.looseHash(), read.positions),
  mnr_submitAuxBlock: params(rawHex),
  mnr_submitAuxBlockTransactions: params(rawHex, rawHex, rawHex, read.text),
  mnr_submitAuxBlockPartialMerkle: params(rawHex, rawHex, rawHex, read.text, read.text),
  node_getRawTransactionReceiptByHash: params(read.looseHash()),
  node_getTransactionReceiptNodesByHash: params(read.looseHash(true), read.looseHash(true)),
  node_getRawBlockHeaderByHash: params(read.looseHash(true)),
  node_getRawBlockHeaderByNumber: params(looseBlockId),
}

const MODULES = /^(debug|eth|evm|mnr|net|node|personal|rpc|sco|trace|txpool|web3)_/

/** Methods without params in these modules that the reference lacks. */
const LACKING = /^(debug_getBadBlocks|eth_(baseFee|blobBaseFee|config|getWork|maxPriorityFeePerGas))$/

/** Whether the reference node has a method. */
export const isKnown = ({ name, params: declared }: Method): boolean =>
  Object.hasOwn(SIGNATURES, name) || (declared.length === 0 && MODULES.test(name) && !LACKING.test(name))

/** Reads the params of a method. @throws NodeError with the reference's text */
export function readParams(name: string, given: unknown): readonly unknown[] {
  const { readers, optional } = SIGNATURES[name] ?? params()
  const values: readonly unknown[] = Array.isArray(given) ? given : []
  const isNamed = given !== undefined && !Array.isArray(given) && Object.keys(given ?? {}).length > 0
  if (isNamed || values.length > readers.length || values.length < readers.length - optional)
    throw refused('method parameters invalid')
  return readers.slice(0, values.length).map((reader, position) => reader(values[position]))
}

/** Numbers of params of the methods that the reference knows by name only (node-rpc 5.10). */
const UNSUPPORTED: Readonly<Record<string, number>> = {
  eth_compileSolidity: 1,
  eth_compileLLL: 1,
  eth_compileSerpent: 1,
  eth_submitWork: 3,
  eth_submitHashrate: 2,
  db_putString: 0,
  db_getString: 0,
  db_putHex: 0,
  db_getHex: 0,
  node_shutdown: 0,
  toString: 0,
  start: 0,
  stop: 0,
}

export function noMethod(name: string, given: unknown): NodeError {
  const count = Object.hasOwn(UNSUPPORTED, name) ? UNSUPPORTED[name] : undefined
  if (count === undefined) return new NodeError('methodNotFound', 'method not found')
  if (Array.isArray(given) && given.length !== count) return refused('method parameters invalid')
  return new NodeError('methodNotFound', `the method ${name} does not exist/is not available`)
}
