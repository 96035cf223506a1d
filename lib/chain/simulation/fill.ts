/** Fills in the absent fields of a transaction request. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError } from '../../base/errors.ts'
import type { Address } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import { DEFAULT_TIP, acceptedGasPrice } from '../fees.ts'
import { checkTip } from '../../networks/consensus/admission.ts'
import type { Network } from '../../config/network.ts'
import type { TransactionCodec } from '../../evm/codec.ts'
import { BLOB_TYPE, hasGasPrice, type BlobSidecar, type TransactionFields } from '../../evm/transaction.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import type { Miner } from '../miner/miner.ts'
import type { NextBlock } from '../miner/next-block.ts'
import type { BlockResolver } from '../miner/block-resolver.ts'
import type { CallTimer } from '../../evm/observer.ts'
import type { Simulator } from './simulator.ts'
import type { TransactionRequest } from './transaction-request.ts'
import { areLegacy, checkNamedType, namedTypeOf, transactionTypeOf } from './transaction-request.ts'
import { versionedHash } from '../../evm/sidecar.ts'

/** The values of absent members come from these services. */
interface FillContext {
  readonly network: Network
  readonly mempool: Mempool
  readonly miner: Pick<Miner, 'settings' | 'blobBaseFeeOf'>
  readonly blockResolver: BlockResolver
  readonly codec: TransactionCodec
  readonly simulator: Simulator
  readonly startCallTimer: () => CallTimer
}

/**
 * Fills in nonce, gas limit, fees and type for the next block.
 * The result is the outcome of the estimate if the gas limit had to be estimated and the transaction fails.
 * @throws NodeError 'wrongChainId', 'unsupportedTransaction', 'insufficientFunds', 'feeTooLow', 'callTimeout'
 */
export function* fillTransaction(
  request: TransactionRequest,
  sender: Address,
  context: FillContext,
  next: NextBlock,
): Routine<TransactionFields | Outcome> {
  const { miner, mempool, codec, network } = context
  checkChainId(request, miner.settings, codec.types)
  const type = network.isStrict ? namedTypeOf(request) : transactionTypeOf(request, codec.types)
  codec.checkType(type)
  if (network.isStrict) checkNamedType(request)
  const fees = feesOf(request, type, { ...next, network })
  checkTip(fees)
  const blobs = type === BLOB_TYPE ? fillBlobs(request, miner.blobBaseFeeOf(next)) : {}
  const gasLimit = yield* gasOf({ ...request, from: sender, ...blobs }, context)
  if (typeof gasLimit !== 'bigint') return gasLimit
  return {
    type,
    ...fees,
    gasLimit,
    nonce: request.nonce ?? mempool.nextNonce(sender, next.parent.state.nonce(sender)),
    to: request.to,
    value: request.value ?? 0n,
    data: request.data ?? new Uint8Array(0),
    accessList: request.accessList,
    authorizationList: request.authorizationList,
    ...blobs,
  }
}

function checkChainId(
  { chainId }: TransactionRequest,
  own: Pick<BlockSettings, 'chainId'>,
  types: readonly number[],
): void {
  if (chainId === undefined || chainId === own.chainId) return
  // On such a network 0 means the chain's own id (node-rpc 5.8).
  if (chainId === 0n && areLegacy(types)) return
  throw new NodeError(
    'wrongChainId',
    `invalid chain id: the transaction is for ${chainId}, this chain is ${own.chainId}`,
    { phrases: PHRASES.askedForOther(chainId, own.chainId) },
  )
}

function feesOf(
  request: TransactionRequest,
  type: number,
  { parent, context, network }: NextBlock & Pick<FillContext, 'network'>,
): Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const accepted = acceptedGasPrice(parent.block.header, context)
  if (hasGasPrice(type)) {
    const minimum = context.baseFeePerGas > 0n ? context.baseFeePerGas + DEFAULT_TIP : accepted
    const gasPrice = request.gasPrice ?? network.defaultGasPrice ?? minimum
    return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
  }
  // A gas price is both the maximum fee and the maximum tip, so the miner earns all of it above the base fee.
  const maxFeePerGas = request.maxFeePerGas ?? request.gasPrice
  const defaultTip = network.baseFee === false ? accepted : DEFAULT_TIP
  const tip =
    request.gasPrice ?? (maxFeePerGas !== undefined && maxFeePerGas < defaultTip ? maxFeePerGas : defaultTip)
  const maxPriorityFeePerGas = request.maxPriorityFeePerGas ?? tip
  // Twice the base fee, which is enough for six full blocks in a row (geth, setLondonFeeDefaults).
  return {
    maxFeePerGas: maxFeePerGas ?? context.baseFeePerGas * 2n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  }
}

/**
 * The gas that the network gives to a request without gas; undefined if it is estimated. Creations are always estimated: web3.js
 * and viem give no gas limit, and no default suits contracts of every size.
 */
export const defaultGasOf = (
  { gas, to }: TransactionRequest,
  { defaultGas }: Pick<Network, 'defaultGas'>,
): bigint | undefined =>
  gas === undefined && to !== undefined && defaultGas !== 'estimate' ? defaultGas : undefined

function* gasOf(
  request: TransactionRequest,
  { network, blockResolver, simulator, startCallTimer }: FillContext,
): Routine<bigint | Outcome> {
  const known = request.gas ?? defaultGasOf(request, network)
  if (known !== undefined) return known
  const pending = yield* blockResolver.pending()
  const { gas, outcome } = yield* simulator.estimate(pending, request, {}, startCallTimer())
  return gas ?? outcome
}

/**
 * Fills in versioned hashes, blob fee and sidecar. The default fee is twice the blob base fee of the next block.
 * @throws NodeError 'invalidTransaction' for blobs without commitments and proofs
 */
function fillBlobs(
  request: TransactionRequest,
  nextBlobBaseFee: bigint,
): Pick<TransactionFields, 'maxFeePerBlobGas' | 'blobVersionedHashes' | 'sidecar'> {
  const sidecar = sidecarOf(request)
  return {
    maxFeePerBlobGas: request.maxFeePerBlobGas ?? nextBlobBaseFee * 2n,
    blobVersionedHashes: request.blobVersionedHashes ?? sidecar?.commitments.map(versionedHash) ?? [],
    sidecar,
  }
}

function sidecarOf({ blobs, commitments, proofs }: TransactionRequest): BlobSidecar | undefined {
  if (blobs === undefined) return undefined
  if (commitments === undefined || proofs === undefined) {
    throw new NodeError(
      'invalidTransaction',
      'invalid transaction: blobs need commitments and proofs beside them, which this node checks and does not make',
    )
  }
  return { version: proofs.length === blobs.length ? 0 : 1, blobs, commitments, proofs }
}
