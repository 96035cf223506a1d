/** Simulates bundles of calls (eth_callMany): each call sees the effects of all calls before it, in earlier bundles too. */

import { NodeError } from '../../base/errors.ts'
import type { Address } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import type { Routine } from '../../base/routine.ts'
import type { Block } from '../block.ts'
import { headerContext } from '../ancestors.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Observer } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { State } from '../../state/state.ts'
import { overrideBlock, overrideState } from './overrides.ts'
import type { BlockOverrides, StateOverride } from './overrides.ts'
import type { BlockSimulatorDependencies } from './block-simulator.ts'
import type { ObserverOf } from './call-timer.ts'
import { blockForCall, buildCallTransaction } from './call-transaction.ts'
import type { CallContext } from './call-transaction.ts'
import type { TransactionRequest } from './transaction-request.ts'

/** Calls that run in one block (erigon, eth_callMany). */
export interface Bundle {
  readonly transactions: readonly TransactionRequest[]
  readonly blockOverride?: BlockOverrides | undefined
}

/** The block and the state of the first call. */
export interface BundleStart {
  readonly block: Block
  readonly state: StateRoot
  readonly stateOverride?: StateOverride | undefined
}

/** The result of a call: its outcome, or the error of a call that could not run. */
export type BundledCallResult =
  { readonly outcome: Outcome; readonly to: Address | undefined } | { readonly refusal: NodeError }

/** Seconds between the blocks of two bundles (reth, eth_callMany). */
const BUNDLE_GAP_SECONDS = 12n

/** Simulates bundles. */
export class BundleSimulator {
  readonly #dependencies: BlockSimulatorDependencies
  /** An engine whose rules allow contracts as senders. */
  readonly #engine: Engine

  constructor(dependencies: BlockSimulatorDependencies) {
    this.#dependencies = dependencies
    this.#engine = dependencies.engine.with({ refusesSenderWithCode: false })
  }

  /** Runs the bundles: the first in the given block, the second in the block after it, and so on. */
  *run(
    { block, state: root, stateOverride }: BundleStart,
    bundles: readonly Bundle[],
    observerOf?: ObserverOf,
  ): Routine<readonly (readonly BundledCallResult[])[]> {
    const { codec, network } = this.#dependencies
    const engine = this.#engine
    const state = new State(root)
    overrideState(state, stateOverride)
    // The limit applies to all calls together, as in eth_simulateV1, so that a request with many calls does not block the
    // node for hours.
    let requestGasLeft = network.callGasCap
    const results: BundledCallResult[][] = []
    let calls = 0
    // Computed before the first pause, because the chain may change during a pause.
    const blocks = bundles.map(({ blockOverride }, position) =>
      this.#contextOf(block, position, blockOverride),
    )
    for (const [position, bundle] of bundles.entries()) {
      const running = engine.open(present(blocks[position], 'block of a bundle'))
      const blockGasLeft = running.context.gasLimit
      const bundleResults: BundledCallResult[] = []
      for (const call of bundle.transactions) {
        const observer = observerOf?.(calls++)
        const isValidated = false
        const context = { engine, codec, state, running, blockGasLeft, requestGasLeft, isValidated }
        const result = yield* runBundled(call, context, observer)
        if ('outcome' in result) requestGasLeft -= result.outcome.gasUsed
        bundleResults.push(result)
      }
      results.push(bundleResults)
    }
    return results
  }

  #contextOf({ header, hash }: Block, position: number, overrides?: BlockOverrides): BlockContext {
    const { chain, settings } = this.#dependencies
    const own = headerContext(header, chain.parentLookup(header), settings.chainId)
    const context = {
      ...own,
      number: header.number + BigInt(position),
      timestamp: header.timestamp + BigInt(position) * BUNDLE_GAP_SECONDS,
      // Later bundles run after this block, so BLOCKHASH returns its hash.
      blockHash: (number: bigint) => (number === header.number ? hash : own.blockHash(number)),
    }
    return overrideBlock(context, overrides)
  }
}

function* runBundled(
  call: TransactionRequest,
  context: CallContext,
  observer: Observer | undefined,
): Routine<BundledCallResult> {
  const { engine, state, running, requestGasLeft } = context
  try {
    if (requestGasLeft === 0n)
      throw new NodeError('limitExceeded', 'the gas of all calls of a request is used up')
    const built = buildCallTransaction(call, context)
    const transaction = { ...built, nonce: state.account(built.sender)?.nonce ?? 0n }
    const outcome = yield* engine.execute(state, blockForCall(transaction, running), transaction, observer)
    return { outcome, to: call.to }
  } catch (error) {
    if (error instanceof NodeError && error.kind !== 'callTimeout') return { refusal: error }
    throw error
  }
}
