/** Methods that return blobs of transactions that were sent to this node. */

import * as z from 'zod'
import { toHex } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { Node } from '../../node.ts'
import { dataText } from '../../schema/results.ts'
import { hash } from '../../schema/wire.ts'
import { method, param } from '../method.ts'
import { UNKNOWN_HASH } from './examples.ts'

/** A transaction in a block or in the pool. */
const findTransaction = ({ chain, mempool }: Node, wanted: Hash): Transaction | undefined =>
  chain.receipt(wanted)?.receipt.transaction ?? mempool.get(wanted)?.transaction

export const getBlobsByTransactionHash = method({
  name: 'anvil_getBlobsByTransactionHash',
  summary:
    'The blobs of a transaction in a block or in the pool; null if the transaction is unknown, has no blobs, or has blobs that were dropped, because the node keeps the newest 1024.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: z.array(dataText).nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ hash: wanted }, node) => {
    const sidecar = findTransaction(node, wanted) && node.sidecars.get(wanted)
    return sidecar === undefined ? null : sidecar.blobs.map(toHex)
  },
})

export const getBlobByHash = method({
  name: 'anvil_getBlobByHash',
  summary: 'The blob with a versioned hash, of a transaction in a block or in the pool, or null.',
  params: [param('versionedHash', hash, 'Versioned hash of the blob, which its transaction contains.')],
  result: dataText.nullable(),
  example: { params: [UNKNOWN_HASH], result: null },
  run: ({ versionedHash }, node) => {
    for (const [transactionHash, { blobs }] of node.sidecars.all) {
      const index = findTransaction(node, transactionHash)?.blobVersionedHashes?.indexOf(versionedHash) ?? -1
      const blob = blobs[index]
      if (blob !== undefined) return toHex(blob)
    }
    return null
  },
})
