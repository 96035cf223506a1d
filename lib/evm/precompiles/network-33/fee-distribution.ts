/**
 * Who is paid how much when the fee contract closes a block (node-chain 8.3, 8.4). Nothing is moved here.
 * The reference also punishes miners that broke its rule for choosing between blocks of one height; chains made here
 * have no such blocks, and nobody is punished for them.
 */

import { asAddress } from '../../../base/hex.ts'
import type { Address } from '../../../base/hex.ts'
import type { Ancestor, BlockContext } from '../../block-context.ts'

/** Blocks after which the fees of a block are counted. */
const MATURITY = 10

/** Part of what was counted that is paid at a time; also the first block after which something is paid. */
const SYNTHETIC_SPAN = 5n

/** Gas whose price at the minimum is the least that is paid out at a time (IP-85). */
const PAYABLE_GAS = 200_000n

/** The same for each federator (IP-85). */
const FEDERATOR_PAYABLE_GAS = 50_000n

/** The developers' fund (IP-218), and its part of a reward. */
const DEVELOPER_FUND = asAddress('0xdabadabadabadabadabadabadabadabadaba0001')
const DEVELOPER_DIVISOR = 5n

/** The federators, in the order of their public keys, and their part of what the fund leaves. */
const FEDERATORS = [
  asAddress('0x6b045752f4d650a510a353bbf7e52988331e7f5b'),
  asAddress('0x85845342b0d5260d516d6da5280a7df9a96d1925'),
  asAddress('0x138161cda86b55c0de1bc3a0adef974633c85fbe'),
]
const FEDERATION_DIVISOR = 100n

/** Part of the rest for those who named blocks beside the chain. */
const PUBLISHERS_DIVISOR = 10n

/** Part of a reward that is kept for each block by which an uncle was named late. */
const LATE_UNCLE_DIVISOR = 20n

/** Blocks that can name an uncle of a block: so many after it. */
const UNCLE_GENERATIONS = 7

/** What the contract owns, in wei, by what it is meant for. */
export interface Ledger {
  /** Fees that are still to be paid out. */
  readonly reward: bigint
  /** What nobody is paid: remainders, and punishments for being late. */
  readonly burned: bigint
  /** What the federators were not paid yet, for it was too little. */
  readonly federation: bigint
}

/** Wei for somebody. */
export interface Payment {
  readonly receiver: Address
  readonly amount: bigint
}

/** What closing a block comes to. */
export interface Distribution {
  /** In their order. */
  readonly payments: readonly Payment[]
  readonly ledger: Ledger
}

/** The block whose fees a block counts; absent while there is none that is old enough. */
export function matureBlock({ number, ancestor }: BlockContext): Ancestor | undefined {
  return number > BigInt(MATURITY) ? ancestor(MATURITY - 1) : undefined
}

/** Counts the fees of the block that is now mature, and divides a part of all that was counted. */
export function distributeFees(block: BlockContext, processed: Ancestor, ledger: Ledger): Distribution {
  const height = block.number - BigInt(MATURITY)
  const counted = { ...ledger, reward: ledger.reward + processed.paidFees }
  const reward = counted.reward / SYNTHETIC_SPAN
  const isPayable = height >= SYNTHETIC_SPAN && reward >= block.minimumGasPrice * PAYABLE_GAS
  if (!isPayable) return { payments: [], ledger: counted }
  const fund = { receiver: DEVELOPER_FUND, amount: reward / DEVELOPER_DIVISOR }
  const federation = payFederation(block, counted, reward - fund.amount)
  const rest = reward - fund.amount - federation.earned
  const miners = payMiners(processed, unclesOf(block, height), rest)
  return {
    payments: [fund, ...federation.payments, ...miners.payments],
    ledger: {
      reward: counted.reward - reward,
      burned: counted.burned + miners.burned,
      federation: federation.kept,
    },
  }
}

/** Equal parts; the last federator has the remainder. */
function payFederation({ minimumGasPrice }: BlockContext, { federation }: Ledger, reward: bigint) {
  const earned = reward / FEDERATION_DIVISOR
  const available = federation + earned
  const count = BigInt(FEDERATORS.length)
  const each = available / count
  if (each < minimumGasPrice * FEDERATOR_PAYABLE_GAS) return { earned, kept: available, payments: [] }
  const payments = FEDERATORS.map((receiver, position) => ({
    receiver,
    amount: position === FEDERATORS.length - 1 ? available - each * (count - 1n) : each,
  }))
  return { earned, kept: 0n, payments }
}

/** A block beside the processed one, and who named it how many blocks late. */
interface Uncle {
  readonly coinbase: Address
  readonly publisher: Address
  readonly blocksLate: bigint
}

function unclesOf(block: BlockContext, height: bigint): readonly Uncle[] {
  return Array.from({ length: UNCLE_GENERATIONS }, (_, late) => {
    // The block right after the processed one names its uncles in time.
    const publishing = block.ancestor(MATURITY - 2 - late)
    const uncles = (publishing?.uncles ?? []).filter(({ number }) => number === height)
    return uncles.map(({ coinbase }) => ({
      coinbase,
      publisher: publishing?.coinbase ?? coinbase,
      blocksLate: BigInt(late),
    }))
  }).flat()
}

/** The miner of the processed block has everything, or shares it with those of its uncles. */
function payMiners({ coinbase }: Ancestor, uncles: readonly Uncle[], rest: bigint) {
  if (uncles.length === 0) return { payments: [{ receiver: coinbase, amount: rest }], burned: 0n }
  const count = BigInt(uncles.length)
  const forPublishers = rest / PUBLISHERS_DIVISOR
  const ofPublisher = forPublishers / count
  const ofMiner = (rest - forPublishers) / (count + 1n)
  const payments = [
    ...uncles.map(({ publisher }) => ({ receiver: publisher, amount: ofPublisher })),
    ...uncles.map((uncle) => ({
      receiver: uncle.coinbase,
      amount: ofMiner - (ofMiner * uncle.blocksLate) / LATE_UNCLE_DIVISOR,
    })),
    { receiver: coinbase, amount: ofMiner },
  ]
  const paid = payments.reduce((total, { amount }) => total + amount, 0n)
  return { payments, burned: rest - paid }
}
