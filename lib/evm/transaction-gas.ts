/** Computes the intrinsic gas and the floor gas of a transaction. */

import type { Rules } from './rules/rules.ts'
import type { Transaction } from './transaction.ts'

/** The members of a transaction that the gas depends on. */
export type Payload = Pick<Transaction, 'sender' | 'to' | 'data' | 'accessList' | 'authorizationList'>

/** Gas that does not depend on the executed code. */
export interface IntrinsicGas {
  /** Charged before the first instruction. */
  readonly intrinsic: number
  /** Minimum gas of the transaction by its data; 0 without this rule (EIP-7623). */
  readonly floor: number
}

/** The gas of system calls and of free transactions. */
export const NO_GAS: IntrinsicGas = { intrinsic: 0, floor: 0 }

/** Computes both (Yellow Paper, section 6.2; EIP-2028, 2930, 3860, 7623 and 7702; node-chain 7.3). */
export function intrinsicGasOf({ transaction: rules }: Rules, payload: Payload): IntrinsicGas {
  const { sender, to, data, accessList = [], authorizationList = [] } = payload
  if (rules.isFree(sender, to)) return NO_GAS
  const zeros = zeroBytesOf(data)
  const others = data.length - zeros
  const creation = to === undefined ? rules.creation + rules.initCodeWord * Math.ceil(data.length / 32) : 0
  const slots = accessList.reduce((count, { storageKeys }) => count + storageKeys.length, 0)
  return {
    intrinsic:
      rules.base +
      creation +
      rules.zeroByte * zeros +
      rules.nonZeroByte * others +
      rules.accessListAddress * accessList.length +
      rules.accessListSlot * slots +
      (rules.authorization ?? 0) * authorizationList.length,
    floor: rules.floorPerToken === undefined ? 0 : rules.base + rules.floorPerToken * (zeros + 4 * others),
  }
}

/** Minimum gas limit of a valid transaction. */
export function minGasLimit(rules: Rules, payload: Payload): bigint {
  const { intrinsic, floor } = intrinsicGasOf(rules, payload)
  return BigInt(Math.max(intrinsic, floor))
}

function zeroBytesOf(data: Uint8Array): number {
  let zeros = 0
  // Without an iterator, which takes V8 five times as long.
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zeros++
  return zeros
}
