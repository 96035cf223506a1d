/** A transaction or a call as a client requests it: its type, its price, and the message that the machine runs for a call. */

import { NodeError, invalidParams } from '../../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS, type Address } from '../../base/hex.ts'
import { blobFault } from '../../evm/sidecar.ts'
import { checkDelegation } from '../../evm/codec.ts'
import type { Rules } from '../../evm/rules.ts'
import type { CallMessage } from '../../evm/simulated-call.ts'
import { checkTip } from '../../networks/consensus/admission.ts'
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DYNAMIC_FEE_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  hasGasPrice,
  type BlobSidecar,
  type TransactionFields,
} from '../../evm/transaction.ts'

type Requested<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined }

/** A transaction before it is signed, or a call. Absent members have defaults (geth, internal/ethapi, TransactionArgs). */
export interface TransactionRequest
  extends
    Requested<Omit<TransactionFields, 'type' | 'gasLimit' | 'sidecar'>>,
    Requested<Omit<BlobSidecar, 'version'>> {
  readonly from?: Address | undefined
  readonly gas?: bigint | undefined
  /** Wei per gas. */
  readonly gasPrice?: bigint | undefined
  readonly chainId?: bigint | undefined
  readonly type?: bigint | undefined
}

/** Whether a network with these transaction types has legacy transactions only. */
export const areLegacy = (types: readonly number[]): boolean => types.every((type) => type === LEGACY_TYPE)

/**
 * The type in the request, or the type that has the request's members. Without a gas price it is EIP-1559 if the network
 * accepts that. Unlike in geth, a gas price does not drop members that legacy transactions lack, except for an empty
 * access list where the network accepts no access lists. Where all transactions are legacy, types, fees and
 * access lists are not read, as on the reference node (node-rpc 5.8).
 */
export function transactionTypeOf(request: TransactionRequest, accepted: readonly number[]): number {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = request
  const { maxFeePerBlobGas, blobVersionedHashes, blobs } = request
  if (type !== undefined && !areLegacy(accepted)) return Number(type)
  if (request.authorizationList !== undefined) return SET_CODE_TYPE
  if ((maxFeePerBlobGas ?? blobVersionedHashes ?? blobs) !== undefined) return BLOB_TYPE
  if (areLegacy(accepted)) return LEGACY_TYPE
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return DYNAMIC_FEE_TYPE
  if (gasPrice === undefined && accepted.includes(DYNAMIC_FEE_TYPE)) return DYNAMIC_FEE_TYPE
  if (accessList === undefined) return LEGACY_TYPE
  return accessList.length > 0 || accepted.includes(ACCESS_LIST_TYPE) ? ACCESS_LIST_TYPE : LEGACY_TYPE
}

/** The type of a request on networks that infer nothing: legacy unless the request names one (node-next 2.5). */
export const namedTypeOf = ({ type = BigInt(LEGACY_TYPE) }: TransactionRequest): number => Number(type)

/** Refuses a request without the members that its type needs. @throws NodeError 'invalidTransaction' */
export function checkNamedType(request: TransactionRequest): void {
  const { type, chainId } = request
  if (type === undefined) return
  if (type === BigInt(LEGACY_TYPE))
    throw refused(
      'Invalid transaction type: 0x0; explicit type 0x00 is not allowed, omit the type field for legacy transactions',
    )
  if (chainId === undefined) throw refused('Typed transaction requires chainId')
  if (hasGasPrice(Number(type))) return
  const missing = (['maxPriorityFeePerGas', 'maxFeePerGas'] as const).find(
    (fee) => request[fee] === undefined,
  )
  if (missing !== undefined) throw refused(`Type ${type} transaction requires ${missing}`)
}

const refused = (message: string): NodeError => new NodeError('invalidTransaction', message)

/** Refuses members of a call that name no type in the reference node (node-next 2.5). @throws NodeError 'invalidParams' */
export function checkMembers({
  authorizationList,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: TransactionRequest): void {
  if (authorizationList?.length === 0)
    throw invalidParams('Set-code transaction authorization_list must not be empty')
  if (maxPriorityFeePerGas !== undefined && maxFeePerGas === undefined)
    throw invalidParams('maxPriorityFeePerGas requires maxFeePerGas')
}

/**
 * The message of a call. A sender that names a price pays for the gas, where the rules charge calls. No call there has blobs or
 * authorizations that no transaction can have (geth, core/state_transition.go, preCheck).
 * @throws NodeError 'invalidTransaction'
 */
export function messageOf(
  call: TransactionRequest,
  gas: Pick<CallMessage, 'gasLimit' | 'gasPrice'>,
  { transaction: { chargesCalls }, blobs }: Rules,
): CallMessage {
  const { blobVersionedHashes, authorizationList } = call
  const fault = blobVersionedHashes === undefined || blobs === undefined ? undefined : blobFault(call, blobs)
  if (fault !== undefined) throw new NodeError('invalidTransaction', fault)
  if (chargesCalls && authorizationList !== undefined) checkDelegation(call)
  return {
    ...gas,
    isPrepaid: chargesCalls && maxPriceOf(call) !== undefined,
    sender: call.from ?? ZERO_ADDRESS,
    to: call.to,
    value: call.value ?? 0n,
    data: call.data ?? EMPTY_BYTES,
    accessList: call.accessList,
    authorizationList: call.authorizationList,
    blobVersionedHashes: call.blobVersionedHashes,
  }
}

/** The maximum price per gas that a call names, in wei. As in Hardhat, a tip without a maximum fee counts as one. */
export const maxPriceOf = (call: TransactionRequest): bigint | undefined =>
  call.gasPrice ?? call.maxFeePerGas ?? call.maxPriorityFeePerGas

/** The price that GASPRICE returns in the call, in wei. @throws NodeError 'feeTooLow' if a charged tip exceeds the maximum */
export function priceOf(
  call: TransactionRequest,
  baseFeePerGas: bigint,
  { transaction: { chargesCalls } }: Rules,
): bigint {
  const maxFeePerGas = maxPriceOf(call) ?? 0n
  if (call.gasPrice !== undefined) return maxFeePerGas
  const { maxPriorityFeePerGas = 0n } = call
  if (chargesCalls) checkTip({ maxFeePerGas, maxPriorityFeePerGas })
  const offered = baseFeePerGas + maxPriorityFeePerGas
  return offered < maxFeePerGas ? offered : maxFeePerGas
}
