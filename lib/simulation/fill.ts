/** Fills in the absent fields of a transaction request. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import type { Chain } from '../chain/chain.ts'
import { DEFAULT_TIP, acceptedGasPrice } from '../chain/fees.ts'
import type { Network } from '../config/network.ts'
import type { TransactionCodec } from '../evm/codec.ts'
import { BLOB_TYPE } from '../evm/sidecar.ts'
import type { TransactionFields } from '../evm/transaction-fields.ts'
import { transactionTypeOf } from '../evm/transaction-type.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import type { Miner } from '../miner/miner.ts'
import type { Views } from '../miner/views.ts'
import type { Call, Simulator } from './simulator.ts'
import { fillBlobs } from './fill-blobs.ts'
import type { BlobRequest } from './fill-blobs.ts'

/** A transaction as a client describes it. */
export interface TransactionRequest extends Call, BlobRequest {
  readonly from: Address
  readonly nonce?: bigint | undefined
  readonly chainId?: bigint | undefined
  readonly type?: bigint | undefined
}

/** What filling in looks at. */
export interface FillContext {
  readonly network: Network
  readonly chain: Chain
  readonly mempool: Mempool
  readonly miner: Miner
  readonly views: Views
  readonly codec: TransactionCodec
  readonly simulator: Simulator
}

/**
 * Settles nonce, gas, fees and type.
 * Answers the outcome instead when gas had to be estimated and the transaction failed.
 * @throws NodeError 'wrongChainId', 'unsupportedTransaction', 'insufficientFunds'
 */
export function fillTransaction(
  draft: TransactionRequest,
  context: FillContext,
): TransactionFields | Outcome {
  const { chain, mempool, codec } = context
  checkChainId(draft, context.miner.settings)
  const type = transactionTypeOf(draft, codec.types)
  codec.checkType(type)
  const fees = feesOf(draft, type, context)
  const blobs = type === BLOB_TYPE ? fillBlobs(draft, context.miner.nextBlobBaseFee) : {}
  const gasLimit = gasOf({ ...draft, ...blobs }, context)
  if (typeof gasLimit !== 'bigint') return gasLimit
  return {
    type,
    ...fees,
    gasLimit,
    nonce: draft.nonce ?? mempool.nextNonce(draft.from, chain.head.state.nonce(draft.from)),
    to: draft.to,
    value: draft.value ?? 0n,
    data: draft.data ?? new Uint8Array(0),
    accessList: draft.accessList,
    authorizationList: draft.authorizationList,
    ...blobs,
  }
}

function checkChainId({ chainId }: TransactionRequest, own: Pick<BlockSettings, 'chainId'>): void {
  if (chainId === undefined || chainId === own.chainId) return
  throw new NodeError(
    'wrongChainId',
    `invalid chain id: the transaction names ${chainId}, this chain is ${own.chainId}`,
  )
}

function feesOf(
  draft: TransactionRequest,
  type: number,
  { chain, miner }: FillContext,
): Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const next = miner.plan()
  if (type < 2) {
    // The service spec's default is 0; where the network asks for more, 0 would only be refused.
    const least =
      next.baseFeePerGas > 0n
        ? next.baseFeePerGas + DEFAULT_TIP
        : acceptedGasPrice(chain.head.block.header, next)
    const gasPrice = draft.gasPrice ?? least
    return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
  }
  // A gas price says both: the miner earns what the base fee leaves of it.
  const most = draft.maxFeePerGas ?? draft.gasPrice
  const usual = draft.gasPrice ?? (most !== undefined && most < DEFAULT_TIP ? most : DEFAULT_TIP)
  const maxPriorityFeePerGas = draft.maxPriorityFeePerGas ?? usual
  // Twice the base fee: good for six full blocks in a row.
  return { maxFeePerGas: most ?? next.baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

function gasOf(draft: TransactionRequest, { network, views, simulator }: FillContext): bigint | Outcome {
  if (draft.gas !== undefined) return draft.gas
  // A creation is always estimated: web3.js and viem name no gas, and no default suits contracts of every size.
  if (network.defaultGas !== 'estimate' && draft.to !== undefined) return network.defaultGas
  const { gas, outcome } = simulator.estimate(views.at({ tag: 'pending' }), draft)
  return gas ?? outcome
}
