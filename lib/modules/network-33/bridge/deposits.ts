/** Deposits: outputs that pay the federation. Registration keeps them as coins, or refunds them. Terms: bridge.ts. */

import { EMPTY_BYTES, equalBytes } from '../../../base/hex.ts'
import { outputScript } from './aux-address.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import { sumOf, type Coin } from './pegout-state.ts'
import { MINIMUM_PEGIN_SAT } from './constants.ts'
import { federationOutputScript, servingOf, type FederationKeys, type CoinHolder } from './federation.ts'
import { feePerKb } from './governance-methods.ts'
import { payAll, startRelease } from './release-transaction.ts'

/** A coin of a federation that serves. */
export interface Deposit extends Coin {
  readonly holder: CoinHolder
}

/** The outputs of a transaction that pay a serving federation. With a hash, only the flyover deposit counts. */
export const depositsIn = (
  { federations }: BridgeCall,
  transaction: AuxTransaction,
  flyoverHash: Uint8Array = EMPTY_BYTES,
): readonly Deposit[] =>
  servingOf(federations).flatMap((holder) =>
    outputsTo(holder.federation, transaction, flyoverHash).map((coin) => ({ ...coin, holder })),
  )

/** The outputs of a transaction that pay a federation, or with a hash its flyover deposit. */
export function outputsTo(
  federation: FederationKeys,
  { id, outputs }: AuxTransaction,
  flyoverHash: Uint8Array,
): readonly Coin[] {
  const paying = federationOutputScript(federation, flyoverHash)
  return outputs.flatMap(({ sat, script }, index) =>
    equalBytes(script, paying) ? [{ transactionId: id, index, sat, flyoverHash }] : [],
  )
}

/** Whether a deposit has the minimum of a peg-in. */
export const isEnough = ({ sat }: Coin): boolean => sat >= MINIMUM_PEGIN_SAT

export function keepDeposits({ storage, federations }: BridgeCall, deposits: readonly Deposit[]): void {
  for (const { coins } of servingOf(federations)) {
    const added = deposits.filter(({ holder }) => holder.coins === coins)
    if (added.length > 0) coins.write(storage, [...coins.read(storage), ...added])
  }
}

/**
 * Starts a release of exactly these deposits, minus the fee, to an address: version and hash (node-next 4.2). Does nothing if the
 * fee leaves too little. Deposits to two federations share one transaction, and neither can sign all inputs. As in the reference,
 * the scripts are those of the active federation.
 */
export function refund(bridge: BridgeCall, deposits: readonly Deposit[], address: Uint8Array): void {
  const federation = deposits[0]?.holder.federation ?? bridge.federation
  const funds = { coins: deposits, federation, feePerKb: feePerKb(bridge.storage) }
  const release = payAll(funds, outputScript(address))
  if (release !== undefined) startRelease(bridge, release, sumOf(deposits))
}
