/** Params, error kinds and example values that several files use. */

import type { Hash } from '../../base/hex.ts'
import type { MinedReceipt } from '../../chain/chain-index.ts'
import type { ResolvedBlock } from '../../chain/miner/block-resolver.ts'
import type { BlockRef } from '../../chain/miner/block-resolver.ts'
import type { Node } from '../../node/node.ts'
import { blockRef, stateOverride, transactionRequest } from '../../schema/requests.ts'
import { address, hash, optional, optionalWith } from '../../schema/wire.ts'
import { param, type Param } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'

export const account = param('address', address, 'Account.')

export const transactionHash = param('hash', hash, 'Hash of the transaction.')

/** Runs with a mined transaction by hash; null if it is unknown. */
export const ofMined =
  <Given extends { readonly hash: Hash }, Result, Scope>(
    run: (mined: MinedReceipt, scope: Scope, args: Given) => Result,
  ) =>
  (args: Given, scope: Scope & Pick<Node, 'chain'>): Result | null => {
    const mined = scope.chain.receipt(args.hash)
    return mined === undefined ? null : run(mined, scope, args)
  }

export const anyBlock = param('block', blockRef, 'Number, tag or hash of the block.')

/** Runs with a block; null if it is unknown or has no such result. */
export const ofBlock =
  <Given extends { readonly block: BlockRef }, Result>(
    run: (resolved: ResolvedBlock, args: Given, context: RequestContext) => Result | undefined,
  ) =>
  (args: Given, { blockResolver }: Pick<Node, 'blockResolver'>, context: RequestContext): Result | null => {
    const resolved = blockResolver.find(args.block)
    return (resolved && run(resolved, args, context)) ?? null
  }

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

/** Error kinds of signed transactions that run in a block that is not mined. */
export const UNMINED_ERRORS = [
  'invalidTransaction',
  'unsupportedTransaction',
  'wrongChainId',
  'transactionRejected',
  'gasLimitTooHigh',
  'callTimeout',
] as const

/** The first account of every fresh node of network 33. */
export const COW = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

export const COW1 = '0x7986b3df570230288501eea3d890bd66948c9b79'

/** A transfer between them. */
export const TRANSFER = { from: COW, to: COW1, value: '0x1' }

/** A transfer of one wei between the first two accounts. */
export const SENT = {
  step: {
    method: 'eth_sendTransaction',
    params: [{ ...TRANSFER, gas: '0x5208', gasPrice: '0x0' }],
  },
  /** The transaction signed with nonce 0. */
  raw: '0xf85f8080825208947986b3df570230288501eea3d890bd66948c9b79018066a0687a7f0a044001b0f0d9cf758cafef7a347e59a5f3034fb6ab9c575804da1f96a052d5d5467bf488edc7396e8768ec2f667a05d224bdcb049bfed7a3e7ae9b4f0a',
  hash: '0x441120706e2ab767ad05ef9e5fce1ec9aca0c5c5fd2a8c7f3b92ad7a7dd26271',
} as const

/** An account with a passphrase. Its private key is 1, and its address is well known. */
export const PROTECTED = {
  address: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  key: `0x${'00'.repeat(31)}01`,
  step: { method: 'personal_importRawKey', params: [`0x${'00'.repeat(31)}01`, 'a passphrase'] },
} as const

/** A hash that no block and no transaction has. */
export const UNKNOWN_HASH = `0x${'00'.repeat(32)}`
