/** Executions by the protocol at the end of a block. They cost no fee, and their gas is not part of the gas used by the block. */

import { EMPTY_BYTES, asAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { ExecutionEnvironment } from './machine/environment.ts'
import { beginExecution, outcomeOf } from './run.ts'
import type { GasResult, Message, RunningExecution } from './run.ts'
import { SYSTEM_ACCOUNT } from './system-transaction.ts'
import { NO_GAS } from './transaction-gas.ts'
import type { Transaction } from './transaction.ts'

/** The caller: SYSTEM_ADDRESS of EIP-7002 and EIP-7251. */
const SYSTEM_ADDRESS = asAddress('0xfffffffffffffffffffffffffffffffffffffffe')

/** Gas of a system call (EIP-7002, as in EIP-4788). */
const SYSTEM_CALL_GAS = 30_000_000n

/** The message of a system call. */
export const systemMessage = (to: Address): Message => ({
  sender: SYSTEM_ADDRESS,
  to,
  gasLimit: SYSTEM_CALL_GAS,
  value: 0n,
  data: EMPTY_BYTES,
  accessList: undefined,
  authorizationList: undefined,
})

/** Begins a system call without data; its changes are kept unless it fails. */
export function beginSystemCall(environment: ExecutionEnvironment, message: Message): RunningExecution {
  environment.state.checkpoint()
  const settle = (result: GasResult) => {
    environment.state.commit()
    return outcomeOf(result, 0n)
  }
  return beginExecution(environment, message, { gas: NO_GAS, gasPrice: 0n, nonce: 0n, settle })
}

/** Begins the system transaction, which has no sender, costs nothing and is not checked (node-chain 7.8). */
export function beginSystemTransaction(
  environment: ExecutionEnvironment,
  transaction: Transaction,
): RunningExecution {
  const { state, observer } = environment
  const { nonce, hash } = transaction
  state.checkpoint()
  state.putAccount(SYSTEM_ACCOUNT, { nonce: nonce + 1n, balance: 0n })
  const settle = (result: GasResult) => {
    observer?.onTransactionEnd?.()
    state.commit()
    return outcomeOf(result, 0n)
  }
  return beginExecution(environment, transaction, {
    gas: NO_GAS,
    gasPrice: 0n,
    nonce,
    hash,
    isSystem: true,
    settle,
  })
}
