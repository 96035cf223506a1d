/**
 * Replaces the active federation by the proposed one. First the proposed one proves that it can sign: the active one pays it two
 * coins (fund transaction), and it pays them back (spend transaction) (node-next 4.8). Then the coins are moved (node-chain 10.5).
 * Terms: bridge.ts.
 */

import { EMPTY_BYTES, fromHex, toHash } from '../../../base/hex.ts'
import type { AuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import {
  MAX_MIGRATED_COINS,
  MIGRATION_BLOCKS,
  VALIDATION_BLOCKS,
  VALIDATION_COIN_SAT,
  VALIDATION_FLYOVER_HASH,
} from './constants.ts'
import { outputsTo } from './deposits.ts'
import {
  federationOutputScript,
  redeemScript,
  activationBlock,
  commit,
  proposedFederation,
  putProposed,
  retire,
  type Federation,
} from './federation.ts'
import { feePerKb } from './governance-methods.ts'
import { VALIDATION_COINS, sumOf, SPENDING, type Coin } from './pegout-state.ts'
import {
  payAll,
  payInFull,
  payValidation,
  announceRelease,
  fundsOf,
  releaseHash,
  startRelease,
} from './release-transaction.ts'

/** Transactions of a change, in their order. */
type ChangeStep = 'fund' | 'spend'

/** Name of the hash of a transaction that was made but not registered yet. */
const nameOfStep = (step: ChangeStep): string => `federation/${step}`

const isMade = (storage: BridgeStorage, step: ChangeStep): boolean =>
  storage.bytes(nameOfStep(step)) !== undefined

const putStep = (storage: BridgeStorage, step: ChangeStep, transaction: AuxTransaction | undefined): void =>
  storage.putBytes(nameOfStep(step), transaction && fromHex(releaseHash(transaction)))

const HASHES = [EMPTY_BYTES, VALIDATION_FLYOVER_HASH]

/** Whether a proposed federation still has time to prove that it can sign. */
export function isValidating({ storage, blockNumber }: BridgeCall): boolean {
  const proposed = proposedFederation(storage)
  return proposed !== undefined && blockNumber < proposed.creationBlockNumber + VALIDATION_BLOCKS
}

/** Makes a proposed federation's next transaction, or removes the federation if its time is over. */
export function updateChange(bridge: BridgeCall): void {
  const { storage } = bridge
  const proposed = proposedFederation(storage)
  if (proposed === undefined) return
  if (!isValidating(bridge)) return fail(bridge, proposed)
  const coins = VALIDATION_COINS.read(storage)
  if (coins.length > 0) return startSpend(bridge, proposed, coins)
  if (!isMade(storage, 'fund') && !isMade(storage, 'spend')) startFund(bridge, proposed)
}

function fail(bridge: BridgeCall, proposed: Federation): void {
  const { storage, blockNumber } = bridge
  bridge.emit('commit_federation_failed', { redeemScript: redeemScript(proposed), blockNumber })
  endChange(storage)
}

function endChange(storage: BridgeStorage): void {
  putProposed(storage, undefined)
  putStep(storage, 'fund', undefined)
  putStep(storage, 'spend', undefined)
  VALIDATION_COINS.write(storage, [])
  SPENDING.write(storage, [])
}

function startFund(bridge: BridgeCall, proposed: Federation): void {
  const outputs = HASHES.map((hash) => ({
    sat: VALIDATION_COIN_SAT,
    script: federationOutputScript(proposed, hash),
  }))
  const fund = payInFull(fundsOf(bridge.storage, bridge.federations.active), outputs)
  if (fund === undefined) return
  startRelease(bridge, fund, sumOf(outputs))
  putStep(bridge.storage, 'fund', fund)
}

/** The spend transaction needs no confirmations. */
function startSpend(bridge: BridgeCall, federation: Federation, coins: readonly Coin[]): void {
  const { storage } = bridge
  const funds = { coins, federation, feePerKb: feePerKb(storage) }
  const spend = payValidation(funds, federationOutputScript(bridge.federation))
  if (spend === undefined) return
  SPENDING.write(storage, [announceRelease(bridge, spend, sumOf(spend.outputs))])
  putStep(storage, 'spend', spend)
  VALIDATION_COINS.write(storage, [])
}

export function changeStepOf(storage: BridgeStorage, transaction: AuxTransaction): ChangeStep | undefined {
  const steps: readonly ChangeStep[] = ['fund', 'spend']
  return steps.find((step) => {
    const made = storage.bytes(nameOfStep(step))
    return made !== undefined && toHash(made) === releaseHash(transaction)
  })
}

/** Notes that a step's transaction is registered. A fund transaction can then be spent; a spend transaction is the proof. */
export function completeStep(bridge: BridgeCall, step: ChangeStep, transaction: AuxTransaction): void {
  const { storage } = bridge
  const proposed = proposedFederation(storage)
  if (proposed === undefined) return
  if (step === 'spend') {
    endChange(storage)
    return commit(storage, [bridge.federation, proposed])
  }
  if (!isValidating(bridge)) return
  const coins = HASHES.flatMap((hash) => outputsTo(proposed, transaction, hash).slice(0, 1))
  VALIDATION_COINS.write(storage, coins)
  putStep(storage, 'fund', undefined)
}

/** Starts a release of a retiring federation's oldest coins when it is time. After the last one it stops serving. */
export function moveCoins(bridge: BridgeCall): void {
  const { storage, blockNumber, federations } = bridge
  const { active, retiring } = federations
  if (retiring === undefined) return
  const age = blockNumber - activationBlock(active.federation)
  const isLast = age >= MIGRATION_BLOCKS.end
  const held = fundsOf(storage, retiring)
  const funds = { ...held, coins: held.coins.slice(0, MAX_MIGRATED_COINS) }
  const sat = sumOf(funds.coins)
  if (isLast ? sat > 0n : age > MIGRATION_BLOCKS.after && sat > funds.feePerKb / 2n) {
    const release = payAll(funds, federationOutputScript(active.federation))
    if (release !== undefined) startRelease(bridge, release, sat)
  }
  if (isLast) retire(storage)
}
