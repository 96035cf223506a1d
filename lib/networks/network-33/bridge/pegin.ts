/** Processes peg-ins: coins paid to the federation on the auxiliary chain are released from the Bridge. */

import type { Address, Hash } from '../../../base/hex.ts'
import { EMPTY_BYTES, equalBytes, fromHex } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { toDisplayOrder } from './aux-header.ts'
import { receiverIn, senderOf } from './aux-sender.ts'
import type { AuxSender } from './aux-sender.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { COINS, sumOf } from './coins.ts'
import { TOTAL_SUPPLY_SAT, BRIDGE_ADDRESS, MINIMUM_PEGIN_SAT, WEI_PER_SAT } from './constants.ts'
import { FEDERATION_SCRIPT } from './federation.ts'
import { lockingCap } from './governance-methods.ts'

/** Codes of rejected peg-ins (node-chain 10.8). */
const REJECTED = { cap: 1n, multisig: 2n, unknownSender: 3n, payload: 4n, amount: 5n }

/** Codes of peg-ins that cannot be refunded. */
const UNREFUNDABLE = { unknownSender: 1n, noRefundAddress: 2n, amount: 3n }

/** An output that pays the federation. */
interface PeginOutput {
  readonly index: number
  readonly sat: bigint
}

/** Result of evaluating a peg-in: the receiver, or the code of the rejection. */
type PeginResult =
  | { readonly receiver: Address; readonly protocolVersion: bigint }
  | { readonly rejected: bigint; readonly unrefundable?: bigint }

const nameOfProcessed = (id: Hash): string => `processed/${id}`

/** Number of the block in which a transaction of the auxiliary chain was processed. */
export const processedHeight = (storage: BridgeStorage, id: Hash): bigint | undefined =>
  storage.number(nameOfProcessed(id))

/**
 * Pays the receiver of a transaction that is proven to be in a block, and stores its coins. A rejected transaction counts
 * as processed too; a refund would need signatures of the federation.
 * @throws PrecompileFailure if it was processed before, or pays the federation nothing
 */
export function pegIn(bridge: BridgeCall, transaction: AuxTransaction): void {
  const { storage } = bridge
  const id = toDisplayOrder(transaction.id)
  if (processedHeight(storage, id) !== undefined)
    throw new PrecompileFailure(`transaction ${id} was processed before`)
  const payments = paymentsIn(transaction)
  if (payments.length === 0) throw new PrecompileFailure(`transaction ${id} pays the federation nothing`)
  storage.putNumber(nameOfProcessed(id), bridge.blockNumber)
  const result = evaluate(bridge, transaction, payments)
  if ('rejected' in result) return reject(bridge, id, result)
  const sat = sumOf(payments)
  bridge.pay(result.receiver, sat * WEI_PER_SAT)
  const received = payments.map((payment) => ({
    transactionId: transaction.id,
    flyoverHash: EMPTY_BYTES,
    ...payment,
  }))
  COINS.write(storage, [...COINS.read(storage), ...received])
  bridge.emit('pegin_aux', { ...result, auxTxHash: fromHex(id), amount: sat })
}

function paymentsIn({ outputs }: AuxTransaction): readonly PeginOutput[] {
  return outputs.flatMap(({ sat, script }, index) =>
    equalBytes(script, FEDERATION_SCRIPT) ? [{ index, sat }] : [],
  )
}

function evaluate(
  bridge: BridgeCall,
  transaction: AuxTransaction,
  payments: readonly PeginOutput[],
): PeginResult {
  if (payments.some(({ sat }) => sat < MINIMUM_PEGIN_SAT)) {
    return { rejected: REJECTED.amount, unrefundable: UNREFUNDABLE.amount }
  }
  const result = evaluateReceiver(transaction)
  if ('rejected' in result) return result
  return exceedsCap(bridge, sumOf(payments)) ? { rejected: REJECTED.cap } : result
}

/** The receiver: the account in an output of the transaction (version 1), or the account of the sender's key (version 0). */
function evaluateReceiver(transaction: AuxTransaction): PeginResult {
  const named = receiverIn(transaction.outputs)
  const sender = senderOf(transaction)
  if (named === 'invalid') return rejectedPayload(sender)
  if (named !== undefined) return { receiver: named, protocolVersion: 1n }
  switch (sender.kind) {
    case 'key':
      return { receiver: sender.account, protocolVersion: 0n }
    case 'multisig':
      return { rejected: REJECTED.multisig }
    case 'unknown':
      return { rejected: REJECTED.unknownSender, unrefundable: UNREFUNDABLE.unknownSender }
  }
}

const rejectedPayload = ({ kind }: AuxSender): PeginResult =>
  kind === 'unknown'
    ? { rejected: REJECTED.payload, unrefundable: UNREFUNDABLE.noRefundAddress }
    : { rejected: REJECTED.payload }

/** Whether the coins in circulation and the peg-in together exceed the locking cap. */
function exceedsCap({ storage, call }: BridgeCall, sat: bigint): boolean {
  const balance = call.state.account(BRIDGE_ADDRESS)?.balance ?? 0n
  const circulating = TOTAL_SUPPLY_SAT - balance / WEI_PER_SAT
  return circulating + sat > lockingCap(storage)
}

function reject(
  bridge: BridgeCall,
  id: Hash,
  { rejected, unrefundable }: Extract<PeginResult, { rejected: bigint }>,
): void {
  const auxTxHash = fromHex(id)
  bridge.emit('rejected_pegin', { auxTxHash, reason: rejected })
  if (unrefundable !== undefined) bridge.emit('unrefundable_pegin', { auxTxHash, reason: unrefundable })
}
