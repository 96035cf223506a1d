/** Reads the transactions of a remote node. */

import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes, toHash } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import {
  ADDRESS,
  DATA,
  HASH,
  INDEX,
  QUANTITY,
  QUANTITY_64,
  RemoteObject,
  TYPE,
} from '../../base/remote-object.ts'
import type { Receipt } from '../../chain/block.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { systemTransaction } from '../../evm/system-transaction.ts'
import { encodeEnvelope, unsignedMembers } from '../../evm/transaction-members.ts'
import {
  BLOB_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  hasGasPrice,
  isKnownType,
} from '../../evm/transaction-types.ts'
import { effectiveGasPrice, legacyChainId } from '../../evm/transaction.ts'
import type {
  AccessList,
  Authorization,
  Transaction,
  TransactionFields,
  TransactionSignature,
} from '../../evm/transaction.ts'

/** A transaction in a block, as far as block objects tell. */
export type MinedTransaction = Pick<Receipt, 'transaction' | 'index' | 'effectiveGasPrice'>

/**
 * A mined or pending transaction object, of any type. Of a type that this node does not know it keeps the members that the
 * transactions of all types have.
 * @throws NodeError 'remoteFailed' naming the transaction and the member
 */
export function parseTransaction(json: unknown): Transaction {
  const object = RemoteObject.of(json, 'transaction')
  return readTransaction(object.about(`transaction ${object.get('hash', HASH)}`))
}

/** The block of a mined transaction, and its position there. */
export interface TransactionPlace {
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly index: number
}

/** The place that a transaction object says; absent while the transaction is pending. @throws NodeError 'remoteFailed' */
export function parsePlace(json: unknown): TransactionPlace | undefined {
  const object = RemoteObject.of(json, 'transaction')
  if (!object.has('blockHash')) return undefined
  return {
    blockHash: object.get('blockHash', HASH),
    blockNumber: object.get('blockNumber', QUANTITY_64),
    index: object.get('transactionIndex', INDEX),
  }
}

/** A transaction of a block, and the price that it paid. @throws NodeError 'remoteFailed' */
export function readMined(
  object: RemoteObject,
  index: number,
  baseFeePerGas: bigint | undefined,
): MinedTransaction {
  const transaction = readTransaction(object)
  // Of a mined transaction, the gas price is the paid one (geth, ethapi, effectiveGasPrice).
  const given = object.find('gasPrice', QUANTITY)
  return {
    transaction,
    index,
    effectiveGasPrice: given ?? effectiveGasPrice(transaction, baseFeePerGas ?? 0n),
  }
}

function readTransaction(object: RemoteObject): Transaction {
  const fields = readFields(object)
  const signature = readSignature(object, fields.type)
  const sender = object.get('from', ADDRESS)
  const hash = object.get('hash', HASH)
  const chainId = readChainId(object, fields.type, signature.v)
  const encoded = encodingOf({ ...fields, ...signature, chainId, sender, hash })
  return { ...fields, ...signature, chainId, sender, hash, encoded }
}

function readFields(object: RemoteObject): TransactionFields {
  // Nodes from before EIP-2718 give no type.
  const type = object.find('type', TYPE) ?? LEGACY_TYPE
  const isTyped = type !== LEGACY_TYPE && isKnownType(type)
  return {
    type,
    nonce: isKnownType(type) ? object.get('nonce', QUANTITY_64) : (object.find('nonce', QUANTITY_64) ?? 0n),
    to: object.find('to', ADDRESS),
    gasLimit: object.get('gas', QUANTITY_64),
    ...readPrices(object, type),
    value: object.get('value', QUANTITY),
    data: object.get('input', DATA),
    accessList: isTyped ? readAccessList(object) : undefined,
    authorizationList:
      type === SET_CODE_TYPE ? object.objects('authorizationList').map(readAuthorization) : undefined,
    maxFeePerBlobGas: type === BLOB_TYPE ? object.get('maxFeePerBlobGas', QUANTITY) : undefined,
    blobVersionedHashes: type === BLOB_TYPE ? object.list('blobVersionedHashes', HASH) : undefined,
  }
}

/** The maximum fee and tip. The gas price is both, also of an unknown type, which may pay nothing for gas. */
function readPrices(
  object: RemoteObject,
  type: number,
): Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  if (!hasGasPrice(type)) {
    return {
      maxFeePerGas: object.get('maxFeePerGas', QUANTITY),
      maxPriorityFeePerGas: object.get('maxPriorityFeePerGas', QUANTITY),
    }
  }
  const price = isKnownType(type)
    ? object.get('gasPrice', QUANTITY)
    : (object.find('gasPrice', QUANTITY) ?? object.find('maxFeePerGas', QUANTITY) ?? 0n)
  return { maxFeePerGas: price, maxPriorityFeePerGas: price }
}

/** The access list of a typed transaction; some nodes leave out an empty one. */
function readAccessList(object: RemoteObject): AccessList {
  if (!object.has('accessList')) return []
  return object.objects('accessList').map((entry) => ({
    address: entry.get('address', ADDRESS),
    storageKeys: entry.list('storageKeys', HASH),
  }))
}

const readAuthorization = (entry: RemoteObject): Authorization => ({
  chainId: entry.get('chainId', QUANTITY),
  address: entry.get('address', ADDRESS),
  nonce: entry.get('nonce', QUANTITY_64),
  yParity: entry.get('yParity', QUANTITY),
  r: entry.get('r', QUANTITY),
  s: entry.get('s', QUANTITY),
})

/** The signature. System transactions and those of unknown types may have none; its members are then zero. */
function readSignature(object: RemoteObject, type: number): TransactionSignature {
  if (type === LEGACY_TYPE || !isKnownType(type)) {
    const number = (name: string) => object.find(name, QUANTITY) ?? 0n
    return { v: number('v'), r: number('r'), s: number('s') }
  }
  const v = object.find('v', QUANTITY) ?? object.get('yParity', QUANTITY)
  return { v, r: object.get('r', QUANTITY), s: object.get('s', QUANTITY) }
}

/** The chain id that is signed; a legacy transaction has it in its `v`. */
function readChainId(object: RemoteObject, type: number, v: bigint): bigint | undefined {
  if (type === LEGACY_TYPE) return legacyChainId(v)
  return isKnownType(type) ? object.get('chainId', QUANTITY) : object.find('chainId', QUANTITY)
}

/**
 * The encoding that has the given hash. No bytes if the members do not give it: for unknown types, impersonated senders of
 * other nodes, and numbers that were signed with leading zeros.
 */
function encodingOf(transaction: Omit<Transaction, 'encoded'>): Uint8Array {
  const { type, sender, nonce, hash, chainId = 0n, v, r, s } = transaction
  if (!isKnownType(type)) return EMPTY_BYTES
  if (sender === ZERO_ADDRESS && r === 0n && s === 0n) {
    const system = systemTransaction(nonce + 1n)
    if (system.hash === hash) return system.encoded
  }
  const members = [...unsignedMembers(transaction, chainId), ...[v, r, s].map(bigIntToBytes)]
  const encoded = encodeEnvelope(type, members)
  return toHash(keccak256(encoded)) === hash ? encoded : EMPTY_BYTES
}
