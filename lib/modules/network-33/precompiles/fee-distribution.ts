/**
 * Computes the payments of the fee contract at the end of a block (node-chain 8.3, 8.4). It moves no funds.
 * The reference node also punishes miners that broke its rule for choosing between blocks of one height. Local chains have
 * no such blocks, so this punishment is left out.
 */

import { asAddress, type Address } from '../../../base/hex.ts'
import type { Ancestor, BlockContext } from '../../../evm/block-context.ts'
import { FEDERATORS } from '../bridge/constants.ts'

/** Number of blocks after which a block is mature, so that its fees are counted. */
const MATURITY = 10

/** Divisor of the counted fees: a block pays a fifth of them. It is also the number of the first block whose fees are paid. */
const SYNTHETIC_SPAN = 5n

/** Minimum payment: the price of this gas at the minimum gas price (IP-85). */
const PAYABLE_GAS = 200_000n

/** The same for each federator (IP-85). */
const FEDERATOR_PAYABLE_GAS = 50_000n

/** The developers' fund (IP-218), and the divisor of a reward for its share. */
const DEVELOPER_FUND = asAddress('0xdabadabadabadabadabadabadabadabadaba0001')
const DEVELOPER_DIVISOR = 5n

/** Divisor of the remainder for the share of the federators. */
const FEDERATION_DIVISOR = 100n

/** Divisor of the remainder, for the share of miners that included uncles. */
const PUBLISHERS_DIVISOR = 10n

/** Divisor of the deduction for each block of delay before an uncle was included. */
const LATE_UNCLE_DIVISOR = 20n

/** Number of following blocks that can include an uncle. */
const UNCLE_GENERATIONS = 7

/** Balances of the contract by purpose, in wei. */
export interface Ledger {
  /** Fees to pay out. */
  readonly reward: bigint
  /** Fees without a receiver: remainders, and deductions for late uncles. */
  readonly burned: bigint
  /** Fees kept for the federators until they reach the minimum payment. */
  readonly federation: bigint
}

/** A payment in wei. */
export interface FeePayment {
  readonly receiver: Address
  readonly amount: bigint
}

/** The payments of a block, and the balances after it. */
export interface Distribution {
  /** Payments in the order in which they are made. */
  readonly payments: readonly FeePayment[]
  readonly ledger: Ledger
}

/** The block whose fees are counted in this block; absent while no block is old enough. */
export const matureBlock = ({ number, ancestor }: BlockContext): Ancestor | undefined =>
  number > BigInt(MATURITY) ? ancestor(MATURITY - 1) : undefined

/** Counts the fees of the mature block, and distributes a part of all counted fees. */
export function distributeFees(block: BlockContext, processed: Ancestor, ledger: Ledger): Distribution {
  const height = block.number - BigInt(MATURITY)
  const counted = { ...ledger, reward: ledger.reward + processed.paidFees }
  const reward = counted.reward / SYNTHETIC_SPAN
  const isPayable = height >= SYNTHETIC_SPAN && reward >= block.minimumGasPrice * PAYABLE_GAS
  if (!isPayable) return { payments: [], ledger: counted }
  const fund = { receiver: DEVELOPER_FUND, amount: reward / DEVELOPER_DIVISOR }
  const federation = payFederation(block, counted, reward - fund.amount)
  const rest = reward - fund.amount - federation.earned
  const miners = payMiners(processed, unclesAtHeight(block, height), rest)
  return {
    payments: [fund, ...federation.payments, ...miners.payments],
    ledger: {
      reward: counted.reward - reward,
      burned: counted.burned + miners.burned,
      federation: federation.kept,
    },
  }
}

/** Pays the federators equal parts; the last one gets the remainder. */
function payFederation({ minimumGasPrice }: BlockContext, { federation }: Ledger, reward: bigint) {
  const earned = reward / FEDERATION_DIVISOR
  const available = federation + earned
  const count = BigInt(FEDERATORS.size)
  const each = available / count
  if (each < minimumGasPrice * FEDERATOR_PAYABLE_GAS) return { earned, kept: available, payments: [] }
  const payments = Array.from(FEDERATORS, (receiver, position) => ({
    receiver,
    amount: position === FEDERATORS.size - 1 ? available - each * (count - 1n) : each,
  }))
  return { earned, kept: 0n, payments }
}

/** An uncle of the processed block's height, the miner that included it, and its delay in blocks. */
interface Uncle {
  readonly coinbase: Address
  readonly publisher: Address
  readonly blocksLate: bigint
}

function unclesAtHeight(block: BlockContext, height: bigint): readonly Uncle[] {
  return Array.from({ length: UNCLE_GENERATIONS }, (_, late) => {
    // The block after the processed one includes uncles without delay.
    const publishing = block.ancestor(MATURITY - 2 - late)
    const uncles = (publishing?.uncles ?? []).filter(({ number }) => number === height)
    return uncles.map(({ coinbase }) => ({
      coinbase,
      publisher: publishing?.coinbase ?? coinbase,
      blocksLate: BigInt(late),
    }))
  }).flat()
}

/** Pays the miner of the processed block, which shares the rest with the miners of uncles. */
function payMiners({ coinbase }: Ancestor, uncles: readonly Uncle[], rest: bigint) {
  if (uncles.length === 0) return { payments: [{ receiver: coinbase, amount: rest }], burned: 0n }
  const count = BigInt(uncles.length)
  const publishersShare = rest / PUBLISHERS_DIVISOR
  const perPublisher = publishersShare / count
  const perMiner = (rest - publishersShare) / (count + 1n)
  const payments = [
    ...uncles.map(({ publisher }) => ({ receiver: publisher, amount: perPublisher })),
    ...uncles.map((uncle) => ({
      receiver: uncle.coinbase,
      amount: perMiner - (perMiner * uncle.blocksLate) / LATE_UNCLE_DIVISOR,
    })),
    { receiver: coinbase, amount: perMiner },
  ]
  const paid = payments.reduce((total, { amount }) => total + amount, 0n)
  return { payments, burned: rest - paid }
}
