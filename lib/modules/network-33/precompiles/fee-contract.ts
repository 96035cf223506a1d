/**
 * The precompile that collects the fees of all blocks and pays them to miners, federators and a fund (node-chain 8.1, 8.4, 10.2).
 * It also computes the payments at the end of a block (node-chain 8.3). The reference node punishes miners that broke its rule for
 * choosing between blocks of one height, but local chains have no such blocks. Its storage has one word each for fees to pay out
 * (slot 0), burned fees (slot 1) and fees kept for the federators (slot 2). The reference node uses other slots, which no method
 * reads. Only the slot that the first block writes is the same, so that the state roots after the first blocks match.
 */

import { decodeAbi, bytes } from '../../../abi/codec.ts'
import {
  bigIntToBytes,
  bytesToBigInt,
  fromHex,
  padTo32,
  toHash,
  toWord,
  asAddress,
  type Address,
} from '../../../base/hex.ts'
import { decodeRlp, encodeRlp } from '../../../base/rlp.ts'
import type { Ancestor, BlockContext } from '../../../evm/block-context.ts'
import { PrecompileFailure, type PrecompileCall } from '../../../evm/precompile.ts'
import { FEE_CONTRACT } from '../../../evm/system-transaction.ts'
import type { State } from '../../../state/state.ts'
import { bytesOf, listOf } from '../bridge/bridge-storage.ts'
import { FEDERATORS } from '../bridge/constants.ts'
import { nothing } from '../bridge/method-table.ts'
import { precompileMethod, precompileWithMethods } from './methods.ts'

/** Selector of `processMinersFees()`. */
const PROCESS_FEES = '0xbe021a58'

/** Selector of `getStateForDebugging()`. */
const STATE_FOR_DEBUGGING = '0x0d0cee93'

/** First topic of the payment event: a text in ASCII, not a hash. */
const PAYMENT_TOPIC = toHash(padTo32(new TextEncoder().encode('mining_fee_topic')))

const SLOTS = { reward: toWord(0n), burned: toWord(1n), federation: toWord(2n) }

/** Storage slot of side blocks that wait for their reward in the reference node. Here each run writes an empty list. */
const SIBLINGS = toHash(padTo32(new TextEncoder().encode('siblings')))

export const feeMethods = [
  precompileMethod({
    name: 'processMinersFees',
    inputs: [],
    output: nothing,
    selector: PROCESS_FEES,
    mutability: 'nonpayable',
    gas: () => 0,
    run: (_values, call) => processFees(call),
  }),
  precompileMethod({
    name: 'getStateForDebugging',
    inputs: [],
    output: bytes,
    selector: STATE_FOR_DEBUGGING,
    gas: () => 0,
    run: (_values, { state }) => encodeLedger(readLedger(state)),
  }),
]

export const feeContract = precompileWithMethods(
  { address: FEE_CONTRACT, name: 'feeContract' },
  feeMethods,
  PROCESS_FEES,
)

export function creditFees(state: State, amount: bigint): void {
  if (amount > 0n) state.addBalance(FEE_CONTRACT, amount)
}

function processFees({ isSystem, state, block, log, paid }: PrecompileCall): void {
  if (!isSystem) throw new PrecompileFailure('Invoked the fee contract outside last tx of the block')
  const before = readLedger(state)
  state.putStorage(FEE_CONTRACT, SIBLINGS, encodeRlp([]))
  const processed = matureBlock(block)
  if (processed === undefined) return
  const { payments, ledger } = distributeFees(block, processed, before)
  writeLedger(state, ledger)
  for (const payment of payments) {
    const amount = pay(state, payment)
    paid(payment.receiver, amount)
    log({
      address: FEE_CONTRACT,
      topics: [PAYMENT_TOPIC, toHash(padTo32(fromHex(payment.receiver)))],
      data: encodeRlp([fromHex(processed.hash), bigIntToBytes(amount)]),
    })
  }
}

/** Pays at most the precompile's balance, which a test may have set. A zero payment creates the account too. */
function pay(state: State, { receiver, amount }: FeePayment): bigint {
  const balance = state.account(FEE_CONTRACT)?.balance ?? 0n
  const paid = amount < balance ? amount : balance
  state.addBalance(FEE_CONTRACT, -paid)
  state.addBalance(receiver, paid)
  return paid
}

function readLedger(state: State): Ledger {
  const call = state.source?.callPrecompile
  // Every run of the contract writes this slot. If it is empty, the ledger is still the remote's.
  if (call !== undefined && state.storage(FEE_CONTRACT, SIBLINGS).length === 0)
    return decodeLedger(call(FEE_CONTRACT, fromHex(STATE_FOR_DEBUGGING)))
  const read = (slot: keyof typeof SLOTS) => bytesToBigInt(state.storage(FEE_CONTRACT, SLOTS[slot]))
  return { reward: read('reward'), burned: read('burned'), federation: read('federation') }
}

function writeLedger(state: State, { reward, burned, federation }: Ledger): void {
  state.putStorage(FEE_CONTRACT, SLOTS.reward, bigIntToBytes(reward))
  state.putStorage(FEE_CONTRACT, SLOTS.burned, bigIntToBytes(burned))
  state.putStorage(FEE_CONTRACT, SLOTS.federation, bigIntToBytes(federation))
}

/** The ledger of a remote from its state for debugging, which does not contain the fees kept for the federators. */
function decodeLedger(encoded: Uint8Array | undefined): Ledger {
  if (encoded === undefined)
    throw new PrecompileFailure('the fee contract of the remote does not return its state')
  const [state] = decodeAbi([bytes], encoded)
  const [reward = 0n, burned = 0n] = listOf(decodeRlp(state)).map((item) => bytesToBigInt(bytesOf(item)))
  return { reward, burned, federation: 0n }
}

/** State for debugging as the reference node encodes it: both balances, and no broken block selection rule. */
const encodeLedger = ({ reward, burned }: Ledger): Uint8Array =>
  encodeRlp([bigIntToBytes(reward), bigIntToBytes(burned), Uint8Array.of(0)])

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

interface FeePayment {
  readonly receiver: Address
  readonly amount: bigint
}

/** The payments of a block, and the balances after it. */
export interface Distribution {
  /** Payments in the order in which they are made. */
  readonly payments: readonly FeePayment[]
  readonly ledger: Ledger
}

/** The block whose fees this block counts; absent while no block is old enough. */
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

/** Pays the miner of the processed block. The miner shares with the miners of uncles. */
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
