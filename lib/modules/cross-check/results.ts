/** Schemas of the reports of cross-checks, for documents, tests and types. */

import * as z from 'zod'
import { addressText, dataText, hashText, list, quantityText, text } from '../../schema/results.ts'

/** An account of the state before a block, as a genesis file has it. */
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
  /** Absent for a difference of the state after the block, or of the block. */
  transaction: hashText.optional(),
  address: addressText.optional(),
  slot: hashText.optional(),
  /** The value of the node: hex for bytes and words, decimal for numbers. */
  node: text,
  /** The value of the second execution. */
  secondOpinion: text,
})

/** A value in which two executions differ. */
export type ExecutionDifference = z.output<typeof difference>

/** A difference between two executions of a block, with what is needed to repeat them. */
export const crossCheckReport = z.strictObject({
  /** The code that ran the block a second time. */
  secondOpinion: text,
  /** `eips` are the EIPs that the network adds to its hard fork. */
  network: z.strictObject({ hardfork: text, chainId: quantityText, eips: list(z.int()) }),
  block: checkedHeader,
  /** Hashes of earlier blocks that code asked for, by number. */
  blockHashes: z.record(text, hashText),
  /** In order, up to the first one that differs. */
  transactions: list(z.strictObject({ hash: hashText, from: addressText, raw: dataText })),
  /** The accounts that one of the executions read or changed, before the block. */
  preState: z.record(addressText, account),
  differences: list(difference),
})

/** A difference between two executions of a block. */
export type CrossCheckReport = z.output<typeof crossCheckReport>

export const crossCheckResults = z.strictObject({
  /** Blocks and transactions that were run twice. */
  blocks: z.int(),
  transactions: z.int(),
  /** Blocks with a difference. */
  failures: z.int(),
  /** Reports of the newest of them, newest first. */
  reports: list(crossCheckReport),
})
