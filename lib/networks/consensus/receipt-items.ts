/** The items of an encoded receipt, which are the same on all networks. */

import { bigIntToBytes, fromHex } from '../../base/hex.ts'
import type { RlpInput } from '../../base/rlp.ts'
import type { ReceiptContent } from './consensus.ts'

/** Status, cumulative gas, bloom and logs. */
export function receiptItems(receipt: ReceiptContent): readonly RlpInput[] {
  const { logs, logsBloom } = receipt.outcome
  const items = logs.map((log) => [fromHex(log.address), log.topics.map(fromHex), log.data])
  return [statusItem(receipt), bigIntToBytes(receipt.cumulativeGasUsed), logsBloom, items]
}

/** The status, or the state root of an old receipt (EIP-658). */
export function statusItem({ outcome }: Pick<ReceiptContent, 'outcome'>): Uint8Array {
  if (outcome.postState !== undefined) return fromHex(outcome.postState)
  return outcome.status === 'success' ? Uint8Array.of(1) : new Uint8Array(0)
}
