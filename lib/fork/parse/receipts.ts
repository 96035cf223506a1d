/** Reads the receipts of a remote node. */

import { EMPTY_BYTES } from '../../base/hex.ts'
import type { Hash } from '../../base/hex.ts'
import {
  ADDRESS,
  HASH,
  INDEX,
  LIST,
  QUANTITY,
  QUANTITY_64,
  RemoteObject,
  readRemote,
} from '../../base/remote-object.ts'
import type { JsonForm } from '../../base/remote-object.ts'
import { NodeError } from '../../base/errors.ts'
import type { Receipt } from '../../chain/block.ts'
import type { Outcome, Status } from '../../evm/outcome.ts'
import { readBloom } from './bloom.ts'
import { readEvent } from './logs.ts'
import type { MinedTransaction } from './transaction.ts'

/**
 * The receipts of a block's transactions, in their order. A receipt of another transaction is ignored: some networks make
 * receipts of system events that blocks do not list.
 * @throws NodeError 'remoteFailed' naming the transaction and the member
 */
export function parseReceipts(json: unknown, transactions: readonly MinedTransaction[]): readonly Receipt[] {
  const byHash = new Map<Hash, RemoteObject>()
  for (const item of readRemote(json, 'receipts', LIST)) {
    const object = RemoteObject.of(item, 'receipt')
    const hash = object.get('transactionHash', HASH)
    byHash.set(hash, object.about(`receipt of transaction ${hash}`))
  }
  let logCount = 0
  return transactions.map((mined) => {
    const { hash } = mined.transaction
    const object = byHash.get(hash)
    if (object === undefined)
      throw new NodeError('remoteFailed', `the remote has no receipt of transaction ${hash}`)
    const receipt = readReceipt(object, mined, logCount)
    logCount = receipt.firstLogIndex + receipt.outcome.logs.length
    return receipt
  })
}

function readReceipt(object: RemoteObject, mined: MinedTransaction, logCount: number): Receipt {
  const effectiveGasPrice = object.find('effectiveGasPrice', QUANTITY) ?? mined.effectiveGasPrice
  const logs = object.objects('logs')
  return {
    transaction: mined.transaction,
    index: mined.index,
    outcome: readOutcome(object, mined, effectiveGasPrice, logs),
    cumulativeGasUsed: object.get('cumulativeGasUsed', QUANTITY_64),
    firstLogIndex: logs[0]?.find('logIndex', INDEX) ?? logCount,
    effectiveGasPrice,
  }
}

/**
 * The outcome. A receipt has neither the return data nor the exception of its transaction, nor the refunded gas: they are
 * empty, absent and zero. The fee is that for gas: it lacks what rollups charge for data.
 */
function readOutcome(
  object: RemoteObject,
  { transaction }: MinedTransaction,
  price: bigint,
  logs: readonly RemoteObject[],
): Outcome {
  const gasUsed = object.get('gasUsed', QUANTITY_64)
  const succeeded = object.find('status', STATUS)
  return {
    status: statusOf(succeeded, gasUsed === transaction.gasLimit),
    gasUsed,
    gasNeeded: gasUsed,
    fee: gasUsed * price,
    blobGas: readBlobGas(object),
    logs: logs.map(readEvent),
    logsBloom: readBloom(object),
    returnData: EMPTY_BYTES,
    contractAddress: object.find('contractAddress', ADDRESS),
    exception: undefined,
    postState: succeeded === undefined ? object.get('root', HASH) : undefined,
  }
}

/** Whether a transaction succeeded. */
const STATUS: JsonForm<boolean> = {
  expected: '0x0 or 0x1',
  read: (value) => (value === '0x1' ? true : value === '0x0' ? false : undefined),
}

/**
 * The status of a transaction. An exception uses up the gas limit and REVERT does not, unless nothing was left. A receipt from
 * before Byzantium does not tell the status (EIP-658); nothing shows the one that it gets here.
 */
function statusOf(succeeded: boolean | undefined, hasUsedLimit: boolean): Status {
  if (succeeded !== false) return 'success'
  return hasUsedLimit ? 'failed' : 'reverted'
}

function readBlobGas(object: RemoteObject): Outcome['blobGas'] {
  const used = object.find('blobGasUsed', QUANTITY_64)
  const price = object.find('blobGasPrice', QUANTITY)
  return used === undefined || price === undefined ? undefined : { used, price }
}
