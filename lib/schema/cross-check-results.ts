/** Schemas of cross-checks. */

import * as z from 'zod'
import { addressText, dataText, hashText, quantityText, text } from './results.ts'

const account = z.strictObject({
  nonce: quantityText,
  balance: quantityText,
  code: dataText,
  /** The slots that were read or changed. */
  storage: z.record(hashText, hashText),
})

/** Members of the header that executions depend on. */
const checkedHeader = z.strictObject({
  hash: hashText,
  number: quantityText,
  parentHash: hashText,
  timestamp: quantityText,
  miner: addressText,
  gasLimit: quantityText,
  difficulty: quantityText,
  mixHash: hashText,
  baseFeePerGas: quantityText.optional(),
  excessBlobGas: quantityText.optional(),
  parentBeaconBlockRoot: hashText.optional(),
})

const difference = z.strictObject({
  /** The differing member, such as `gasUsed`, `storage` or `stateRoot`; `block` if the second execution finds the block invalid. */
  kind: text,
  transaction: hashText.optional(),
  address: addressText.optional(),
  slot: hashText.optional(),
  /** The value of the node: hex for bytes and words, decimal for numbers. */
  node: text,
  secondOpinion: text,
})

/** A difference between two executions of a block, with what is needed to repeat them. */
export const crossCheckReport = z.strictObject({
  secondOpinion: text,
  network: z.strictObject({ hardfork: text, chainId: quantityText, eips: z.array(z.int()).readonly() }),
  block: checkedHeader,
  blockHashes: z.record(text, hashText),
  transactions: z.array(z.strictObject({ hash: hashText, from: addressText, raw: dataText })).readonly(),
  preState: z.record(addressText, account),
  differences: z.array(difference).readonly(),
})

/** Findings of the cross-checks of a node. */
export const crossCheckResults = z.strictObject({
  /** Blocks that were run twice. */
  blocks: z.int(),
  /** Transactions that were run twice. */
  transactions: z.int(),
  /** Blocks with a difference. */
  failures: z.int(),
  /** Reports of the newest of them, newest first. */
  reports: z.array(crossCheckReport).readonly(),
})
