/** Unsigned transactions that spend coins of the federation: they pay peg-outs, or move coins (node-next 4.5). */

import { EMPTY_BYTES, equalBytes, fromHex, toHash, type Hash } from '../../../base/hex.ts'
import { pushesOf } from './aux-address.ts'
import { toDisplayOrder } from './aux-header.ts'
import {
  readAuxTransaction,
  writeAuxTransaction,
  encodeCount,
  plainSignatureHash,
  type AuxInput,
  type AuxOutput,
  type AuxTransaction,
} from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import {
  servingOf,
  coinRedeemScript,
  federationOutputScript,
  push,
  redeemScript,
  thresholdOf,
  witnessProgram,
  type CoinHolder,
  type FederationKeys,
  type FederationKind,
} from './federation.ts'
import { feePerKb } from './governance-methods.ts'
import { sumOf, CONFIRMING, type Coin, type PegoutBatch } from './pegout-state.ts'

/** Coins to spend, and the cost of a transaction that spends them. */
interface Funds {
  readonly coins: readonly Coin[]
  /** The owner of the coins. */
  readonly federation: FederationKeys
  /** Fee per 1,000 bytes, in sat. */
  readonly feePerKb: bigint
}

/** A transaction with empty items in place of signatures. */
interface Release extends AuxTransaction {
  /** In the order of the inputs. */
  readonly spent: readonly Coin[]
}

export interface BatchRelease extends Release {
  readonly requests: number
  /** Amount in sat that the first receiver pays to raise the change to its minimum. */
  readonly raised: bigint
}

/** Minimum value of an output, in sat. */
const MIN_OUTPUT_SAT = 2_700n

/** Maximum size of a transaction, in bytes. */
const MAX_BYTES = 100_000

/** Bytes of an input's script with witness, including its length. */
const WITNESS_SCRIPT_BYTES = 36

/** Estimated bytes of a signature. */
const SIGNATURE_BYTES = 75

/**
 * Pays requests, in order, and the change to the federation. The receivers share the fee equally; the first also pays the
 * remainder. If there are too many requests for one transaction, it pays the first half. Absent if the coins do not suffice or an
 * output would be too small.
 */
export function payRequests(funds: Funds, requests: readonly AuxOutput[]): BatchRelease | undefined {
  const sum = sumOf(requests)
  const spent = coinsFor(funds.coins, sum)
  if (spent === undefined || requests.length === 0) return undefined
  const rest = sumOf(spent) - sum
  const raised = rest > 0n && rest < MIN_OUTPUT_SAT ? MIN_OUTPUT_SAT - rest : 0n
  const change = rest === 0n ? [] : [{ sat: rest + raised, script: federationOutputScript(funds.federation) }]
  const fee = feeOf(funds, spent, [...requests, ...change])
  const count = BigInt(requests.length)
  const paid = requests.map(({ sat, script }, index) => ({
    sat: sat - fee / count - (index === 0 ? (fee % count) + raised : 0n),
    script,
  }))
  if (paid.some(({ sat }) => sat < MIN_OUTPUT_SAT)) return undefined
  const release = releaseOf(funds.federation, spent, [...paid, ...change])
  if (release.raw.length <= MAX_BYTES) return { ...release, requests: requests.length, raised }
  return payRequests(funds, requests.slice(0, requests.length / 2))
}

/** Pays all coins, minus the fee, to one script. Absent if less than the minimum output is left. */
export function payAll(funds: Funds, script: Uint8Array): Release | undefined {
  const spent = inOrder(funds.coins)
  const sum = sumOf(spent)
  const sat = sum - feeOf(funds, spent, [{ sat: sum, script }])
  return sat < MIN_OUTPUT_SAT ? undefined : releaseOf(funds.federation, spent, [{ sat, script }])
}

/**
 * Pays outputs in full, and the change minus the fee to the federation. A change below the minimum output becomes part of the fee.
 * Absent if the coins do not suffice.
 */
export function payInFull(funds: Funds, outputs: readonly AuxOutput[], fee = 0n): Release | undefined {
  const needed = sumOf(outputs) + fee
  const spent = coinsFor(funds.coins, needed)
  if (spent === undefined) return undefined
  const rest = sumOf(spent) - needed
  const hasChange = rest >= MIN_OUTPUT_SAT
  const change = hasChange ? [{ sat: rest, script: federationOutputScript(funds.federation) }] : []
  const paid = [...outputs, ...change]
  const minimumFee = feeOf(funds, spent, paid)
  if (fee + (hasChange ? 0n : rest) < minimumFee) return payInFull(funds, outputs, minimumFee)
  return releaseOf(funds.federation, spent, paid)
}

/** Estimated bytes of a transaction with one output and no inputs, and of a signature, for `payValidation`. */
const ONE_OUTPUT_BYTES = 42
const VALIDATION_SIGNATURE_BYTES = 72

/**
 * Spends, in this order, the two coins with which a witness federation proves that it can sign. The fee has its own estimate, which
 * leaves out most of the inputs, plus a fifth. Absent if less than the minimum output is left.
 */
export function payValidation(
  { coins, federation, feePerKb }: Funds,
  script: Uint8Array,
): Release | undefined {
  const base = ONE_OUTPUT_BYTES + WITNESS_SCRIPT_BYTES * coins.length
  const signatures = thresholdOf(federation.members) * VALIDATION_SIGNATURE_BYTES
  const signing = coins.length * (signatures + redeemScript(federation).length)
  const size = Math.floor((4 * base + signing) / 4)
  const sat = sumOf(coins) - (feePerKb * BigInt(Math.floor((size * 12) / 10))) / 1_000n
  return sat < MIN_OUTPUT_SAT ? undefined : releaseOf(federation, coins, [{ sat, script }])
}

/** Coins sorted by transaction hash, as a number, and index. */
function inOrder(coins: readonly Coin[]): readonly Coin[] {
  const keyOf = ({ transactionId }: Coin) => toDisplayOrder(transactionId)
  return coins.toSorted((left, right) => {
    if (keyOf(left) === keyOf(right)) return left.index - right.index
    return keyOf(left) < keyOf(right) ? -1 : 1
  })
}

/** The first coins that cover an amount; absent if all together do not. */
function coinsFor(coins: readonly Coin[], sat: bigint): readonly Coin[] | undefined {
  const chosen: Coin[] = []
  let sum = 0n
  for (const coin of inOrder(coins)) {
    if (sum >= sat) break
    chosen.push(coin)
    sum += coin.sat
  }
  return sum >= sat ? chosen : undefined
}

/** Fee by the estimated size. A witness byte counts a quarter. */
function feeOf(
  { federation, feePerKb }: Funds,
  spent: readonly Coin[],
  outputs: readonly AuxOutput[],
): bigint {
  const unsigned = writeAuxTransaction(
    spent.map((coin) => inputOf(coin, EMPTY_BYTES)),
    outputs,
  ).length
  const signing = spent.reduce((sum, { flyoverHash }) => {
    const redeem = coinRedeemScript(federation, flyoverHash)
    return sum + thresholdOf(federation.members) * SIGNATURE_BYTES + redeem.length
  }, 0)
  const size =
    federation.kind === 'plain'
      ? unsigned + signing
      : unsigned + WITNESS_SCRIPT_BYTES * spent.length + Math.floor(signing / 4)
  return (feePerKb * BigInt(size)) / 1_000n
}

/** The transaction with placeholders in scripts or witnesses. */
function releaseOf(
  federation: FederationKeys,
  spent: readonly Coin[],
  outputs: readonly AuxOutput[],
): Release {
  const { kind, members } = federation
  const signatures = Array.from({ length: thresholdOf(members) }, () => EMPTY_BYTES)
  const unlocked = spent.map((coin) => {
    const redeem = coinRedeemScript(federation, coin.flyoverHash)
    const { script, witness } = unlock({ kind, redeem, signatures })
    return { input: inputOf(coin, script), witness }
  })
  const inputs = unlocked.map(({ input }) => input)
  const witnesses = unlocked.map(({ witness }) => witness)
  return { ...readAuxTransaction(writeAuxTransaction(inputs, outputs, witnesses)), spent }
}

const inputOf = ({ transactionId, index }: Coin, script: Uint8Array): AuxInput => ({
  previousId: transactionId,
  previousIndex: index,
  script,
  sequence: 0xffffffff,
})

/** How an input is signed. */
interface Unlocking {
  readonly kind: FederationKind
  readonly redeem: Uint8Array
  readonly signatures: readonly Uint8Array[]
}

/** Script and witness of a signed input. The last empty item selects the members' branch. */
export function unlock({ kind, redeem, signatures }: Unlocking) {
  if (kind === 'plain') {
    return { script: Uint8Array.from([EMPTY_BYTES, ...signatures, redeem].flatMap(push)), witness: [] }
  }
  return {
    script: Uint8Array.from(push(witnessProgram(redeem))),
    witness: [EMPTY_BYTES, ...signatures, EMPTY_BYTES, redeem],
  }
}

/** The items with which an input spends its coin, from its witness or its script. The last one is the redeem script. */
export function shownItems({ inputs, witnesses }: AuxTransaction, index: number): readonly Uint8Array[] {
  const witness = witnesses[index] ?? []
  return witness.length > 0 ? witness : (pushesOf(inputs[index]?.script ?? EMPTY_BYTES) ?? [])
}

/** Identifies a release, signed or not: the hash for its first input, which covers no signatures (node-next 4.3). */
export function releaseHash(transaction: AuxTransaction): Hash {
  const script = shownItems(transaction, 0).at(-1) ?? EMPTY_BYTES
  return toHash(plainSignatureHash(transaction, { index: 0, script }))
}

const nameOfRelease = (transaction: AuxTransaction): string => `release/${releaseHash(transaction)}`

/** Whether a transaction of the auxiliary chain was made by the Bridge. */
export const isRelease = (storage: BridgeStorage, transaction: AuxTransaction): boolean =>
  storage.bytes(nameOfRelease(transaction)) !== undefined

export const fundsOf = (storage: BridgeStorage, { federation, coins }: CoinHolder): Funds => ({
  coins: coins.read(storage),
  federation,
  feePerKb: feePerKb(storage),
})

/**
 * Starts a release, a Bridge transaction on the auxiliary chain (node-next 4.5): takes its coins, and lets it wait for
 * confirmations. `requested` is its event's amount in sat.
 */
export function startRelease(bridge: BridgeCall, release: Release, requested: bigint): void {
  const { storage, federations } = bridge
  const isSpent = ({ transactionId, index }: Coin) =>
    release.spent.some((coin) => coin.index === index && equalBytes(coin.transactionId, transactionId))
  for (const { coins } of servingOf(federations)) coins.remove(storage, isSpent)
  storage.putBytes(nameOfRelease(release), EMPTY_BYTES)
  CONFIRMING.write(storage, [...CONFIRMING.read(storage), announceRelease(bridge, release, requested)])
}

/** Emits the events of a new release. Returns what waits for signatures. */
export function announceRelease(
  bridge: BridgeCall,
  { raw, id, spent }: Release,
  requested: bigint,
): PegoutBatch {
  const { transactionHash, blockNumber } = bridge
  const inputValues = new Uint8Array(Buffer.concat(spent.map(({ sat }) => encodeCount(sat))))
  const auxTxHash = fromHex(toDisplayOrder(id))
  bridge.emit('release_requested', { txHash: fromHex(transactionHash), auxTxHash, amount: requested })
  bridge.emit('pegout_transaction_created', { auxTxHash, utxoOutpointValues: inputValues })
  return { raw, inputValues, transactionHash, createdIn: blockNumber }
}
