/** Runs calls and estimates on a working copy of a block's state, which is then dropped. */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS } from '../base/hex.ts'
import type { Routine } from '../base/routine.ts'
import type { Chain } from '../chain/chain.ts'
import { defaultGasPrice } from '../chain/fees.ts'
import { headerContext } from '../chain/past-context.ts'
import type { Network } from '../config/network.ts'
import { blobGas } from '../evm/blob-gas.ts'
import type { BlockContext } from '../evm/block-context.ts'
import type { Engine } from '../evm/engine.ts'
import type { CallMessage, PreparedCall } from '../evm/simulated-call.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { ResolvedBlock } from '../miner/block-resolver.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import { State } from '../state/state.ts'
import { createAccessList } from './access-list.ts'
import type { AccessListResult } from './access-list.ts'
import type { CallTimer } from './call-timer.ts'
import { overrideBlock } from './block-overrides.ts'
import { overrideState } from './overrides.ts'
import type { Overrides } from './overrides.ts'
import { estimateGas } from './estimate-gas.ts'
import type { Estimate } from './estimate-gas.ts'
import type { TransactionRequest } from './transaction-request.ts'

/** Dependencies of a simulator. */
export interface SimulatorParts {
  readonly engine: Engine
  readonly chain: Chain
  /** The current chain id, which CHAINID returns in calls. */
  readonly settings: Pick<BlockSettings, 'chainId'>
  readonly network: Network
}

/** Runs calls. */
export class Simulator {
  readonly #parts: SimulatorParts

  constructor(parts: SimulatorParts) {
    this.#parts = parts
  }

  /**
   * Runs a call in a block, on the state after it. The sender's balance is not checked (node-chain 14).
   * @throws NodeError 'intrinsicGasTooLow'
   */
  call(
    view: ResolvedBlock,
    call: TransactionRequest,
    overrides: Overrides = {},
    timer?: CallTimer,
  ): Routine<Outcome> {
    return this.#run(this.prepare(view, call, overrides), timer)
  }

  /**
   * The minimum gas with which the call succeeds as a transaction. Without a fee it gets the default gas price.
   * The gas is absent if the call fails with the maximum, too.
   * @throws NodeError 'insufficientFunds', 'intrinsicGasTooLow'
   */
  estimate(
    view: ResolvedBlock,
    call: TransactionRequest,
    overrides: Overrides = {},
    timer?: CallTimer,
  ): Routine<Estimate> {
    const { state, context } = this.#open(view, overrides)
    const most = this.#maxEstimateGas(context, state, call)
    const hasBaseFee = view.block.header.baseFeePerGas !== undefined
    const paid = withDefaultPrice(call, hasBaseFee ? context : { ...context, baseFeePerGas: undefined })
    return estimateGas(most, (gas) =>
      this.#run({ state, context, message: messageOf(paid, gas, context.baseFeePerGas) }, timer),
    )
  }

  /**
   * The access list of the call, and the outcome with it. Sender, called contract and precompiles are warm anyway, so they
   * are in the list only with slots.
   */
  createAccessList(
    view: ResolvedBlock,
    call: TransactionRequest,
    overrides: Overrides = {},
    timer?: CallTimer,
  ): Routine<AccessListResult> {
    const { engine } = this.#parts
    const { state, context } = this.#open(view, overrides)
    const gas = this.#callGas(call)
    const warm = new Set([call.from ?? ZERO_ADDRESS, call.to])
    return createAccessList({
      given: call.accessList ?? [],
      isWarm: (address) => warm.has(address) || engine.isPrecompile(address),
      run: (accessList, observer) => {
        const message = messageOf({ ...call, accessList }, gas, context.baseFeePerGas)
        return engine.simulate(state, engine.open(context), message, { ...timer, ...observer })
      },
    })
  }

  /** Prepares a call, for callers that run it themselves. */
  prepare(view: ResolvedBlock, call: TransactionRequest, overrides: Overrides = {}): PreparedCall {
    const { state, context } = this.#open(view, overrides)
    const message = messageOf(call, this.#callGas(call), context.baseFeePerGas)
    return { state, context, message }
  }

  #run({ state, context, message }: PreparedCall, timer: CallTimer | undefined): Routine<Outcome> {
    const { engine } = this.#parts
    return engine.simulate(state, engine.open(context), message, timer)
  }

  /** The state and the block in which calls run, with the overrides applied. */
  #open(
    view: ResolvedBlock,
    { stateOverrides, blockOverrides }: Overrides,
  ): Pick<PreparedCall, 'state' | 'context'> {
    const state = new State(view.state)
    overrideState(state, stateOverrides)
    const { header } = view.block
    const { chain, settings } = this.#parts
    const context = headerContext(header, chain.byHash(header.parentHash), settings.chainId)
    return { state, context: overrideBlock(context, blockOverrides) }
  }

  #callGas({ gas }: TransactionRequest): bigint {
    const most = this.#parts.engine.gasCap(this.#parts.network.callGasCap)
    return gas !== undefined && gas < most ? gas : most
  }

  /** Upper bound of an estimate: the caller's, the network's, and what the sender can pay for. */
  #maxEstimateGas({ gasLimit }: BlockContext, state: State, call: TransactionRequest): bigint {
    const { engine, network } = this.#parts
    const limits = [engine.gasCap(network.estimateGasCap), gasLimit, call.gas ?? network.estimateGasCap]
    const most = limits.reduce((least, limit) => (limit < least ? limit : least))
    const affordable = affordableGas(engine, state, call)
    return affordable !== undefined && affordable < most ? affordable : most
  }
}

/** Gas that the sender can pay for besides the value; absent if the gas price is 0. */
function affordableGas(
  { minGas: least }: Engine,
  state: State,
  call: TransactionRequest,
): bigint | undefined {
  const { from = ZERO_ADDRESS, value = 0n, maxFeePerBlobGas = 0n } = call
  const blobFee = blobGas(call) * maxFeePerBlobGas
  const balance = (state.account(from)?.balance ?? 0n) - blobFee
  const price = call.gasPrice ?? call.maxFeePerGas ?? 0n
  const [what, want] = value > balance ? ['transfer', value] : ['gas * price + value', price * least + value]
  if (want > balance) {
    throw new NodeError(
      'insufficientFunds',
      `insufficient funds for ${what}: address ${from} have ${balance}, want ${want}`,
    )
  }
  return price === 0n ? undefined : (balance - value) / price
}

/** GASPRICE returns the price that the transaction will pay. The sender's balance need not cover the default price. */
function withDefaultPrice(
  call: TransactionRequest,
  block: Parameters<typeof defaultGasPrice>[0],
): TransactionRequest {
  const isPriced = call.gasPrice !== undefined || call.maxFeePerGas !== undefined
  return isPriced ? call : { ...call, gasPrice: defaultGasPrice(block) }
}

function messageOf(call: TransactionRequest, gasLimit: bigint, baseFeePerGas: bigint): CallMessage {
  return {
    sender: call.from ?? ZERO_ADDRESS,
    to: call.to,
    gasLimit,
    gasPrice: priceOf(call, baseFeePerGas),
    value: call.value ?? 0n,
    data: call.data ?? EMPTY_BYTES,
    accessList: call.accessList,
    authorizationList: call.authorizationList,
    blobVersionedHashes: call.blobVersionedHashes,
  }
}

/** The price that GASPRICE returns in the call. */
function priceOf(call: TransactionRequest, baseFeePerGas: bigint): bigint {
  if (call.gasPrice !== undefined) return call.gasPrice
  if (call.maxFeePerGas === undefined) return 0n
  const offered = baseFeePerGas + (call.maxPriorityFeePerGas ?? 0n)
  return offered < call.maxFeePerGas ? offered : call.maxFeePerGas
}
