/** Params and error kinds that methods of several files have. */

import type { Hash } from '../../base/hex.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import type { Node } from '../../node/node.ts'
import { blockRef, stateOverride, transactionRequest } from '../../schema/requests.ts'
import { address, hash, optional, optionalWith } from '../../schema/wire.ts'
import { param, type Param } from '../../kernel/method.ts'

export const account = param('address', address, 'Account.')

export const transactionHash = param('hash', hash, 'Hash of the transaction.')

/** Runs with the mined transaction of a hash; null if it is unknown. */
export const ofMined =
  <Given extends { readonly hash: Hash }, Result>(
    run: (mined: MinedReceipt, node: Node, given: Given) => Result,
  ) =>
  (given: Given, node: Node): Result | null => {
    const mined = node.chain.receipt(given.hash)
    return mined === undefined ? null : run(mined, node, given)
  }

/** A block with any kind of reference. */
export const anyBlock = param('block', blockRef, 'Number, tag or hash of the block.')

export const existing = <Of extends Param>(block: Of): Of => ({ ...block, errors: ['unknownBlock'] })

/** The block whose state a method reads. */
export const stateBlock = existing(
  param('block', optionalWith(blockRef, 'latest'), 'State to read; latest if left out.'),
)

/** A call that is not sent. */
export const execution = param('transaction', transactionRequest, 'What to execute.')

/** The block in which a call runs. */
export const executionBlock = existing(
  param('block', optionalWith(blockRef, 'latest'), 'State and block to execute in; latest if left out.'),
)

export const stateOverrides = param(
  'overrides',
  optional(stateOverride),
  'Changes to accounts for the call, by address.',
)

/** A transaction that a method signs or sends. */
export const transaction = param(
  'transaction',
  transactionRequest,
  '`from` is needed, the rest is filled in.',
)

/** Error kinds of executions that are not sent. */
export const EXECUTION_ERRORS = [
  'intrinsicGasTooLow',
  'feeTooLow',
  'invalidTransaction',
  'insufficientFunds',
  'initCodeTooLarge',
  'callTimeout',
] as const

/** Error kinds of signed transactions that run in a block which is not mined. */
export const UNMINED_ERRORS = [
  'invalidTransaction',
  'unsupportedTransaction',
  'wrongChainId',
  'transactionRejected',
  'gasLimitTooHigh',
  'callTimeout',
] as const
