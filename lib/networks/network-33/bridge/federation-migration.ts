/** Moves the coins of the retiring federation to the active one, and retires it (node-chain 10.5). Terms: bridge.ts. */

import type { BridgeCall } from './bridge-call.ts'
import { sumOf } from './coins.ts'
import { MAX_MIGRATED_COINS, MIGRATION_BLOCKS } from './constants.ts'
import { federationOutputScript } from './federation.ts'
import { activationBlock, retire } from './federation-state.ts'
import { feePerKb } from './governance-methods.ts'
import { payAll } from './release-transaction.ts'
import { startRelease } from './releases.ts'

/** Starts a release of the oldest coins of a retiring federation, if it is time. After the last one it no longer serves. */
export function moveCoins(bridge: BridgeCall): void {
  const { storage, blockNumber, federations } = bridge
  const { active, retiring } = federations
  if (retiring === undefined) return
  const age = blockNumber - activationBlock(active.federation)
  const isLast = age >= MIGRATION_BLOCKS.end
  const { federation } = retiring
  const funds = {
    coins: retiring.coins.read(storage).slice(0, MAX_MIGRATED_COINS),
    federation,
    feePerKb: feePerKb(storage),
  }
  const sat = sumOf(funds.coins)
  if (isLast ? sat > 0n : age > MIGRATION_BLOCKS.after && sat > funds.feePerKb / 2n) {
    const release = payAll(funds, federationOutputScript(active.federation))
    if (release !== undefined) startRelease(bridge, release, sat)
  }
  if (isLast) retire(storage)
}
