/**
 * The gas quota of senders, which the pool of the reference node has (node-rpc 6, row 18). Without --gas-quota or --faithful there is none.
 * A sender gains "virtual gas" with time, and each transaction costs its gas limit times some factors.
 */

import type { Address } from '../../../base/hex.ts'
import type { Transaction } from '../../../evm/transaction.ts'
import type { AdmissionContext, Quota, SenderQuotas } from '../../../networks/consensus/admission.ts'

/** Part of the block gas limit that a sender gains in a second. */
const GAIN = 0.9

/** Seconds of gain that a sender keeps at most. */
const KEPT_SECONDS = 2000

/** Weights of the nonce and of the gas limit, and the size in bytes that doubles the cost. */
const NONCE_WEIGHT = 4
const GAS_WEIGHT = 4
const DOUBLE_SIZE = 25_000

/** The quotas of one chain. */
export class VirtualGas implements SenderQuotas {
  readonly #quotas: { value: ReadonlyMap<Address, Quota> }
  readonly #now: () => number

  /** `now` returns milliseconds since the epoch. */
  constructor(quotas: { value: ReadonlyMap<Address, Quota> }, now: () => number) {
    this.#quotas = quotas
    this.#now = now
  }

  of(sender: Address): Quota | undefined {
    return this.#quotas.value.get(sender)
  }

  /** Whether the sender can pay for a transaction, which it then does. The first one of a new account is always accepted. */
  accept(transaction: Transaction, { head, mempool }: AdmissionContext): boolean {
    const { sender, to } = transaction
    const { gasLimit } = head.block.header
    const gain = Math.round(Number(gasLimit) * GAIN)
    const nonceOf = (account: Address) => mempool.nextNonce(account, head.state.nonce(account))
    const isFirst = this.of(sender) === undefined && nonceOf(sender) === 0n
    const available = this.#refresh(sender, gain, nonceOf(sender) === 0n ? gain : gain * KEPT_SECONDS)
    if (to !== undefined && head.state.code(to).length === 0) this.#refresh(to, gain, gain)
    const replaced = mempool.find(sender, transaction.nonce)?.transaction
    const cost = virtualGas(transaction, { nonce: nonceOf(sender), gasLimit, replaced })
    if (cost > available && !isFirst) return false
    this.#set(sender, Math.max(0, available - cost))
    return true
  }

  /** What an account has by now; `initial` if it had nothing. */
  #refresh(account: Address, gain: number, initial: number): number {
    const quota = this.of(account)
    const gained = quota && ((this.#now() - quota.timestamp) / 1000) * gain
    const total = quota === undefined ? initial : quota.availableVirtualGas + (gained ?? 0)
    const available = Math.min(total, gain * KEPT_SECONDS)
    this.#set(account, available)
    return available
  }

  #set(account: Address, availableVirtualGas: number): void {
    const quota = { timestamp: this.#now(), availableVirtualGas }
    this.#quotas.value = new Map(this.#quotas.value).set(account, quota)
  }
}

interface PricedAgainst {
  /** The next nonce of the sender. */
  readonly nonce: bigint
  /** Of the newest block. */
  readonly gasLimit: bigint
  readonly replaced: Transaction | undefined
}

/** Cost of a transaction. The factor for a low price needs full blocks, which a development chain does not have. */
function virtualGas(transaction: Transaction, { nonce, gasLimit, replaced }: PricedAgainst): number {
  const gas = Number(transaction.gasLimit)
  const factors = [
    transaction.nonce === nonce ? 1 : 2,
    1 + NONCE_WEIGHT / (Number(nonce) + 1),
    1 + transaction.encoded.length / DOUBLE_SIZE,
    1 + (GAS_WEIGHT * gas) / Number(gasLimit),
    replaced === undefined || transaction.maxFeePerGas === 0n
      ? 1
      : 1 + Number(replaced.maxFeePerGas) / Number(transaction.maxFeePerGas),
  ]
  return gas * factors.reduce((product, factor) => product * factor)
}
