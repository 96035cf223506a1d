/** Lists the supported hard forks, oldest first, with their transaction types and EIPs. */

import { present } from '../base/invariant.ts'

export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const

/** Name of a hard fork, as the EVM library spells it. */
export type Hardfork = (typeof HARDFORKS)[number]

/** The fork that introduced each transaction type: access lists (EIP-2930), fees (1559), blobs (4844), set code (7702). */
const TYPE_SINCE: readonly (readonly [type: number, since: Hardfork])[] = [
  [0, 'london'],
  [1, 'london'],
  [2, 'london'],
  [3, 'cancun'],
  [4, 'prague'],
]

/** Extra EIPs that build on a fork: MCOPY is defined on top of Shanghai only. */
const EIP_SINCE: readonly (readonly [eip: number, since: Hardfork])[] = [[5656, 'shanghai']]

/** Whether a fork is `since` or a later one. */
export const isForkSince = (fork: Hardfork, since: Hardfork): boolean =>
  HARDFORKS.indexOf(fork) >= HARDFORKS.indexOf(since)

/** Computes a function once for each hard fork, because every block needs values of its fork. */
export function byHardfork<T>(valueOf: (fork: Hardfork) => T): (fork: Hardfork) => T {
  const known = new Map(HARDFORKS.map((fork) => [fork, { value: valueOf(fork) }]))
  return (fork) => present(known.get(fork), fork).value
}

/** Whether transactions of the type exist under the fork. */
export function hasTransactionType(fork: Hardfork, type: number): boolean {
  return TYPE_SINCE.some(([known, since]) => known === type && isForkSince(fork, since))
}

/** Whether the EIP can be switched on under the fork. */
export function admitsEip(fork: Hardfork, eip: number): boolean {
  return EIP_SINCE.every(([known, since]) => known !== eip || isForkSince(fork, since))
}
