/**
 * Processes transactions of the auxiliary chain that are proven to be in a block: a peg-in releases coins from the Bridge, and a
 * release returns its change (node-next 4.2, 4.3). Terms: bridge.ts.
 */

import { equalBytes, fromHex, type Address, type Hash } from '../../../base/hex.ts'
import { toDisplayOrder } from './aux-header.ts'
import { receiverIn, senderOf, type AuxSender } from './aux-sender.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { sumOf } from './coins.ts'
import { WEI_PER_SAT } from './constants.ts'
import { depositsIn, isEnough, keepDeposits, refund, type Deposit } from './deposits.ts'
import { changeStepOf, completeStep } from './federation-change.ts'
import { RELEASED } from './pegout-state.ts'
import { isRelease } from './releases.ts'

/** Codes of rejected peg-ins (node-chain 10.8). */
const REJECTED = { multisig: 2n, unknownSender: 3n, payload: 4n, amount: 5n }

/** Codes of peg-ins that cannot be refunded. */
const UNREFUNDABLE = { unknownSender: 1n, amount: 3n, mixedFederations: 4n }

/** Height of the auxiliary chain from which on the present rules tell peg-ins, and the steps of a change of federation, from other transactions. */
const PRESENT_RULES_HEIGHT = 350n

/** Result of evaluating a peg-in: the receiver, or the code of the rejection. */
type PeginResult =
  | { readonly receiver: Address; readonly protocolVersion: bigint }
  | { readonly rejected: bigint; readonly refundAddress: Uint8Array }
  | { readonly rejected: bigint; readonly unrefundable: bigint }

const nameOfProcessed = (id: Hash): string => `processed/${id}`

/** Number of the block in which a transaction of the auxiliary chain was processed. */
export const processedHeight = (storage: BridgeStorage, id: Hash): bigint | undefined =>
  storage.number(nameOfProcessed(id))

/** Whether a transaction was processed, by its id in internal byte order. */
export const isProcessed = (storage: BridgeStorage, id: Uint8Array): boolean =>
  processedHeight(storage, toDisplayOrder(id)) !== undefined

/** Processes a transaction that is in a block of a height. */
export function register(bridge: BridgeCall, transaction: AuxTransaction, height: bigint): void {
  const deposits = depositsIn(bridge, transaction)
  const step = height < PRESENT_RULES_HEIGHT ? undefined : changeStepOf(bridge.storage, transaction)
  if (step !== undefined || isRelease(bridge.storage, transaction)) {
    const { storage } = bridge
    keepDeposits(bridge, deposits)
    markProcessed(bridge, transaction)
    RELEASED.write(
      storage,
      RELEASED.read(storage).filter(({ id }) => !equalBytes(id, transaction.id)),
    )
    if (step !== undefined) completeStep(bridge, step, transaction)
    return
  }
  const isPegin = height < PRESENT_RULES_HEIGHT ? deposits.every(isEnough) : deposits.length > 0
  if (isPegin) pegIn(bridge, transaction, deposits)
}

const markProcessed = ({ storage, blockNumber }: BridgeCall, { id }: AuxTransaction): void =>
  storage.putNumber(nameOfProcessed(toDisplayOrder(id)), blockNumber)

/** Pays the receiver, or refunds the deposits. A peg-in that cannot be refunded does not count as processed (IP-551). */
function pegIn(bridge: BridgeCall, transaction: AuxTransaction, deposits: readonly Deposit[]): void {
  const auxTxHash = fromHex(toDisplayOrder(transaction.id))
  const result = evaluate(transaction, deposits)
  if ('rejected' in result) bridge.emit('rejected_pegin', { auxTxHash, reason: result.rejected })
  if ('unrefundable' in result) {
    return bridge.emit('unrefundable_pegin', { auxTxHash, reason: result.unrefundable })
  }
  markProcessed(bridge, transaction)
  if ('refundAddress' in result) return refund(bridge, deposits, result.refundAddress)
  const sat = sumOf(deposits)
  bridge.pay(result.receiver, sat * WEI_PER_SAT)
  bridge.emit('pegin_aux', { ...result, auxTxHash, amount: sat })
  keepDeposits(bridge, deposits)
}

/** The receiver: the account in an output of the transaction (version 1), or the account of the sender's key (version 0). */
function evaluate(transaction: AuxTransaction, deposits: readonly Deposit[]): PeginResult {
  // By the older rules a transaction without deposits is a peg-in of too little.
  if (deposits.length === 0 || !deposits.every(isEnough)) {
    return { rejected: REJECTED.amount, unrefundable: UNREFUNDABLE.amount }
  }
  const sender = senderOf(transaction)
  const named = receiverIn(transaction.outputs)
  if (named === 'invalid') return rejection(sender, REJECTED.payload)
  if (named !== undefined) return { receiver: named, protocolVersion: 1n }
  switch (sender.kind) {
    case 'key':
      return { receiver: sender.account, protocolVersion: 0n }
    case 'multisig':
      return isMixed(deposits)
        ? { rejected: REJECTED.multisig, unrefundable: UNREFUNDABLE.mixedFederations }
        : rejection(sender, REJECTED.multisig)
    case 'unknown':
      return rejection(sender, REJECTED.unknownSender)
  }
}

/** Whether the deposits are to federations of different kinds, whose inputs no transaction has side by side. */
const isMixed = (deposits: readonly Deposit[]): boolean =>
  new Set(deposits.map(({ holder }) => holder.federation.kind)).size > 1

const rejection = (sender: AuxSender, rejected: bigint): PeginResult =>
  sender.kind === 'unknown'
    ? { rejected, unrefundable: UNREFUNDABLE.unknownSender }
    : { rejected, refundAddress: sender.address }
