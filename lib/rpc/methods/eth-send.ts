/** Methods that send transactions, and the filling in and signing that other methods use too. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError, invalidParams } from '../../base/errors.ts'
import { EMPTY_BYTES, toHex, type Address, type Hash, type Hex } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import { networkForm } from '../../evm/sidecar.ts'
import type { Transaction, TransactionFields } from '../../evm/transaction.ts'
import { minesAtOnce } from '../../config/mining-mode.ts'
import { loadAhead } from '../../chain/miner/submission.ts'
import type { NextBlock } from '../../chain/miner/next-block.ts'
import type { Node } from '../../node/node.ts'
import { data, optional, quantity, quantity64 } from '../../schema/wire.ts'
import { signedTransactionObject } from '../../schema/keys.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { hashText } from '../../schema/results.ts'
import { defaultGasOf, fillTransaction } from '../../chain/simulation/fill.ts'
import type { TransactionRequest } from '../../chain/simulation/transaction-request.ts'
import { logSimulated, failureOf, minedFailureOf, type ExplainingChain } from '../failed-executions.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
import { renderPending } from '../render/block.ts'
import { COW, SENT, TRANSFER, transaction } from './params.ts'

/** Error kinds of filling in and signing. */
export const SIGN_ERRORS = [
  'invalidTransaction',
  'insufficientFunds',
  'feeTooLow',
  'wrongChainId',
  'unsupportedTransaction',
  'reverted',
  'executionFailed',
  'callTimeout',
] as const

export const SEND_ERRORS = [
  ...SIGN_ERRORS,
  'alreadyKnown',
  'nonceTooLow',
  'nonceTooHigh',
  'gasLimitTooHigh',
  'intrinsicGasTooLow',
  'feeTooHigh',
  'underpriced',
  'initCodeTooLarge',
] as const

/** The parts of the node that filling in, signing and sending a transaction use. */
export interface SendingChain
  extends
    ExplainingChain,
    Pick<Node, 'blockResolver' | 'codec' | 'impersonation' | 'keystore' | 'mempool' | 'miner' | 'network'>,
    Pick<Node, 'customErrors' | 'options' | 'simulator' | 'submission'> {}

/** Such a chain and its next block. */
export interface SendContext {
  readonly node: SendingChain
  readonly request: RequestContext
  readonly nextBlock: NextBlock
}

/** The context of a transaction for the block after the head. */
export const sendContext = (node: SendingChain, request: RequestContext): SendContext => ({
  node,
  request,
  nextBlock: node.miner.nextBlock(),
})

/** Fills in absent members and signs with the sender's key. Without a key the sender is impersonated. */
export function* signRequest(
  request: TransactionRequest,
  keyOf: (from: Address) => Uint8Array | undefined,
  context: SendContext,
): Routine<Transaction> {
  const from = requireFrom(request)
  const privateKey = keyOf(from)
  if (privateKey === undefined) return yield* impersonatedTransaction(request, context)
  return context.node.codec.sign(yield* fieldsOf(request, from, context), privateKey, from)
}

/** A signed transaction in the form it is sent, with its blobs (EIP-4844). */
export const signedBytes = (signed: Transaction): Hex => toHex(networkForm(signed, signed.sidecar))

/** Fills in absent members. The transaction has no signature, because its sender is impersonated. */
export function* impersonatedTransaction(
  request: TransactionRequest,
  context: SendContext,
): Routine<Transaction> {
  const from = requireFrom(request)
  return context.node.codec.impersonate(yield* fieldsOf(request, from, context), from)
}

function* fieldsOf(
  request: TransactionRequest,
  from: Address,
  { node, nextBlock, request: context }: SendContext,
): Routine<TransactionFields> {
  const fields = yield* fillTransaction(request, from, node, nextBlock)
  if (!('status' in fields)) return fields
  // The estimate failed, so the transaction would fail too.
  const { simulator, blockResolver } = node
  const pending = simulator.hold(yield* blockResolver.pending())
  const prepare = () => simulator.prepareEstimate(pending, { ...request, from })
  logSimulated(context, node, { kind: 'estimate', request, outcome: fields, block: pending.block, prepare })
  throw failureOf(fields)
}

/** Fills in absent members and signs with a key of this node, or impersonates the sender. */
export function signOrImpersonate(request: TransactionRequest, context: SendContext): Routine<Transaction> {
  const { keystore, impersonation } = context.node
  // An unlocked key signs, even if the account is impersonated.
  const keyOf = (from: Address) =>
    impersonation.has(from) && !keystore.isUnlocked(from) ? undefined : keystore.senderKey(from)
  return signRequest(request, keyOf, context)
}

/**
 * Submits a transaction and returns its hash; `asked` is the original request, unless it was sent signed. Throws the error of a
 * mined transaction that failed, unless hashes are wanted.
 */
export function* send(
  signed: Transaction,
  { node, request, nextBlock }: SendContext,
  asked?: TransactionRequest,
): Routine<Hash> {
  if (request.dialect === 'hardhat') checkNotQueued(signed, node, nextBlock)
  const mined = yield* node.submission.submit(signed, nextBlock)
  const { hash } = signed
  if (mined === undefined) return hash
  const { entry, receipt } = mined
  request.logTransaction(receipt, entry.block.header.number)
  const isHashWanted = node.options.returnHashOnRevert || request.dialect === 'ethereum'
  if (receipt.outcome.status !== 'success' && !isHashWanted) {
    throw minedFailureOf(receipt.outcome, hash, asked && defaultGasOf(asked, node.network))
  }
  return hash
}

/** With automine Hardhat refuses what cannot be mined at once. @throws NodeError 'nonceTooHigh' */
function checkNotQueued(
  { sender, nonce }: Transaction,
  { mempool, miner }: Pick<Node, 'mempool' | 'miner'>,
  { parent }: NextBlock,
): void {
  const expected = mempool.nextNonce(sender, parent.state.nonce(sender))
  if (nonce <= expected || !minesAtOnce(miner.mode)) return
  const message = `nonce too high: next nonce ${expected}, transaction nonce ${nonce}`
  throw new NodeError('nonceTooHigh', message, { phrases: PHRASES.notQueued({ next: expected, nonce }) })
}

export const sendTransaction = writeMethod({
  name: 'eth_sendTransaction',
  summary:
    'Signs a transaction with a key of this node, or for an impersonated account with none, and sends it. A mined transaction that reverts gives the error of the revert with its hash in `txHash`.',
  params: [transaction],
  result: hashText,
  errors: ['unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [TRANSFER] },
  *run({ transaction: asked }, node: SendingChain, request) {
    const context = sendContext(node, request)
    const { from: sender, to, value = 0n, data: input = EMPTY_BYTES } = asked
    // Hardhat takes this for a forgotten `to`.
    if (request.dialect === 'hardhat' && to === undefined && input.length === 0)
      throw new NodeError('transactionRejected', 'Contract creation without any data provided')
    if (sender !== undefined)
      loadAhead({ sender, to, value, data: input }, context.nextBlock, context.node.network)
    return yield* send(yield* signOrImpersonate(asked, context), context, asked)
  },
})

export const sendRawTransaction = writeMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Sends a signed transaction. If it is mined and reverts, the error has its hash in `txHash`.',
  params: [param('data', data, 'Signed transaction.')],
  result: hashText,
  errors: SEND_ERRORS,
  example: { params: [SENT.raw], result: SENT.hash },
  run: ({ data: encoded }, node: SendingChain, request) => {
    const decoded = node.codec.decode(encoded)
    const context = sendContext(node, request)
    loadAhead(decoded, context.nextBlock, node.network)
    return send(decoded, context)
  },
})

export const resend = writeMethod({
  name: 'eth_resend',
  summary: 'Replaces a pooled transaction, signed with a key of this node. The pool wants a higher price.',
  params: [
    param('transaction', transactionRequest, 'The pooled transaction; `from` and `nonce` are needed.'),
    param('gasPrice', optional(quantity), 'Gas price, in wei; that of the transaction if left out.'),
    param('gasLimit', optional(quantity64), 'Gas limit; that of the transaction if left out.'),
  ],
  result: hashText,
  errors: ['invalidParams', 'transactionRejected', 'unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [{ from: COW, nonce: '0x0' }, '0x1'], refusal: 'transactionRejected' },
  *run({ transaction: pooled, gasPrice, gasLimit }, node: SendingChain, request) {
    const from = requireFrom(pooled)
    const { nonce } = pooled
    if (nonce === undefined)
      throw invalidParams('params[0].nonce (transaction): expected a nonce, got nothing')
    if (node.mempool.find(from, nonce) === undefined) {
      throw new NodeError(
        'transactionRejected',
        `no transaction of ${from} with nonce ${nonce} is in the pool`,
      )
    }
    const fees =
      gasPrice === undefined ? {} : { gasPrice, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
    const changed = { ...pooled, ...fees, gas: gasLimit ?? pooled.gas }
    const context = sendContext(node, request)
    return yield* send(yield* signOrImpersonate(changed, context), context)
  },
})

export const fill = readMethod({
  name: 'eth_fillTransaction',
  summary: 'Fills in absent members of a transaction: nonce, fees, type, estimated gas. Signs nothing.',
  params: [transaction],
  result: signedTransactionObject,
  errors: SIGN_ERRORS,
  example: { params: [TRANSFER] },
  *run({ transaction: request }, node: SendingChain & Pick<Node, 'consensus'>, context) {
    const from = requireFrom(request)
    // The client signs the returned transaction, so it needs enough gas. geth also estimates here and infers the type.
    const network = {
      ...node.network,
      defaultGas: 'estimate',
      defaultGasPrice: undefined,
      isStrict: false,
    } as const
    const fields = yield* fieldsOf(request, from, sendContext({ ...node, network }, context))
    const unsigned = node.codec.unsigned(fields, from)
    return { raw: signedBytes(unsigned), tx: renderPending(unsigned, node.consensus) }
  },
})

/** Returns the sender of a request. @throws NodeError 'invalidParams' if the request has none */
export function requireFrom({ from }: TransactionRequest): Address {
  if (from !== undefined) return from
  throw invalidParams('params[0].from (transaction): expected a 20-byte address, got nothing')
}
