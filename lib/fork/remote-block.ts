/**
 * Blocks of the remote chain. Their receipts and uncles need further questions, which are asked for a whole block when they are
 * first read. Also asks for the logs of a range.
 */

import * as z from 'zod'
import {
  EMPTY_BYTES,
  ZERO_ADDRESS,
  bigIntToBytes,
  fromHex,
  toHash,
  toQuantity,
  type Hash,
} from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Block, Receipt, RemoteMembers } from '../chain/block.ts'
import { NO_UNCLES_HASH, ZERO_HASH } from '../chain/header.ts'
import type { LogFilter, PlacedLog } from '../chain/log-index.ts'
import type { Network } from '../config/network.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Outcome, Status } from '../evm/outcome.ts'
import { systemTransaction } from '../evm/system-transaction.ts'
import { encodeEnvelope, unsignedMembers } from '../evm/transaction-members.ts'
import {
  BLOB_TYPE,
  DEPOSIT_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  hasGasPrice,
  isKnownType,
  effectiveGasPrice,
  legacyChainId,
  type Transaction,
  type TransactionFields,
} from '../evm/transaction.ts'
import type { SealedHeader, Header } from '../networks/consensus/consensus.ts'
import type { Withdrawal } from '../networks/consensus/withdrawals.ts'
import {
  remoteBlock,
  remoteHeader,
  remoteReceipt,
  remoteLog,
  type RemoteTransaction,
} from '../schema/remote.ts'
import { transactionObject, receiptObject } from '../schema/results.ts'
import { hash } from '../schema/wire.ts'
import { readRemote, unknownMembers, withNeutralNames, type Question } from './question.ts'
import { remoteFailed } from './remote-error.ts'
import type { Remote } from './remote.ts'

/** A transaction in a block, as far as block objects describe it. */
type MinedTransaction = Pick<Receipt, 'transaction' | 'index' | 'effectiveGasPrice'>

/** A transaction of a block, and the price that it paid. */
function minedTransaction(
  remote: RemoteTransaction,
  index: number,
  baseFeePerGas: bigint | undefined,
): MinedTransaction {
  const transaction = transactionOf(remote)
  // For a mined transaction, `gasPrice` is the paid price (geth, ethapi, effectiveGasPrice).
  const price = remote.gasPrice ?? effectiveGasPrice(transaction, baseFeePerGas ?? 0n)
  return { transaction, index, effectiveGasPrice: price }
}

function transactionOf(remote: RemoteTransaction): Transaction {
  // Nodes from before EIP-2718 send no type.
  const { hash, from: sender, type = LEGACY_TYPE, v = remote.yParity ?? 0n, r = 0n, s = 0n } = remote
  // A legacy transaction has the chain id in its `v`.
  const chainId = type === LEGACY_TYPE ? legacyChainId(v) : remote.chainId
  const own = { mint: remote.mint, remoteMembers: unknownMembers(remote, transactionObject.shape) }
  const members = { ...fieldsOf(remote, type), v, r, s, chainId, sender, hash, ...own }
  return { ...members, encoded: encodingOf(members) }
}

function fieldsOf(remote: RemoteTransaction, type: number): TransactionFields {
  const { nonce = 0n, accessList = [], maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = remote
  // A gas price is both the maximum fee and the maximum tip, even for an unknown type, which may pay nothing for gas.
  const { gasPrice = maxFeePerGas } = remote
  const isTyped = type !== LEGACY_TYPE && isKnownType(type)
  const hasPrice = hasGasPrice(type)
  return {
    type,
    nonce,
    to: remote.to,
    gasLimit: remote.gas,
    maxFeePerGas: hasPrice ? gasPrice : maxFeePerGas,
    maxPriorityFeePerGas: hasPrice ? gasPrice : maxPriorityFeePerGas,
    value: remote.value,
    data: remote.input,
    // Some nodes leave out an empty access list.
    accessList: isTyped ? accessList : undefined,
    authorizationList: type === SET_CODE_TYPE ? remote.authorizationList : undefined,
    maxFeePerBlobGas: type === BLOB_TYPE ? remote.maxFeePerBlobGas : undefined,
    blobVersionedHashes: type === BLOB_TYPE ? remote.blobVersionedHashes : undefined,
  }
}

/**
 * The encoding with the given hash. Empty if the members do not lead to it: for unknown types, impersonated senders of other nodes,
 * and numbers that were signed with leading zeros.
 */
function encodingOf(transaction: Omit<Transaction, 'encoded'>): Uint8Array {
  const { type, sender, nonce, hash, chainId = 0n, v, r, s } = transaction
  if (!isKnownType(type) && type !== DEPOSIT_TYPE) return EMPTY_BYTES
  if (sender === ZERO_ADDRESS && r === 0n && s === 0n) {
    const system = systemTransaction(nonce + 1n)
    if (system.hash === hash) return system.encoded
  }
  const members =
    type === DEPOSIT_TYPE
      ? depositMembers(transaction)
      : [...unsignedMembers(transaction, chainId), ...[v, r, s].map(bigIntToBytes)]
  const encoded = encodeEnvelope(type, members)
  return toHash(keccak256(encoded)) === hash ? encoded : EMPTY_BYTES
}

/** The encoded members of a deposit (OP Stack specification, Deposits). */
function depositMembers(deposit: Omit<Transaction, 'encoded'>): readonly Uint8Array[] {
  const { sender, to = '0x', mint = 0n, value, gasLimit, data, remoteMembers = {} } = deposit
  const { sourceHash, isSystemTx } = remoteMembers
  const source = typeof sourceHash === 'string' ? sourceHash : ''
  const numbers = [mint, value, gasLimit, isSystemTx === true ? 1n : 0n].map(bigIntToBytes)
  return [Buffer.from(source.slice(2), 'hex'), fromHex(sender), fromHex(to), ...numbers, data]
}

/** A block object: the block without receipts, and with the hashes of its uncles instead of their headers. */
export interface RemoteBlock extends SealedHeader {
  readonly transactions: readonly MinedTransaction[]
  readonly withdrawals: readonly Withdrawal[] | undefined
  /** The block's own difficulty if the remote does not send the total, as nodes of merged chains do not. */
  readonly totalDifficulty: bigint
  readonly remote: RemoteMembers
}

/** The block of a block object with full transactions. @throws NodeError 'remoteFailed' naming the member */
export function parseBlock(json: unknown, network: Network, subject = 'block'): RemoteBlock {
  const block = readRemote(remoteBlock, withNeutralNames(json, network.names), subject)
  const header = headerOf(block, network)
  const { hash, uncles = [], size, withdrawals = [], totalDifficulty = header.difficulty } = block
  const sole = uncles.length === 0 ? header.difficulty : undefined
  return {
    header,
    hash,
    transactions: block.transactions.map((each, index) =>
      minedTransaction(each, index, header.baseFeePerGas),
    ),
    // Absent if the block has none, as in blocks of this node.
    withdrawals: withdrawals.length === 0 ? undefined : withdrawals,
    totalDifficulty,
    remote: { uncleHashes: uncles, size, cumulativeDifficulty: block.cumulativeDifficulty ?? sole },
  }
}

/** An uncle's header and hash. The hash is the remote's, because it may cover unknown fields. @throws NodeError 'remoteFailed' */
export function parseUncle(json: unknown, network: Network): SealedHeader {
  const uncle = readRemote(remoteHeader, withNeutralNames(json, network.names), 'uncle')
  return { header: headerOf(uncle, network), hash: uncle.hash }
}

export const uncleQuestions = ({ hash, remote }: RemoteBlock, network: Network): readonly Question[] =>
  remote.uncleHashes.map((_, index) => ({
    method: 'eth_getUncleByBlockHashAndIndex',
    params: [hash, toQuantity(index)],
    check: (answer) => parseUncle(answer, network),
  }))

const NONCE_BYTES = 8

function headerOf(block: z.output<typeof remoteHeader>, network: Network): Header {
  const { parentHash, stateRoot, transactionsRoot, receiptsRoot, logsBloom } = block
  const { difficulty, number, gasLimit, gasUsed, timestamp, extraData } = block
  // Networks without proof of work may leave these two out.
  const { mixHash = ZERO_HASH, nonce = new Uint8Array(NONCE_BYTES) } = block
  const { consensus } = network.kind
  return consensus.readHeader(block, {
    consensus,
    parentHash,
    unclesHash: block.sha3Uncles ?? NO_UNCLES_HASH,
    coinbase: block.miner,
    stateRoot,
    transactionsRoot,
    receiptsRoot,
    logsBloom,
    difficulty,
    number,
    gasLimit,
    gasUsed,
    timestamp,
    extraData,
    mixHash,
    nonce,
  })
}

/** Reads the parts of a block that its block object lacks. Both functions throw `NotLoadedError`. */
interface BlockParts {
  readonly receipts: () => readonly Receipt[]
  readonly uncles: () => readonly Header[]
}

export function loadedBlock({ transactions, ...block }: RemoteBlock, parts: BlockParts): Block {
  return {
    ...block,
    receipts: transactions.map((mined) => loadedReceipt(mined, parts)),
    get uncles() {
      return block.remote.uncleHashes.length === 0 ? [] : parts.uncles()
    },
  }
}

/** A remote receipt. The block object has its transaction; the rest is loaded with all receipts of the block. */
function loadedReceipt(mined: MinedTransaction, { receipts }: BlockParts): Receipt {
  const loaded = (): Receipt => present(receipts()[mined.index], 'receipt of a remote block')
  return {
    ...mined,
    get outcome() {
      return loaded().outcome
    },
    get cumulativeGasUsed() {
      return loaded().cumulativeGasUsed
    },
    get firstLogIndex() {
      return loaded().firstLogIndex
    },
  }
}

/** Asks for all receipts of a block at once. If the remote has no method for that, or if all receipts are stored, asks one by one. */
export function receiptQuestions(remote: Remote, { header, transactions }: RemoteBlock): readonly Question[] {
  const oneByOne = transactions.map((mined): Question => {
    const check = (answer: unknown): unknown => parseReceipts([answer], [mined])
    return { method: 'eth_getTransactionReceipt', params: [mined.transaction.hash], check }
  })
  const method = 'eth_getBlockReceipts'
  const areStored = oneByOne.every((question) => remote.recall(question) !== undefined)
  if (areStored || !remote.has(method)) return oneByOne
  const check = (answer: unknown): unknown => parseReceipts(answer, transactions)
  return [{ method, params: [toQuantity(header.number)], check }]
}

const receiptList = z.array(z.looseObject({ transactionHash: hash }))

/**
 * The receipts of a block's transactions, in their order. A receipt of another transaction is ignored: some networks make
 * receipts of system events that blocks do not list.
 * @throws NodeError 'remoteFailed' naming the transaction and the member
 */
export function parseReceipts(json: unknown, transactions: readonly MinedTransaction[]): readonly Receipt[] {
  const byHash = new Map(
    readRemote(receiptList, json, 'receipts').map((item) => [item.transactionHash, item]),
  )
  let logCount = 0
  return transactions.map((mined) => {
    const item = byHash.get(mined.transaction.hash)
    if (item === undefined)
      throw remoteFailed(`the remote has no receipt of transaction ${mined.transaction.hash}`)
    const receipt = receiptOf(item, mined, logCount)
    logCount = receipt.firstLogIndex + receipt.outcome.logs.length
    return receipt
  })
}

/**
 * A receipt. It lacks the return data, the exception and the refunded gas of its transaction: they are empty, absent and zero. The
 * fee is for gas only, without what rollups charge for data.
 */
function receiptOf(json: unknown, { transaction, ...mined }: MinedTransaction, logCount: number): Receipt {
  const remote = readRemote(remoteReceipt, json, `receipt of transaction ${transaction.hash}`)
  const { gasUsed, status, logs, logsBloom, contractAddress, cumulativeGasUsed } = remote
  const { effectiveGasPrice = mined.effectiveGasPrice } = remote
  if (status === undefined && remote.root === undefined)
    throw remoteFailed(`the remote's receipt of transaction ${transaction.hash} has no status`)
  const outcome: Outcome = {
    status: statusOf(status, gasUsed === transaction.gasLimit),
    gasUsed,
    gasNeeded: gasUsed,
    fee: gasUsed * effectiveGasPrice,
    blobGas: blobGasOf(remote),
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
    logsBloom,
    returnData: EMPTY_BYTES,
    contractAddress,
    exception: undefined,
    postState: status === undefined ? remote.root : undefined,
    remoteMembers: unknownMembers(remote, receiptObject.shape),
  }
  const firstLogIndex = logs[0]?.logIndex ?? logCount
  return { transaction, ...mined, effectiveGasPrice, outcome, cumulativeGasUsed, firstLogIndex }
}

/**
 * The status of a transaction. An exception uses up the gas limit, REVERT does not unless no gas was left. Receipts from before
 * Byzantium have no status (EIP-658); they get one that nothing shows.
 */
function statusOf(status: '0x0' | '0x1' | undefined, hasUsedLimit: boolean): Status {
  if (status !== '0x0') return 'success'
  return hasUsedLimit ? 'failed' : 'reverted'
}

function blobGasOf(receipt: z.output<typeof remoteReceipt>): Outcome['blobGas'] {
  const { blobGasUsed: used, blobGasPrice: price } = receipt
  return used === undefined || price === undefined ? undefined : { used, price }
}

/** A mined log as eth_getLogs of a remote node returns it. The time is absent if the remote does not say it. */
export type RemoteLog = z.output<typeof remoteLog>

export const logsParam = ({ addresses, topics }: LogFilter, from: bigint, to: bigint) => ({
  fromBlock: toQuantity(from),
  toBlock: toQuantity(to),
  ...(addresses.length === 0 ? {} : { address: addresses }),
  ...(topics.length === 0 ? {} : { topics: topics.map((choices) => choices ?? null) }),
})

/** The logs that a remote node found, in its order. @throws NodeError 'remoteFailed' naming the log and the member */
export const parseLogs = (json: unknown): readonly RemoteLog[] => readRemote(z.array(remoteLog), json, 'logs')

/** The logs as log queries return them. `timestampOf` returns the time of a block if its logs do not contain it. */
export const placedLogs = (
  logs: readonly RemoteLog[],
  timestampOf: (blockHash: Hash) => bigint,
): readonly PlacedLog[] =>
  logs.map(({ address, topics, data, logIndex, ...place }) => ({
    log: { address, topics, data },
    logIndex,
    receipt: { index: place.transactionIndex, transaction: { hash: place.transactionHash } },
    block: {
      hash: place.blockHash,
      header: { number: place.blockNumber, timestamp: place.blockTimestamp ?? timestampOf(place.blockHash) },
    },
  }))
