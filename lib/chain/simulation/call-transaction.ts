/** Builds the transaction of a simulated call, checks it, and applies overrides to the state and the block. */

import { NodeError } from '../../base/errors.ts'
import { ZERO_ADDRESS, fromHex, stripZeros, type Address, type Hash } from '../../base/hex.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { TransactionCodec } from '../../evm/codec.ts'
import { isExternallyOwned } from '../../evm/delegation.ts'
import type { Engine } from '../../evm/engine.ts'
import type { RunningBlock } from '../../evm/machine/environment.ts'
import type { Rules } from '../../evm/rules.ts'
import { checkInitCode, minGasLimit, requiredFunds } from '../../evm/transaction-gas.ts'
import type { Transaction } from '../../evm/transaction.ts'
import { checkTip } from '../../networks/consensus/admission.ts'
import type { Withdrawal } from '../../networks/consensus/withdrawals.ts'
import type { State } from '../../state/state.ts'
import { transactionTypeOf, type TransactionRequest } from './transaction-request.ts'

/**
 * The block that a call runs in. If the call's fees are 0, as by default, the base fee is 0. If its maximum blob fee is 0, the blob
 * base fee is 0; a call without blobs keeps the block's (geth, NoBaseFee).
 */
function blockForCall(transaction: Transaction, block: RunningBlock): RunningBlock {
  const blobBaseFee = transaction.maxFeePerBlobGas === 0n ? 0n : block.blobBaseFee
  return { ...(isFree(transaction) ? withoutBaseFee(block) : block), blobBaseFee }
}

/** How an unchecked call runs: in its own block and with its sender's next nonce. Results show the requested nonce. */
export const uncheckedRun = (
  transaction: Transaction,
  { state, running }: Pick<CallContext, 'state' | 'running'>,
) => ({
  running: blockForCall(transaction, running),
  executedTransaction: { ...transaction, nonce: nextNonce(transaction, state) },
})

const nextNonce = ({ sender }: Pick<Transaction, 'sender'>, state: State): bigint =>
  state.account(sender)?.nonce ?? 0n

export const withoutBaseFee = (block: RunningBlock): RunningBlock => ({
  ...block,
  context: { ...block.context, baseFeePerGas: 0n },
})

interface CallContext {
  readonly engine: Engine
  readonly codec: TransactionCodec
  readonly state: State
  readonly running: RunningBlock
  readonly blockGasLeft: bigint
  /** Gas that the remaining calls of the request may use; it limits the gas of this call. */
  readonly requestGasLeft: bigint
  /** Whether calls are checked as transactions are: nonces, fees, and senders without code. */
  readonly isValidated: boolean
}

/** Makes the transaction. Gas defaults to what is left, at most that of one transaction (EIP-7825). @throws NodeError if it is invalid */
export function buildCallTransaction(call: TransactionRequest, context: CallContext): Transaction {
  const { engine, codec, state, requestGasLeft, blockGasLeft } = context
  const sender = call.from ?? ZERO_ADDRESS
  if (call.gas !== undefined && call.gas > blockGasLeft) {
    throw new NodeError('gasLimitTooHigh', `block gas limit reached: gas ${call.gas}, left ${blockGasLeft}`)
  }
  const type = transactionTypeOf(call, codec.types)
  codec.checkType(type)
  const gas = call.gas ?? engine.maxGasLimit(blockGasLeft)
  const maxFeePerGas = call.maxFeePerGas ?? call.gasPrice ?? 0n
  const transaction = codec.unsigned(
    {
      type,
      nonce: call.nonce ?? nextNonce({ sender }, state),
      to: call.to,
      gasLimit: gas < requestGasLeft ? gas : requestGasLeft,
      maxFeePerGas,
      maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? call.gasPrice ?? 0n,
      value: call.value ?? 0n,
      data: call.data ?? new Uint8Array(0),
      accessList: call.accessList,
      authorizationList: call.authorizationList,
      maxFeePerBlobGas: call.maxFeePerBlobGas,
      blobVersionedHashes: call.blobVersionedHashes,
    },
    sender,
  )
  check(transaction, context)
  return transaction
}

function check(transaction: Transaction, context: CallContext): void {
  const { engine, isValidated } = context
  checkInitCode(transaction, engine.rules)
  const intrinsicGas = minGasLimit(engine.rules, transaction)
  if (transaction.gasLimit < intrinsicGas) {
    throw new NodeError(
      'intrinsicGasTooLow',
      `intrinsic gas too low: have ${transaction.gasLimit}, want ${intrinsicGas}`,
    )
  }
  checkFees(transaction, context)
  checkFunds(transaction, context)
  if (!isValidated) return
  checkNonce(transaction, context)
  checkSender(transaction, context)
}

/** Whether the transaction pays nothing for gas, so that it runs without a base fee. */
const isFree = ({ maxFeePerGas, maxPriorityFeePerGas }: Transaction): boolean =>
  maxFeePerGas === 0n && maxPriorityFeePerGas === 0n

function checkFees(transaction: Transaction, { running, isValidated }: CallContext): void {
  const { baseFeePerGas } = running.context
  if (!isValidated && isFree(transaction)) return
  checkTip(transaction)
  const { maxFeePerGas } = transaction
  if (maxFeePerGas >= baseFeePerGas) return
  throw new NodeError(
    'feeTooLow',
    `max fee per gas less than block base fee: maxFeePerGas ${maxFeePerGas}, baseFee ${baseFeePerGas}`,
  )
}

function checkFunds(transaction: Transaction, { engine, state, running }: CallContext): void {
  const have = state.account(transaction.sender)?.balance ?? 0n
  const want = requiredFunds(engine.rules, transaction, running.context.baseFeePerGas)
  if (have >= want) return
  throw new NodeError(
    'insufficientFunds',
    `insufficient funds for gas * price + value: address ${transaction.sender} have ${have}, want ${want}`,
  )
}

function checkNonce(transaction: Transaction, { state }: CallContext): void {
  const { nonce } = transaction
  const next = nextNonce(transaction, state)
  if (nonce === next) return
  const [kind, word] = nonce < next ? (['nonceTooLow', 'low'] as const) : (['nonceTooHigh', 'high'] as const)
  throw new NodeError(kind, `nonce too ${word}: next nonce ${next}, transaction nonce ${nonce}`)
}

function checkSender({ sender }: Transaction, { state }: CallContext): void {
  const code = state.code(sender)
  if (isExternallyOwned(code)) return
  throw new NodeError(
    'senderNotExternal',
    `sender not an eoa: address ${sender} has ${code.length} bytes of code`,
  )
}

/** Block overrides of a client (geth, internal/ethapi/override, BlockOverrides); absent members do not change. */
export interface BlockOverrides {
  readonly number?: bigint | undefined
  readonly time?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly feeRecipient?: Address | undefined
  readonly prevRandao?: Hash | undefined
  readonly difficulty?: bigint | undefined
  readonly baseFeePerGas?: bigint | undefined
  /** Wei per gas of a blob. */
  readonly blobBaseFee?: bigint | undefined
  /** Hashes that BLOCKHASH returns, by block number. */
  readonly blockHash?: ReadonlyMap<bigint, Hash> | undefined
  /** Beacon root of the parent, of simulated blocks that have one (EIP-4788). */
  readonly beaconRoot?: Hash | undefined
  /** Credited after the calls, where blocks carry withdrawals (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[] | undefined
}

/** The block context with the overrides applied. @throws NodeError 'invalidTransaction' */
export function overrideBlock(
  rules: Rules,
  context: BlockContext,
  { blockOverrides: overrides = {}, stateOverrides }: Overrides,
): BlockContext {
  return {
    ...context,
    precompiles: overridePrecompiles(rules, stateOverrides),
    number: overrides.number ?? context.number,
    timestamp: overrides.time ?? context.timestamp,
    gasLimit: overrides.gasLimit ?? context.gasLimit,
    coinbase: overrides.feeRecipient ?? context.coinbase,
    mixHash: overrides.prevRandao ?? context.mixHash,
    difficulty: overrides.difficulty ?? context.difficulty,
    baseFeePerGas: overrides.baseFeePerGas ?? context.baseFeePerGas,
    // BASEFEE returns it where the rules say so (node-chain 9.1).
    minimumGasPrice: overrides.baseFeePerGas ?? context.minimumGasPrice,
    blobBaseFee: overrides.blobBaseFee ?? context.blobBaseFee,
    blockHash: (number) => overrides.blockHash?.get(number) ?? context.blockHash(number),
  }
}

/** Changes to one account; absent members do not change (geth, internal/ethapi/override, OverrideAccount). */
interface AccountOverride {
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
  readonly code?: Uint8Array | undefined
  /** Replaces the whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined
  /** Replaces single slots. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined
  /** The address to which the precompile of this address moves. */
  readonly movePrecompileToAddress?: Address | undefined
}

/** Changes to accounts, by address (geth, internal/ethapi/override, StateOverride). */
export type StateOverride = ReadonlyMap<Address, AccountOverride>

export interface Overrides {
  readonly stateOverrides?: StateOverride | undefined
  readonly blockOverrides?: BlockOverrides | undefined
  /**
   * Whether the sender needs the funds, as everywhere but in Hardhat (EDR, evm, disable_balance_check). By default only estimates
   * check funds. Uncharged calls never do.
   */
  readonly checksFunds?: boolean
}

/** The precompiles that a state override leaves or moves (geth, internal/ethapi/override, Apply). @throws NodeError 'invalidTransaction' */
function overridePrecompiles(
  { precompiles, precompileRules }: Rules,
  overrides: StateOverride = new Map(),
): ReadonlyMap<Address, Address> {
  const placed = new Map([...precompiles.keys()].map((address) => [address, address]))
  for (const [address, { code, movePrecompileToAddress: target }] of overrides) {
    if (code !== undefined || target !== undefined) placed.delete(address)
    if (target === undefined) continue
    // The service spec does not support it. An error is clearer than a member that is ignored.
    if (!precompileRules.areMovable) throw invalid('movePrecompileToAddress is not supported')
    if (!precompiles.has(address)) throw invalid(`account ${address} is not a precompile`)
    if (overrides.has(target)) throw invalid(`account ${target} is already overridden`)
    placed.set(target, address)
  }
  return placed
}

const invalid = (message: string): NodeError => new NodeError('invalidTransaction', message)

/** Applies a state override to a working copy. */
export function overrideState(state: State, overrides: StateOverride | undefined): void {
  if (overrides === undefined) return
  for (const [address, account] of overrides) {
    const { nonce, balance } = state.account(address) ?? { nonce: 0n, balance: 0n }
    state.putAccount(address, { nonce: account.nonce ?? nonce, balance: account.balance ?? balance })
    if (account.code !== undefined) state.putCode(address, account.code)
    if (account.state !== undefined) state.clearStorage(address)
    for (const [slot, value] of account.state ?? account.stateDiff ?? []) {
      state.putStorage(address, slot, stripZeros(fromHex(value)))
    }
  }
}
