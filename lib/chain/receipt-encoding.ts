/** Encodes receipts as the receipt trie of a block contains them. */

import { bigIntToBytes, fromHex } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import type { RlpInput } from '../base/rlp.ts'
import type { Network } from '../config/network.ts'
import { orderedProof } from '../state/ordered-trie.ts'
import type { Block, Receipt } from './block.ts'

/** Encodes a receipt as the network's receipt roots cover it. */
export function encodeReceipt(kind: Network['kind'], receipt: Receipt): Uint8Array {
  return kind === 'merged-mining' ? mergedMiningReceipt(receipt) : ethereumReceipt(receipt)
}

/** Merkle proof of a receipt: nodes of the receipt trie from its leaf up to the root, whose hash is `receiptsRoot`. */
export function receiptNodes(
  { kind, stateTrie }: Network,
  { receipts }: Block,
  index: number,
): readonly Uint8Array[] {
  const encoded = receipts.map((receipt) => encodeReceipt(kind, receipt))
  return orderedProof(encoded, index, stateTrie).reverse()
}

/** Status, gas, bloom and logs, after the type byte of a typed transaction (EIP-2718). */
function ethereumReceipt(receipt: Receipt): Uint8Array {
  const { type } = receipt.transaction
  const body = encodeRlp([status(receipt), ...gasBloomAndLogs(receipt)])
  return type === 0 ? body : Uint8Array.of(type, ...body)
}

/** Status in place of a state root, cumulative gas, bloom, logs, gas and status (node-chain 5.1). */
function mergedMiningReceipt(receipt: Receipt): Uint8Array {
  const gasUsed = bigIntToBytes(receipt.outcome.gasUsed)
  return encodeRlp([status(receipt), ...gasBloomAndLogs(receipt), gasUsed, status(receipt)])
}

function gasBloomAndLogs({ outcome, cumulativeGasUsed }: Receipt): readonly RlpInput[] {
  const logs = outcome.logs.map((log) => [fromHex(log.address), log.topics.map(fromHex), log.data])
  return [bigIntToBytes(cumulativeGasUsed), outcome.logsBloom, logs]
}

function status({ outcome }: Receipt): Uint8Array {
  return outcome.status === 'success' ? Uint8Array.of(1) : new Uint8Array(0)
}
