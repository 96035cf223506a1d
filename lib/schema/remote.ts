/** Schemas of answers of remote nodes. Other networks leave members out, set them to null, and have unknown ones. */

import * as z from 'zod'
import { fromHex } from '../base/hex.ts'
import { accessList, authorizationList } from './requests.ts'
import { address, data, hash, index, quantity, quantity64, text } from './wire.ts'

/** A member that may be absent or null. */
export const maybe = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined)

const NO_LOGS = `0x${'00'.repeat(256)}`
const EMPTY_BLOOM = fromHex(NO_LOGS)

/** The bloom of logs. All empty ones are one array. */
const bloom: z.ZodType<Uint8Array> = text('256 bytes', (value) => {
  if (!/^0x[0-9a-fA-F]{512}$/.test(value)) return undefined
  return value === NO_LOGS ? EMPTY_BLOOM : fromHex(value)
})

/** DATA of eight bytes; shorter texts get leading zeros. */
const nonce: z.ZodType<Uint8Array> = text('8 bytes', (value) =>
  /^0x[0-9a-fA-F]{0,16}$/.test(value) ? fromHex(`0x${value.slice(2).padStart(16, '0')}`) : undefined,
)

/** The members that transactions of each known type have, beside those of all transactions. */
const FEE_MARKET_MEMBERS = [
  'nonce',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'chainId',
  'v',
  'r',
  's',
] as const
const MEMBERS_BY_TYPE = [
  ['nonce', 'gasPrice'],
  ['nonce', 'gasPrice', 'chainId', 'v', 'r', 's'],
  FEE_MARKET_MEMBERS,
  [...FEE_MARKET_MEMBERS, 'maxFeePerBlobGas', 'blobVersionedHashes'],
  [...FEE_MARKET_MEMBERS, 'authorizationList'],
] as const

/** A transaction in a block, of any type. */
const remoteTransaction = z
  .looseObject({
    hash,
    from: address,
    to: maybe(address),
    gas: quantity64,
    value: quantity,
    input: data,
    type: maybe(index),
    nonce: maybe(quantity64),
    gasPrice: maybe(quantity),
    maxFeePerGas: maybe(quantity),
    maxPriorityFeePerGas: maybe(quantity),
    chainId: maybe(quantity),
    accessList: maybe(accessList),
    authorizationList: maybe(authorizationList),
    maxFeePerBlobGas: maybe(quantity),
    blobVersionedHashes: maybe(z.array(hash)),
    v: maybe(quantity),
    yParity: maybe(quantity),
    r: maybe(quantity),
    s: maybe(quantity),
    mint: maybe(quantity),
  })
  .check(({ value, issues }) => {
    const members = { ...value, v: value.v ?? value.yParity }
    for (const name of MEMBERS_BY_TYPE[value.type ?? 0] ?? []) {
      // The transactions of Hedera that are not Ethereum's have neither a type nor a price.
      const isAbsent = value.type === undefined && name === 'gasPrice'
      if (members[name] !== undefined || isAbsent) continue
      issues.push({ code: 'custom', message: 'expected a value', path: [name], input: members[name] })
    }
  })

/** A transaction of a remote. Of a known type it has all members that the type needs. */
export type RemoteTransaction = z.output<typeof remoteTransaction>

/** A hash that is zero where a network has none: Hedera leaves it empty. */
const hashOrNone = z.preprocess((value) => (value === '0x' || value === '0x0' ? NO_HASH : value), hash)
const NO_HASH = `0x${'00'.repeat(32)}`

/**
 * The header of a block or of an uncle. Members that only some hard forks have are optional; those of one kind of network its consensus
 * reads. Blocks of Celo from
 * before it was a rollup have neither uncles nor difficulty, and the oldest no gas limit.
 */
export const remoteHeader = z.looseObject({
  number: quantity64,
  hash,
  parentHash: hash,
  sha3Uncles: maybe(hash),
  miner: address,
  stateRoot: hashOrNone,
  transactionsRoot: hash,
  receiptsRoot: hashOrNone,
  logsBloom: bloom,
  difficulty: quantity.nullish().transform((value) => value ?? 0n),
  gasLimit: quantity64.nullish().transform((value) => value ?? 0n),
  gasUsed: quantity64,
  timestamp: quantity64,
  extraData: data,
  mixHash: maybe(hashOrNone),
  nonce: maybe(nonce),
  baseFeePerGas: maybe(quantity),
  withdrawalsRoot: maybe(hash),
  blobGasUsed: maybe(quantity64),
  excessBlobGas: maybe(quantity64),
  parentBeaconBlockRoot: maybe(hash),
  requestsHash: maybe(hash),
  blockAccessListHash: maybe(hash),
  slotNumber: maybe(quantity64),
  minimumGasPrice: maybe(quantity),
  uncles: maybe(z.array(hash)),
})

const withdrawal = z.object({ index: quantity64, validatorIndex: quantity64, address, amount: quantity64 })

/** A block with full transactions, in which remote nodes answer. */
export const remoteBlock = remoteHeader.extend({
  transactions: z.array(remoteTransaction),
  withdrawals: maybe(z.array(withdrawal)),
  totalDifficulty: maybe(quantity),
  cumulativeDifficulty: maybe(quantity),
  size: maybe(index),
})

const event = z.object({ address, topics: z.array(hash), data })

/** A log as eth_getLogs returns it. */
export const remoteLog = event.extend({
  logIndex: index,
  transactionHash: hash,
  transactionIndex: index,
  blockHash: hash,
  blockNumber: quantity64,
  blockTimestamp: maybe(quantity64),
})

/** A receipt. Receipts from before Byzantium have a state root instead of a status (EIP-658); some nodes set both. */
export const remoteReceipt = z.looseObject({
  transactionHash: hash,
  status: maybe(z.enum(['0x0', '0x1'], { error: 'expected 0x0 or 0x1' })),
  root: maybe(hash).catch(undefined),
  gasUsed: quantity64,
  cumulativeGasUsed: quantity64,
  effectiveGasPrice: maybe(quantity),
  contractAddress: maybe(address),
  blobGasUsed: maybe(quantity64),
  blobGasPrice: maybe(quantity),
  logs: z.array(event.extend({ logIndex: maybe(index) })),
  logsBloom: bloom,
})

/** A proof of an account and of slots (EIP-1186). */
export const remoteProof = z.object({
  nonce: quantity,
  balance: quantity,
  codeHash: hash,
  storageHash: hash,
  accountProof: z.array(data),
  storageProof: z.array(z.object({ value: quantity, proof: z.array(data) })),
})

/** The accounts and slots that a call will read, as eth_createAccessList answers. */
export const remoteAccessList = z.object({ accessList })
