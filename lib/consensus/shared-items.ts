/** Items of encoded headers and receipts that are the same on all networks. */

import { bigIntToBytes, fromHex } from '../base/hex.ts'
import type { RlpInput } from '../base/rlp.ts'
import type { ReceiptContent } from './consensus.ts'
import type { Header } from './header-fields.ts'

/** RLP items before the bloom. */
export function leadingItems(header: Header): readonly Uint8Array[] {
  return [
    fromHex(header.parentHash),
    fromHex(header.unclesHash),
    fromHex(header.coinbase),
    fromHex(header.stateRoot),
    fromHex(header.transactionsRoot),
    fromHex(header.receiptsRoot),
  ]
}

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
