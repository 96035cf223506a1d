/** Computes the intrinsic gas and the floor gas of a transaction, and checks that its numbers and its code fit the limits. */

import { NodeError } from '../base/errors.ts'
import { MAX_UINT64, MAX_UINT256 } from '../base/limits.ts'
import { encodeRlp } from '../base/rlp.ts'
import type { DataFloor, StateGas } from '../config/eip-changes.ts'
import { zerosIn } from '../crypto/keccak.ts'
import type { Rules, TransactionRules } from './rules.ts'
import { accessListItems, unreadable } from './transaction-members.ts'
import {
  effectiveGasPrice,
  hasGasPrice,
  maximumCost,
  type AccessList,
  type Transaction,
  type TransactionFields,
} from './transaction.ts'

type Payload = Pick<Transaction, 'sender' | 'to' | 'data' | 'accessList' | 'authorizationList'>

/** Gas that does not depend on the executed code. */
export interface IntrinsicGas {
  /** Charged before the first instruction. */
  readonly intrinsic: number
  /** The part of it that is state gas (EIP-8037). */
  readonly state: number
  /** Minimum gas of the transaction by its data; 0 without this rule (EIP-7623). */
  readonly floor: number
}

export const NO_GAS: IntrinsicGas = { intrinsic: 0, state: 0, floor: 0 }

/** Computes both (Yellow Paper, section 6.2; EIP-2028, 2930, 3860, 7623, 7702, 7981 and 8037; node-chain 7.3). */
export function intrinsicGasOf({ transaction: rules, stateGas }: Rules, payload: Payload): IntrinsicGas {
  const { sender, to, data, accessList = [], authorizationList = [] } = payload
  if (rules.isFree(sender, to)) return NO_GAS
  const zeros = zerosIn(data)
  const others = data.length - zeros
  const creation = to === undefined ? rules.creation + rules.initCodeWord * Math.ceil(data.length / 32) : 0
  const slots = accessList.reduce((count, { storageKeys }) => count + storageKeys.length, 0)
  const listGas = rules.accessListData * (20 * accessList.length + 32 * slots)
  const state = stateGas === undefined ? 0 : newStateGas(stateGas, payload)
  return {
    state,
    intrinsic:
      state +
      listGas +
      rules.base +
      creation +
      rules.zeroByte * zeros +
      rules.nonZeroByte * others +
      rules.accessListAddress * accessList.length +
      rules.accessListSlot * slots +
      accessListGas(rules, accessList) +
      (rules.authorization ?? 0) * authorizationList.length,
    floor: rules.dataFloor === undefined ? 0 : rules.base + listGas + floorOf(rules.dataFloor, zeros, others),
  }
}

const floorOf = ({ zeroByte, nonZeroByte }: DataFloor, zeros: number, others: number): number =>
  zeroByte * zeros + nonZeroByte * others

/** State gas of a created account, and of the accounts and delegations of authorizations as if all were new. */
const newStateGas = ({ account, delegation }: StateGas, { to, authorizationList = [] }: Payload): number =>
  (to === undefined ? account : 0) + (account + delegation) * authorizationList.length

function accessListGas({ accessListByte }: TransactionRules, accessList: AccessList): number {
  if (accessListByte === 0 || accessList.length === 0) return 0
  return accessListByte * encodeRlp(accessListItems(accessList)).length
}

/** Wei that the sender of a transaction must have. */
export function requiredFunds(
  { transaction: { fundsCover } }: Rules,
  transaction: Transaction,
  baseFeePerGas: bigint,
): bigint {
  return fundsCover === 'maximum price'
    ? maximumCost(transaction)
    : maximumCost(transaction, effectiveGasPrice(transaction, baseFeePerGas))
}

/** Minimum gas limit of a transaction: its intrinsic gas, or the floor gas of its data if that is more (EIP-7623). */
export function minGasLimit(rules: Rules, payload: Payload): bigint {
  const { intrinsic, floor } = intrinsicGasOf(rules, payload)
  return BigInt(Math.max(intrinsic, floor))
}

/** The most gas that a transaction can add to its block, as state gas and as other gas (EIP-8037). */
export function maxGasOf(
  rules: Rules,
  transaction: Transaction,
): { readonly state: bigint; readonly other: bigint } {
  const { gasLimit } = transaction
  if (rules.stateGas === undefined) return { state: 0n, other: gasLimit }
  const { intrinsic, state } = intrinsicGasOf(rules, transaction)
  const other = gasLimit - BigInt(state)
  const cap = BigInt(rules.transaction.gasCap ?? MAX_UINT64)
  return { state: gasLimit - BigInt(intrinsic - state), other: other < cap ? other : cap }
}

/** Maximum nonce of a transaction and of an authorization, which increments it (EIP-2681). */
export const MAX_NONCE = MAX_UINT64 - 1n

/** A larger `yParity` makes the whole transaction invalid. From 2 up to here, only its authorization is skipped (EIP-7702). */
const MAX_Y_PARITY = 2n ** 8n - 1n

/** @throws NodeError 'invalidTransaction' that names the number that is too large. */
export function checkBounds(fields: TransactionFields): void {
  const { type, nonce, gasLimit, value, maxFeePerGas, maxPriorityFeePerGas } = fields
  const { maxFeePerBlobGas = 0n, authorizationList = [] } = fields
  const price = hasGasPrice(type) ? 'gas price' : 'max fee per gas'
  requireAtMost(MAX_NONCE, 'nonce', nonce)
  requireAtMost(MAX_UINT64, 'gas limit', gasLimit)
  requireAtMost(MAX_UINT256, 'value', value)
  requireAtMost(MAX_UINT256, price, maxFeePerGas)
  requireAtMost(MAX_UINT256, 'max priority fee per gas', maxPriorityFeePerGas)
  requireAtMost(MAX_UINT256, 'max fee per blob gas', maxFeePerBlobGas)
  requireAtMost(MAX_UINT256, `gas limit times ${price}`, gasLimit * maxFeePerGas)
  for (const { yParity } of authorizationList)
    requireAtMost(MAX_Y_PARITY, 'y parity of an authorization', yParity)
}

function requireAtMost(maximum: bigint, name: string, value: bigint): void {
  if (value > maximum) throw unreadable(`${name} ${value} is above ${maximum}`)
}

const sizesText = (size: bigint | number, limit: bigint | number): string =>
  `code size ${size}, limit ${limit} (--allow-unlimited-contract-size lifts the limit)`

/** Error text for the code that a constructor returns (EIP-170). */
export const codeSizeText = (size: number, limit: number): string =>
  `max code size exceeded: ${sizesText(size, limit)}`

/** Error text for init code (EIP-3860). */
export const initCodeSizeText = (size: bigint | number, limit: bigint | number): string =>
  `max initcode size exceeded: ${sizesText(size, limit)}`

/** Checks the init code of a call that is not sent. @throws NodeError 'initCodeTooLarge' */
export function checkInitCode(
  { to, data }: Pick<Transaction, 'to' | 'data'>,
  { create: { maxInitCodeSize } }: Rules,
): void {
  if (to === undefined && data.length > maxInitCodeSize)
    throw new NodeError('initCodeTooLarge', initCodeSizeText(data.length, maxInitCodeSize))
}
