/** Fees from block to block. */

import type { Header } from './header.ts'

/** The gas target is the limit over this (EIP-1559). */
const ELASTICITY_MULTIPLIER = 2n

/** The base fee moves by at most one part in so many (EIP-1559). */
const BASE_FEE_CHANGE_DENOMINATOR = 8n

/**
 * Base fee the next block must carry, in wei (EIP-1559).
 * Absent when the parent has none.
 */
export function nextBaseFee(parent: Header): bigint | undefined {
  const { baseFeePerGas: fee, gasUsed, gasLimit } = parent
  if (fee === undefined) return undefined
  const target = gasLimit / ELASTICITY_MULTIPLIER
  if (gasUsed === target || target === 0n) return fee
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (fee * distance) / target / BASE_FEE_CHANGE_DENOMINATOR
  if (gasUsed < target) return fee - change
  return fee + (change > 0n ? change : 1n)
}
