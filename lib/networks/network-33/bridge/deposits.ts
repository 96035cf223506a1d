/**
 * Deposits: outputs on the auxiliary chain that pay the federation. Registration keeps them as coins, or refunds them. Terms:
 * bridge.ts.
 */

import { EMPTY_BYTES, equalBytes } from '../../../base/hex.ts'
import { outputScript } from './aux-address.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { COINS, sumOf } from './coins.ts'
import type { Coin } from './coins.ts'
import { MINIMUM_PEGIN_SAT } from './constants.ts'
import { federationOutputScript } from './federation.ts'
import { feePerKb } from './governance-methods.ts'
import { payAll } from './release-transaction.ts'
import { startRelease } from './releases.ts'

/** The outputs of a transaction that pay the federation; with a hash, those of that flyover deposit. */
export function depositsIn(
  { federation }: BridgeCall,
  { id, outputs }: AuxTransaction,
  flyoverHash: Uint8Array = EMPTY_BYTES,
): readonly Coin[] {
  const paying = federationOutputScript(federation, flyoverHash)
  return outputs.flatMap(({ sat, script }, index) =>
    equalBytes(script, paying) ? [{ transactionId: id, index, sat, flyoverHash }] : [],
  )
}

/** Whether a deposit has the minimum of a peg-in. */
export const isEnough = ({ sat }: Coin): boolean => sat >= MINIMUM_PEGIN_SAT

/** Keeps deposits as coins of the federation. */
export const keepDeposits = (storage: BridgeStorage, deposits: readonly Coin[]): void =>
  COINS.write(storage, [...COINS.read(storage), ...deposits])

/**
 * Starts a release of exactly these deposits, less the fee, to an address: version and hash (node-next 4.2). Does nothing if
 * the fee leaves too little.
 */
export function refund(bridge: BridgeCall, deposits: readonly Coin[], address: Uint8Array): void {
  const funds = { coins: deposits, federation: bridge.federation, feePerKb: feePerKb(bridge.storage) }
  const release = payAll(funds, outputScript(address))
  if (release !== undefined) startRelease(bridge, release, sumOf(deposits))
}
