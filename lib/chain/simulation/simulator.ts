/** Runs calls, estimates and access lists on a working copy of a block's state, which is then dropped. */

import { NodeError } from '../../base/errors.ts'
import { getOrAdd } from '../../base/once.ts'
import { ZERO_ADDRESS, type Address, type Hash } from '../../base/hex.ts'
import type { Routine } from '../../base/routine.ts'
import type { Network } from '../../config/network.ts'
import { PHRASES } from '../../config/phrases.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { RunningBlock } from '../../evm/machine/environment.ts'
import type { CallTimer, Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { PreparedCall } from '../../evm/simulated-call.ts'
import { blobGas, type AccessList } from '../../evm/transaction.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import { State } from '../../state/state.ts'
import { headerContext } from '../ancestors.ts'
import type { Chain } from '../chain.ts'
import { DEFAULT_TIP } from '../fees.ts'
import type { ResolvedBlock } from '../miner/block-resolver.ts'
import type { BlockSettings } from '../miner/block-settings.ts'
import { withoutBaseFee, overrideBlock, overrideState, type Overrides } from './call-transaction.ts'
import { maxPriceOf, messageOf, priceOf, type TransactionRequest } from './transaction-request.ts'

export interface SimulatorDependencies {
  readonly engine: Engine
  readonly chain: Chain
  /** The current chain id, which CHAINID returns in calls. */
  readonly settings: Pick<BlockSettings, 'chainId'>
  readonly network: Network
}

export const contextIn = (
  { block: { header, hash }, isPending }: ResolvedBlock,
  { chain, settings }: Pick<SimulatorDependencies, 'chain' | 'settings'>,
): BlockContext =>
  headerContext(header, chain.parentLookup(header), settings.chainId, isPending ? undefined : hash)

const NONE: Overrides = {}

/** Above this number of cached accounts and slots (3 MB), the next call begins with an empty cache. */
const MAX_IDLE_CACHED = 4096

interface HeldBlock extends ResolvedBlock {
  readonly running?: RunningBlock
}

interface OpenCall extends PreparedCall {
  readonly running: RunningBlock
}

export class Simulator {
  readonly #dependencies: SimulatorDependencies
  /** The block of the last call. If the next call runs in the same block, its parent need not be looked up. */
  #block: { readonly header: Header; readonly running: RunningBlock } | undefined
  /** The last block that a call saw without its base fee, and the block as the call saw it. */
  #freeBlock: { readonly block: RunningBlock; readonly running: RunningBlock } | undefined
  /** A state that the last call has left unchanged. The next call need not hash the same accounts and slots again. */
  #idleState: State | undefined

  constructor(dependencies: SimulatorDependencies) {
    this.#dependencies = dependencies
  }

  /** Runs a call. @throws NodeError 'intrinsicGasTooLow', 'feeTooLow', 'insufficientFunds' */
  *call(
    resolved: ResolvedBlock,
    call: TransactionRequest,
    overrides: Overrides = NONE,
    timer?: CallTimer,
  ): Routine<Outcome> {
    const { state, running, message } = this.prepare(resolved, call, overrides)
    const outcome = yield* this.#dependencies.engine.simulate(state, running, message, timer)
    this.#keep(state)
    return outcome
  }

  /**
   * The minimum gas with which the call succeeds as a transaction. A call without a fee gets the default gas price. The gas is
   * absent if the call fails even with the maximum. @throws NodeError 'insufficientFunds', 'intrinsicGasTooLow', 'feeTooLow'
   */
  *estimate(
    resolved: ResolvedBlock,
    call: TransactionRequest,
    overrides: Overrides = NONE,
    timer?: CallTimer,
  ): ReturnType<typeof estimateGas> {
    const { engine } = this.#dependencies
    const { state, running, message } = this.prepareEstimate(resolved, call, overrides)
    const result = yield* estimateGas(message.gasLimit, (gasLimit) =>
      engine.simulate(state, running, { ...message, gasLimit }, timer),
    )
    this.#keep(state)
    return result
  }

  createAccessList(
    resolved: ResolvedBlock,
    call: TransactionRequest,
    overrides: Overrides = NONE,
    timer?: CallTimer,
  ): ReturnType<typeof createAccessList> {
    const { engine } = this.#dependencies
    const { state, running, message } = this.prepare(resolved, call, overrides)
    const warm = new Set([call.from ?? ZERO_ADDRESS, call.to])
    return createAccessList({
      given: call.accessList ?? [],
      isWarm: (address) => warm.has(address) || engine.rules.precompiles.has(address),
      run: (accessList, observer) =>
        engine.simulate(state, running, { ...message, accessList }, { ...timer, ...observer }),
    })
  }

  hold(resolved: ResolvedBlock): HeldBlock {
    const { block, state, isPending } = resolved
    return { block, state, isPending, running: this.#runningBlock(resolved) }
  }

  /** Opens a call. Callers may also run it themselves. */
  prepare(resolved: HeldBlock, call: TransactionRequest, overrides: Overrides = NONE): OpenCall {
    const { engine, network } = this.#dependencies
    const { state, running: block } = this.#openBlock(resolved, overrides)
    const isFree = (maxPriceOf(call) ?? 0n) < block.context.baseFeePerGas
    const running =
      isFree && overrides.blockOverrides?.baseFeePerGas === undefined ? this.#free(block) : block
    const maxGas = engine.maxGasLimit(network.callGasCap)
    const gas = call.gas !== undefined && call.gas < maxGas ? call.gas : maxGas
    const price = priceOf(call, running.context.baseFeePerGas, engine.rules)
    // A call that is not charged takes funds that the sender lacks (node-chain 14).
    if (overrides.checksFunds === true && engine.rules.transaction.chargesCalls)
      affordableGas(engine, state, call, call.gas)
    const message = messageOf(call, { gasLimit: gas, gasPrice: price }, engine.rules)
    return { state, running, context: running.context, message }
  }

  /** Opens the execution of an estimate with the maximum gas. */
  prepareEstimate(resolved: HeldBlock, call: TransactionRequest, overrides: Overrides = NONE): OpenCall {
    const { engine, network } = this.#dependencies
    const { state, running } = this.#openBlock(resolved, overrides)
    const { baseFeePerGas, minimumGasPrice } = running.context
    const hasBaseFee = network.baseFee !== false && resolved.block.header.baseFeePerGas !== undefined
    const defaultPrice = hasBaseFee ? baseFeePerGas + DEFAULT_TIP : minimumGasPrice
    const gasPrice =
      maxPriceOf(call) === undefined ? defaultPrice : priceOf(call, baseFeePerGas, engine.rules)
    const affordable = overrides.checksFunds === false ? undefined : affordableGas(engine, state, call)
    const gasLimit = this.#maxEstimateGas(running.context, call, affordable)
    const message = messageOf(call, { gasLimit, gasPrice }, engine.rules)
    return { state, running, context: running.context, message }
  }

  /** Keeps a state for the next call, unless a state override has changed it or calls have read too much. */
  #keep(state: State): void {
    if (!state.isDirty && state.cachedCount <= MAX_IDLE_CACHED) this.#idleState = state
  }

  /** The state and the block in which calls run, with the overrides applied. */
  #openBlock(resolved: HeldBlock, overrides: Overrides): Pick<OpenCall, 'state' | 'running'> {
    const { state: root } = resolved
    const idle = this.#idleState
    this.#idleState = undefined
    const state = idle?.base === root ? idle : new State(root)
    const { stateOverrides, blockOverrides } = overrides
    overrideState(state, stateOverrides)
    const running = resolved.running ?? this.#runningBlock(resolved)
    if (blockOverrides === undefined && stateOverrides === undefined) return { state, running }
    const { engine } = this.#dependencies
    return { state, running: engine.open(overrideBlock(engine.rules, running.context, overrides)) }
  }

  #runningBlock(resolved: ResolvedBlock): RunningBlock {
    const { engine, settings } = this.#dependencies
    const { header } = resolved.block
    if (this.#block?.header === header && this.#block.running.context.chainId === settings.chainId)
      return this.#block.running
    const running = engine.open(contextIn(resolved, this.#dependencies))
    this.#block = { header, running }
    return running
  }

  /** The block as a call with a price below the base fee sees it, without a base fee (geth for a price of 0, EDR for every call). */
  #free(block: RunningBlock): RunningBlock {
    if (this.#freeBlock?.block !== block) this.#freeBlock = { block, running: withoutBaseFee(block) }
    return this.#freeBlock.running
  }

  /** Upper bound of an estimate: the gas limit of the request, that of the network, or the gas that the sender can pay for. */
  #maxEstimateGas({ gasLimit }: BlockContext, call: TransactionRequest, affordable?: bigint): bigint {
    const { engine, network } = this.#dependencies
    const cap = engine.maxGasLimit(network.estimateGasCap)
    const limits = [cap, gasLimit, call.gas ?? cap, affordable ?? cap]
    return limits.reduce((lowest, limit) => (limit < lowest ? limit : lowest))
  }
}

/** Gas that the sender can pay for besides the value; absent if the gas price is 0. @throws NodeError 'insufficientFunds' */
function affordableGas(
  { minGas }: Engine,
  state: State,
  call: TransactionRequest,
  wantedGas = minGas,
): bigint | undefined {
  const { from = ZERO_ADDRESS, value = 0n, maxFeePerBlobGas = 0n } = call
  const blobFee = blobGas(call) * maxFeePerBlobGas
  const balance = (state.account(from)?.balance ?? 0n) - blobFee
  const price = maxPriceOf(call) ?? 0n
  const [what, want] =
    value > balance ? ['transfer', value] : ['gas * price + value', price * wantedGas + value]
  if (want > balance) {
    throw new NodeError(
      'insufficientFunds',
      `insufficient funds for ${what}: address ${from} have ${balance}, want ${want}`,
      { phrases: PHRASES.insufficientFunds(want, balance) },
    )
  }
  return price === 0n ? undefined : (balance - value) / price
}

type Run = (gas: bigint) => Routine<Outcome>

/**
 * Finds the minimum gas with which an execution succeeds: between the gas that the execution used, without refunds, and `maxGas`.
 * Returns no gas and the failed outcome if `maxGas` is not enough.
 */
export function* estimateGas(
  maxGas: bigint,
  run: Run,
): Routine<{ readonly gas: bigint | undefined; readonly outcome: Outcome }> {
  const first = yield* run(maxGas)
  if (first.status !== 'success') return { gas: undefined, outcome: first }
  let outcome = first
  const suffices = function* (gas: bigint): Routine<boolean> {
    const tried = yield* attempt(gas, run)
    if (tried?.status !== 'success') return false
    outcome = tried
    return true
  }
  // The gas used is usually enough, unless an inner call needs more gas than it uses (EIP-150, stipends).
  let tooLow = first.gasNeeded
  if (tooLow >= maxGas || first.isGasIndependent || (yield* suffices(tooLow))) return { gas: tooLow, outcome }
  let enough = maxGas
  // Most other calls need only a small margin, which is doubled until it is enough.
  for (let margin = first.gasNeeded / 64n + 2300n; tooLow + margin < enough; margin *= 2n) {
    if (yield* suffices(tooLow + margin)) enough = tooLow + margin
    else tooLow += margin
  }
  while (enough - tooLow > 1n) {
    const middle = (tooLow + enough) / 2n
    if (yield* suffices(middle)) enough = middle
    else tooLow = middle
  }
  return { gas: enough, outcome }
}

function* attempt(gas: bigint, run: Run): Routine<Outcome | undefined> {
  try {
    return yield* run(gas)
  } catch (error) {
    // The gas is less than the intrinsic gas, so the execution does not begin.
    if (error instanceof NodeError && error.kind === 'intrinsicGasTooLow') return undefined
    throw error
  }
}

/** The execution to run, its declared access list, and the accounts that are warm without a list. */
interface AccessListInput {
  readonly given: AccessList
  /** Accounts that are warm from the start; they are listed only for their slots. */
  readonly isWarm: (address: Address) => boolean
  readonly run: (accessList: AccessList, observer: Observer) => Routine<Outcome>
}

/** Maximum number of runs. An execution that depends on its gas may access something new with every list. */
const MAX_RUNS = 64

function* createAccessList({ given, isWarm, run }: AccessListInput) {
  const accessed = new Accessed(given)
  for (let runs = 1; ; runs++) {
    const accessList = accessed.list
    const size = accessed.size
    const outcome = yield* run(accessList, accessed.observer(isWarm))
    if (accessed.size === size || runs === MAX_RUNS) return { accessList, outcome }
  }
}

/** Accounts and slots in the order of their first access. */
class Accessed {
  readonly #slots = new Map<Address, Set<Hash>>()

  constructor(given: AccessList) {
    for (const { address, storageKeys } of given)
      for (const slot of [undefined, ...storageKeys]) this.#add(address, slot)
  }

  get size(): number {
    return [...this.#slots.values()].reduce((total, { size }) => total + 1 + size, 0)
  }

  get list(): AccessList {
    return [...this.#slots].map(([address, slots]) => ({ address, storageKeys: [...slots] }))
  }

  /** Observes one execution. Accounts that the transaction accesses before its first frame are warm, so they are ignored. */
  observer(isWarm: (address: Address) => boolean): Observer {
    let isRunning = false
    return {
      onEnter: () => {
        isRunning = true
      },
      onAccountAccess: (address) => {
        if (isRunning && !isWarm(address)) this.#add(address)
      },
      onStorageAccess: (address, slot) => this.#add(address, slot),
    }
  }

  #add(address: Address, slot?: Hash): void {
    const slots = getOrAdd(this.#slots, address, () => new Set<Hash>())
    if (slot !== undefined) slots.add(slot)
  }
}
