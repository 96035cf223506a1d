/** Reads the transactions of a remote node. Of a type that this node does not know, the members of all types are kept. */

import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes, toHash } from '../base/hex.ts'
import type { Receipt } from '../chain/block.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { systemTransaction } from '../evm/system-transaction.ts'
import { encodeEnvelope, unsignedMembers } from '../evm/transaction-members.ts'
import { BLOB_TYPE, LEGACY_TYPE, SET_CODE_TYPE, hasGasPrice, isKnownType } from '../evm/transaction-types.ts'
import { effectiveGasPrice, legacyChainId } from '../evm/transaction.ts'
import type { Transaction, TransactionFields } from '../evm/transaction.ts'
import type { RemoteTransaction } from '../schema/remote.ts'

/** A transaction in a block, as far as block objects have it. */
export type MinedTransaction = Pick<Receipt, 'transaction' | 'index' | 'effectiveGasPrice'>

/** A transaction of a block, and the price that it paid. */
export function minedTransaction(
  given: RemoteTransaction,
  index: number,
  baseFeePerGas: bigint | undefined,
): MinedTransaction {
  const transaction = transactionOf(given)
  // Of a mined transaction, the gas price is the paid one (geth, ethapi, effectiveGasPrice).
  const price = given.gasPrice ?? effectiveGasPrice(transaction, baseFeePerGas ?? 0n)
  return { transaction, index, effectiveGasPrice: price }
}

function transactionOf(given: RemoteTransaction): Transaction {
  // Nodes from before EIP-2718 give no type.
  const { hash, from: sender, type = LEGACY_TYPE, v = given.yParity ?? 0n, r = 0n, s = 0n } = given
  // A legacy transaction has the chain id in its `v`.
  const chainId = type === LEGACY_TYPE ? legacyChainId(v) : given.chainId
  const members = { ...fieldsOf(given, type), v, r, s, chainId, sender, hash }
  return { ...members, encoded: encodingOf(members) }
}

function fieldsOf(given: RemoteTransaction, type: number): TransactionFields {
  const {
    nonce = 0n,
    to,
    gas,
    value,
    input,
    accessList = [],
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
  } = given
  // A gas price is both the maximum fee and the maximum tip, also of an unknown type, which may pay nothing for gas.
  const { gasPrice = maxFeePerGas } = given
  const isTyped = type !== LEGACY_TYPE && isKnownType(type)
  const hasPrice = hasGasPrice(type)
  return {
    type,
    nonce,
    to,
    gasLimit: gas,
    maxFeePerGas: hasPrice ? gasPrice : maxFeePerGas,
    maxPriorityFeePerGas: hasPrice ? gasPrice : maxPriorityFeePerGas,
    value,
    data: input,
    // Some nodes leave out an empty access list.
    accessList: isTyped ? accessList : undefined,
    authorizationList: type === SET_CODE_TYPE ? given.authorizationList : undefined,
    maxFeePerBlobGas: type === BLOB_TYPE ? given.maxFeePerBlobGas : undefined,
    blobVersionedHashes: type === BLOB_TYPE ? given.blobVersionedHashes : undefined,
  }
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
