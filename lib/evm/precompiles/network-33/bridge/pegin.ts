/** Processes peg-ins: coins paid to the federation on the auxiliary chain are released from the Bridge. */

import type { Address, Hash } from '../../../../base/hex.ts'
import { equalBytes, fromHex } from '../../../../base/hex.ts'
import { PrecompileFailure } from '../../precompile.ts'
import { toDisplayOrder } from './aux-header.ts'
import { receiverIn, senderOf } from './aux-sender.ts'
import type { AuxSender } from './aux-sender.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { coins, putCoins, sumOf } from './coins.ts'
import { ALL_COINS_SAT, BRIDGE_ADDRESS, MINIMUM_PEGIN_SAT, WEI_PER_SAT } from './constants.ts'
import { BRIDGE_EVENTS } from './events.ts'
import { GENESIS_FEDERATION, federationOutputScript } from './federation.ts'
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

/** Decision about a peg-in: the receiver, or the code of the rejection. */
type Verdict =
  | { readonly receiver: Address; readonly protocolVersion: bigint }
  | { readonly rejected: bigint; readonly unrefundable?: bigint }

const FEDERATION_SCRIPT = federationOutputScript(GENESIS_FEDERATION.members)

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
  const verdict = judge(bridge, transaction, payments)
  if ('rejected' in verdict) return reject(bridge, id, verdict)
  const sat = sumOf(payments)
  bridge.pay(verdict.receiver, sat * WEI_PER_SAT)
  const received = payments.map((payment) => ({ transactionId: transaction.id, ...payment }))
  putCoins(storage, [...coins(storage), ...received])
  bridge.emit(BRIDGE_EVENTS.peginAux, [verdict.receiver, fromHex(id)], [sat, verdict.protocolVersion])
}

function paymentsIn({ outputs }: AuxTransaction): readonly PeginOutput[] {
  return outputs.flatMap(({ sat, script }, index) =>
    equalBytes(script, FEDERATION_SCRIPT) ? [{ index, sat }] : [],
  )
}

function judge(bridge: BridgeCall, transaction: AuxTransaction, payments: readonly PeginOutput[]): Verdict {
  if (payments.some(({ sat }) => sat < MINIMUM_PEGIN_SAT)) {
    return { rejected: REJECTED.amount, unrefundable: UNREFUNDABLE.amount }
  }
  const verdict = judgeReceiver(transaction)
  if ('rejected' in verdict) return verdict
  return surpassesCap(bridge, sumOf(payments)) ? { rejected: REJECTED.cap } : verdict
}

/** The receiver: the account in an output of the transaction (version 1), or the account of the sender's key (version 0). */
function judgeReceiver({ inputs, outputs }: AuxTransaction): Verdict {
  const named = receiverIn(outputs)
  const sender = senderOf(inputs[0])
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

const rejectedPayload = ({ kind }: AuxSender): Verdict =>
  kind === 'unknown'
    ? { rejected: REJECTED.payload, unrefundable: UNREFUNDABLE.noRefundAddress }
    : { rejected: REJECTED.payload }

/** Whether released coins and the peg-in together exceed the locking cap. */
function surpassesCap({ storage, call }: BridgeCall, sat: bigint): boolean {
  const balance = call.state.account(BRIDGE_ADDRESS)?.balance ?? 0n
  const released = ALL_COINS_SAT - balance / WEI_PER_SAT
  return released + sat > lockingCap(storage)
}

function reject(
  bridge: BridgeCall,
  id: Hash,
  { rejected, unrefundable }: Extract<Verdict, { rejected: bigint }>,
): void {
  const hash = fromHex(id)
  bridge.emit(BRIDGE_EVENTS.rejectedPegin, [hash], [rejected])
  if (unrefundable !== undefined) bridge.emit(BRIDGE_EVENTS.unrefundablePegin, [hash], [unrefundable])
}
