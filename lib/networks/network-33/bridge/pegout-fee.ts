/** Estimates the fees of peg-outs before their batch is made (node-chain 10.4, 10.5). Terms: bridge.ts. */

import { PrecompileFailure } from '../../../evm/precompile.ts'
import type { BridgeCall } from './bridge-call.ts'
import { sumOf } from './coins.ts'
import { MINIMUM_PEGOUT_SAT } from './constants.ts'
import { KEY_ADDRESS_VERSION, redeemScript, thresholdOf } from './federation.ts'
import { readAuxTransaction } from './aux-transaction.ts'
import { outputOf } from './pegout-batch.ts'
import { QUEUE } from './pegout-state.ts'
import { payRequests } from './release-transaction.ts'
import { fundsOf } from './releases.ts'

/** Estimated bytes of a batch: its fixed part, an output, an input without script, the script of a witness, a signature. */
const BYTES = { fixed: 10, output: 32, input: 41, witnessScript: 36, signature: 72 } as const

/** Expected number of inputs of a batch, and additional outputs. */
const EXPECTED_INPUTS = 2
const SPARE_OUTPUTS = 2

/** Fee in sat of a batch with two inputs and two outputs more than the requests; the coins do not count. */
export function usualFee(bridge: BridgeCall, requests: number): bigint {
  const { federation, feePerKb } = fundsOf(bridge)
  const unlocking = thresholdOf(federation.members) * BYTES.signature + redeemScript(federation).length
  // A byte of a witness counts a quarter. The reference counts 36 bytes of its input, and none of the rest of the input.
  const input = federation.kind === 'plain' ? BYTES.input + unlocking : BYTES.witnessScript + unlocking / 4
  const size = BYTES.fixed + BYTES.output * (requests + SPARE_OUTPUTS) + EXPECTED_INPUTS * input
  return (feePerKb * BigInt(Math.floor(size))) / 1_000n
}

/** A receiver of a request that is not made; the bytes of its hash do not matter. */
const NO_ONE = Uint8Array.of(KEY_ADDRESS_VERSION, ...new Uint8Array(20))

/** Fee in sat of a batch of the queue and one more request; absent if it cannot be made now. */
function simulatedFee(bridge: BridgeCall, sat: bigint): bigint | undefined {
  const requests = [...QUEUE.read(bridge.storage), { destination: NO_ONE, sat }]
  const batch = payRequests(fundsOf(bridge), requests.map(outputOf))
  return batch && sumOf(batch.spent) - sumOf(readAuxTransaction(batch.raw).outputs)
}

/** Fee in sat of the next batch with one more request of the minimum. */
export const nextFee = (bridge: BridgeCall): bigint =>
  simulatedFee(bridge, MINIMUM_PEGOUT_SAT) ?? usualFee(bridge, QUEUE.read(bridge.storage).length)

/** Fee in sat of the next batch with one more request. @throws PrecompileFailure below the minimum, or without the coins */
export function feeOfRequest(bridge: BridgeCall, sat: bigint): bigint {
  if (sat < MINIMUM_PEGOUT_SAT) {
    throw new PrecompileFailure(`${sat} sat are below the minimum of ${MINIMUM_PEGOUT_SAT} sat`)
  }
  const fee = simulatedFee(bridge, sat)
  if (fee === undefined) throw new PrecompileFailure(`the coins of the federation do not pay ${sat} sat more`)
  return fee
}
