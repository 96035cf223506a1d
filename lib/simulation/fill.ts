/** Fills in the absent fields of a transaction request. */

import { NodeError } from '../base/errors.ts'
import type { Address } from '../base/hex.ts'
import { runAtOnce } from '../base/routine.ts'
import type { Chain } from '../chain/chain.ts'
import { DEFAULT_TIP, acceptedGasPrice } from '../chain/fees.ts'
import type { Network } from '../config/network.ts'
import type { TransactionCodec } from '../evm/codec.ts'
import { BLOB_TYPE } from '../evm/sidecar.ts'
import type { TransactionFields } from '../evm/transaction.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Mempool } from '../mempool/mempool.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import type { Miner } from '../miner/miner.ts'
import type { BlockResolver } from '../miner/views.ts'
import { fillBlobs } from './fill-blobs.ts'
import type { Simulator } from './simulator.ts'
import type { TransactionRequest } from './transaction-request.ts'
import { transactionTypeOf } from './transaction-type.ts'

/** Services that the values of absent members come from. */
export interface FillContext {
  readonly network: Network
  readonly chain: Chain
  readonly mempool: Mempool
  readonly miner: Miner
  readonly views: BlockResolver
  readonly codec: TransactionCodec
  readonly simulator: Simulator
}

/**
 * Fills in nonce, gas limit, fees and type.
 * The result is the outcome of the estimate if the gas limit had to be estimated and the transaction fails.
 * @throws NodeError 'wrongChainId', 'unsupportedTransaction', 'insufficientFunds'
 */
export function fillTransaction(
  request: TransactionRequest,
  sender: Address,
  context: FillContext,
): TransactionFields | Outcome {
  const { chain, mempool, codec } = context
  checkChainId(request, context.miner.settings)
  const type = transactionTypeOf(request, codec.types)
  codec.checkType(type)
  const fees = feesOf(request, type, context)
  const blobs = type === BLOB_TYPE ? fillBlobs(request, context.miner.nextBlobBaseFee) : {}
  const gasLimit = gasOf({ ...request, from: sender, ...blobs }, context)
  if (typeof gasLimit !== 'bigint') return gasLimit
  return {
    type,
    ...fees,
    gasLimit,
    nonce: request.nonce ?? mempool.nextNonce(sender, chain.head.state.nonce(sender)),
    to: request.to,
    value: request.value ?? 0n,
    data: request.data ?? new Uint8Array(0),
    accessList: request.accessList,
    authorizationList: request.authorizationList,
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
  request: TransactionRequest,
  type: number,
  { chain, miner }: FillContext,
): Pick<TransactionFields, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const next = miner.nextBlockContext()
  if (type < 2) {
    // The service spec's default is 0. If the network asks for more, a price of 0 would be refused.
    const least =
      next.baseFeePerGas > 0n
        ? next.baseFeePerGas + DEFAULT_TIP
        : acceptedGasPrice(chain.head.block.header, next)
    const gasPrice = request.gasPrice ?? least
    return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
  }
  // A gas price is both limits, so the miner earns all of it above the base fee.
  const most = request.maxFeePerGas ?? request.gasPrice
  const usual = request.gasPrice ?? (most !== undefined && most < DEFAULT_TIP ? most : DEFAULT_TIP)
  const maxPriorityFeePerGas = request.maxPriorityFeePerGas ?? usual
  // Twice the base fee, which is enough for six full blocks in a row (geth, setLondonFeeDefaults).
  return { maxFeePerGas: most ?? next.baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

function gasOf(request: TransactionRequest, { network, views, simulator }: FillContext): bigint | Outcome {
  if (request.gas !== undefined) return request.gas
  // A creation is always estimated: web3.js and viem give no gas limit, and no default suits contracts of every size.
  if (network.defaultGas !== 'estimate' && request.to !== undefined) return network.defaultGas
  const { gas, outcome } = runAtOnce(simulator.estimate(views.at({ tag: 'pending' }), request))
  return gas ?? outcome
}
