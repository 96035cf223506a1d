/** Executes simulated calls, which have no signature and no nonce. Their effects are always reverted. */

import { PHRASES } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import type { State } from '../state/state.ts'
import type { BlockContext } from './block-context.ts'
import type { ExecutionEnvironment } from './machine/environment.ts'
import { EMPTY_BLOOM } from './outcome.ts'
import { beginExecution, outcomeOf, type GasResult, type Message, type RunningExecution } from './run.ts'
import { checkInitCode, intrinsicGasOf } from './transaction-gas.ts'

export interface CallMessage extends Message {
  readonly gasPrice: bigint
  /** Whether the sender pays for the gas before the call runs, as far as its balance allows. */
  readonly isPrepaid: boolean
}

export interface PreparedCall {
  /** A working copy that only this call uses. */
  readonly state: State
  readonly context: BlockContext
  readonly message: CallMessage
}

/**
 * Begins a call as if it were a transaction; its end reverts it. The sender needs no balance: if it cannot pay the value, its
 * balance is increased (node-chain 14). @throws NodeError 'initCodeTooLarge', or 'intrinsicGasTooLow' when the gas does not cover
 * the data
 */
export function beginCall(environment: ExecutionEnvironment, message: CallMessage): RunningExecution {
  const { state, observer, rules } = environment
  const { sender, value, gasLimit, gasPrice, isPrepaid } = message
  checkInitCode(message, rules)
  const gas = intrinsicGasOf(rules, message)
  const minGas = BigInt(Math.max(gas.intrinsic, gas.floor))
  if (gasLimit < minGas) {
    throw new NodeError('intrinsicGasTooLow', `intrinsic gas too low: have ${gasLimit}, want ${minGas}`, {
      phrases: PHRASES.belowIntrinsicGas(gasLimit, minGas),
    })
  }
  state.checkpoint()
  const { nonce, balance } = state.account(sender) ?? { nonce: 0n, balance: 0n }
  const left = balance - (isPrepaid ? gasLimit * gasPrice : 0n)
  // As in a transaction the nonce is incremented: an authorization by the sender is signed for the next nonce (EIP-7702).
  state.putAccount(sender, { nonce: nonce + 1n, balance: left < value ? value : left })
  const settle = (gasResult: GasResult) => {
    // With `isGasIndependent` an estimate needs no second run.
    const { isGasIndependent } = gasResult.result
    // A call has no receipt, so its bloom is not computed.
    const outcome = Object.assign(outcomeOf(gasResult, 0n, EMPTY_BLOOM), { isGasIndependent })
    observer?.onTransactionEnd?.(outcome.gasUsed)
    state.revert()
    return outcome
  }
  return beginExecution(environment, message, { gas, gasPrice, nonce, isSimulated: true, settle })
}
