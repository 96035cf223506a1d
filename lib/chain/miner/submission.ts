/** Submits transactions: checks them, adds them to the pool and, with instant mining, mines them. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError } from '../../base/errors.ts'
import type { Hash } from '../../base/hex.ts'
import { ifLoaded, type Routine } from '../../base/routine.ts'
import { gasForTransactions } from '../fees.ts'
import type { MinedReceipt } from '../chain-index.ts'
import type { Network } from '../../config/network.ts'
import type { Transaction } from '../../evm/transaction.ts'
import type { AdmissionRules } from '../../networks/consensus/admission.ts'
import type { Sidecars } from '../mempool/mempool.ts'
import { minesAtOnce } from '../../config/mining-mode.ts'
import type { Miner } from './miner.ts'
import type { MinerDependencies } from './miner-dependencies.ts'
import type { NextBlock } from './next-block.ts'
import { systemContracts } from '../../evm/system-contracts.ts'
import { minGasLimit } from '../../evm/transaction-gas.ts'
import type { ExpectedCall } from '../../state/state-source.ts'

interface SubmissionDependencies extends Pick<
  MinerDependencies,
  'chain' | 'mempool' | 'engine' | 'network' | 'host'
> {
  readonly sidecars: Sidecars
  readonly miner: Miner
  readonly quotas?: AdmissionRules['quotas']
}

export class Submission {
  readonly #dependencies: SubmissionDependencies

  constructor(dependencies: SubmissionDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Admits a transaction to the pool, and mines it if mining is instant.
   * Returns its receipt; `undefined` if it is not mined: mining is not instant, or the transaction has to wait.
   * @throws NodeError when the pool rejects the transaction, it is invalid in its block, or the machine fails on it
   */
  *submit(
    transaction: Transaction,
    next = this.#dependencies.miner.nextBlock(),
  ): Routine<MinedReceipt | undefined> {
    const { mempool, sidecars, miner, network } = this.#dependencies
    const { state, block } = next.parent
    this.#checkNotMined(transaction)
    this.#checkAdmission(transaction, next)
    const { hash, sender, nonce, sidecar } = transaction
    const closesGap = nonce === mempool.nextNonce(sender, state.nonce(sender))
    if (sidecar !== undefined) sidecars.keep(hash, sidecar)
    // The pool holds no blobs. A copy takes as long as all checks, so only transactions with blobs are copied.
    mempool.add(
      sidecar === undefined ? transaction : { ...transaction, sidecar: undefined },
      block.header.number,
    )
    if (closesGap && network.kind.consensus.rechecksQueued) this.#recheckQueued(transaction, next)
    if (!minesAtOnce(miner.mode)) return undefined
    try {
      return yield* miner.mineUntil(hash, next)
    } catch (error) {
      // The node closes. If a state file had the transaction, the next node would run it again.
      if (error instanceof NodeError && error.kind === 'nodeClosed') mempool.remove([hash])
      throw error
    }
  }

  /** Waits until a transaction is mined. Returns `undefined` after the time-out; a time-out of 0 does not wait. */
  waitForReceipt(hash: Hash, timeoutMs: number): Promise<MinedReceipt | undefined> {
    const { chain, host } = this.#dependencies
    return new Promise((resolve) => {
      const settle = (mined: MinedReceipt | undefined) => {
        stopListening()
        stopTimer()
        resolve(mined)
      }
      const settleIfMined = () => {
        const mined = chain.ownReceipt(hash)
        if (mined !== undefined) settle(mined)
      }
      const stopListening = chain.headChanged.on(settleIfMined)
      const stopTimer = host.schedule(timeoutMs, () => settle(undefined))
      settleIfMined()
      if (timeoutMs === 0) settle(undefined)
    })
  }

  #checkAdmission(transaction: Transaction, next: NextBlock): void {
    const { mempool, engine, network } = this.#dependencies
    network.kind.consensus.checkAdmission(transaction, {
      head: next.parent,
      mempool,
      rules: this.#rulesOf(next),
      intrinsicGas: minGasLimit(engine.rules, transaction),
    })
  }

  /** Checks the queued transactions after a new one, up to the first that is not admitted, which is dropped (node-rpc 6). */
  #recheckQueued({ sender, nonce }: Transaction, next: NextBlock): void {
    const { mempool } = this.#dependencies
    const follower = mempool.find(sender, nonce + 1n)?.transaction
    if (follower === undefined) return
    mempool.remove([follower.hash])
    try {
      this.#checkAdmission(follower, next)
    } catch (error) {
      if (error instanceof NodeError) return
      throw error
    }
    mempool.put(follower, next.parent.block.header.number)
    this.#recheckQueued(follower, next)
  }

  #checkNotMined(transaction: Transaction): void {
    if (this.#dependencies.chain.ownReceipt(transaction.hash) === undefined) return
    // Other nodes recognise only duplicates in the pool. To them, a mined one has a used nonce (node-chain 7.5).
    throw new NodeError('nonceTooLow', `nonce too low: transaction ${transaction.hash} is in a block`, {
      phrases: PHRASES.alreadyMined(),
    })
  }

  #rulesOf(next: NextBlock): AdmissionRules {
    const { parent, context } = next
    const { network, miner, engine } = this.#dependencies
    const { header } = parent.block
    // Settings for later blocks apply already: a transaction that violates them would never be mined.
    const { gasLimit = header.gasLimit, minimumGasPrice = header.minimumGasPrice } =
      miner.settings.value.later
    return {
      eipGasCap: engine.transactionGasCap,
      blockGasLimit: gasLimit,
      gasCap: engine.maxGasLimit(
        capped(gasForTransactions(network, { gasLimit }), network.transactionGasCap),
      ),
      maxInitCodeSize: engine.maxInitCodeSize,
      minimumGasPrice,
      nextBaseFee: context.baseFeePerGas,
      blobs: engine.rules.blobs && {
        rules: engine.rules.blobs,
        nextBaseFee: miner.blobBaseFeeOf(next),
      },
      priceBump: network.priceBump,
      nonceGap: network.nonceGap,
      isMinedAtOnce: minesAtOnce(miner.mode),
      quotas: this.#dependencies.quotas,
    }
  }
}

const capped = (value: bigint, cap: bigint | undefined): bigint =>
  cap !== undefined && cap < value ? cap : value

/** Begins to load what the transaction, its checks and its block will read, unless its accounts are loaded already. */
export function loadAhead(call: ExpectedCall, { parent, context }: NextBlock, network: Network): void {
  const { state } = parent
  if (state.source === undefined) return
  const { sender, to, value, data } = call
  if (ifLoaded(() => [state.account(sender), to && state.account(to)]) !== undefined) return
  const accounts = [context.coinbase, ...systemContracts(network).map(({ address }) => address)]
  void state.source.expect({ sender, to, value, data, accounts })
}
