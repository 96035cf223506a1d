/** Makes the message that the machine runs for a call. */

import { NodeError } from '../../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS } from '../../base/hex.ts'
import { blobFault } from '../../evm/sidecar.ts'
import { checkDelegation } from '../../evm/typed-checks.ts'
import type { Rules } from '../../evm/rules.ts'
import type { CallMessage } from '../../evm/simulated-call.ts'
import { checkTip } from '../../networks/consensus/admission.ts'
import type { TransactionRequest } from './transaction-request.ts'

/**
 * Refuses members of a call from which the reference node infers no type (node-next 2.5).
 * @throws NodeError 'invalidParams'
 */
export function checkMembers({
  authorizationList,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: TransactionRequest): void {
  if (authorizationList?.length === 0)
    throw new NodeError('invalidParams', 'Set-code transaction authorization_list must not be empty')
  if (maxPriorityFeePerGas !== undefined && maxFeePerGas === undefined)
    throw new NodeError('invalidParams', 'maxPriorityFeePerGas requires maxFeePerGas')
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

/** The maximum price per gas that a call names, in wei. A tip alone is one too, as in Hardhat. */
export const maxPriceOf = (call: TransactionRequest): bigint | undefined =>
  call.gasPrice ?? call.maxFeePerGas ?? call.maxPriorityFeePerGas

/**
 * The price that GASPRICE returns in the call, in wei.
 * @throws NodeError 'feeTooLow' if the tip is above the maximum, where the rules charge calls
 */
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
