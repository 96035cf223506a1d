/**
 * The precompile that collects the fees of all blocks and pays them out to miners, federators and a fund
 * (node-chain 8.1, 8.4, 10.2). fee-distribution.ts computes the payments.
 *
 * Its storage has a word each for the fees to pay out (slot 0), burned fees (slot 1) and fees kept for the federators
 * (slot 2). The reference node uses other slots, which no method reads. Only the slot that the first block writes is the
 * same, so that the state roots after the first blocks match.
 */

import { bigIntToBytes, bytesToBigInt, fromHex, padTo32, toHash } from '../../../base/hex.ts'
import { toWord } from '../../../base/hex.ts'
import { decodeRlp, encodeRlp } from '../../../base/rlp.ts'
import { FEE_CONTRACT } from '../../../evm/system-transaction.ts'
import type { State } from '../../../state/state.ts'
import { decodeAbi, bytes } from '../../../abi/codec.ts'
import { bytesOf, listOf } from '../bridge/bridge-storage.ts'
import { nothing } from '../bridge/declaration.ts'
import { distributeFees, matureBlock, type Ledger, type FeePayment } from './fee-distribution.ts'
import { PrecompileFailure, type PrecompileCall } from '../../../evm/precompile.ts'
import { precompileMethod, precompileWithMethods } from './methods.ts'

/** Selector of `processMinersFees()`. */
const PROCESS_FEES = '0xbe021a58'

/** Selector of `getStateForDebugging()`. */
const STATE_FOR_DEBUGGING = '0x0d0cee93'

/** First topic of the payment event: a text in ASCII, not a hash. */
const PAYMENT_TOPIC = toHash(padTo32(new TextEncoder().encode('mining_fee_topic')))

const SLOTS = { reward: toWord(0n), burned: toWord(1n), federation: toWord(2n) }

/**
 * Storage slot in which the reference node keeps the side blocks that wait for their reward. Here every run writes an empty
 * list.
 */
const SIBLINGS = toHash(padTo32(new TextEncoder().encode('siblings')))

/** Functions of the precompile. */
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

/** Credits wei to the precompile. */
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

/** Pays at most the precompile's balance, which a test may have set. A payment of zero creates the account too. */
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

/** The ledger of a remote from its state for debugging, which does not say what is kept for the federators. */
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
