/** Converts the fields of an unsigned transaction to the library's form. */

import type { Common } from '@ethereumjs/common'
import type { TypedTxData } from '@ethereumjs/tx'
import { Address as LibraryAddress } from '@ethereumjs/util'
import { fromHex } from '../base/hex.ts'
import { BLOB_TYPE } from './sidecar.ts'
import type { TransactionFields } from './transaction.ts'

/** The fields in the library's form. */
export function libraryFields(fields: TransactionFields, common: Common): TypedTxData {
  const { type, nonce, gasLimit, value, data } = fields
  const shared = {
    type,
    nonce,
    gasLimit,
    value,
    data,
    ...(fields.to === undefined ? {} : { to: new LibraryAddress(fromHex(fields.to)) }),
  }
  if (type === 0) return { ...shared, gasPrice: fields.maxFeePerGas }
  const accessList = (fields.accessList ?? []).map(({ address, storageKeys }) => ({
    address,
    storageKeys: [...storageKeys],
  }))
  const typed = { ...shared, chainId: common.chainId(), accessList }
  if (type === 1) return { ...typed, gasPrice: fields.maxFeePerGas }
  const { maxFeePerGas, maxPriorityFeePerGas } = fields
  if (type === 2) return { ...typed, maxFeePerGas, maxPriorityFeePerGas }
  if (type === BLOB_TYPE) {
    const { maxFeePerBlobGas = 0n, blobVersionedHashes = [] } = fields
    return {
      ...typed,
      maxFeePerGas,
      maxPriorityFeePerGas,
      maxFeePerBlobGas,
      blobVersionedHashes: [...blobVersionedHashes],
    }
  }
  return { ...typed, maxFeePerGas, maxPriorityFeePerGas, authorizationList: authorizations(fields) }
}

function authorizations({ authorizationList = [] }: TransactionFields) {
  return authorizationList.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: `0x${chainId.toString(16)}` as const,
    address,
    nonce: `0x${nonce.toString(16)}` as const,
    yParity: `0x${yParity.toString(16)}` as const,
    r: `0x${r.toString(16)}` as const,
    s: `0x${s.toString(16)}` as const,
  }))
}
