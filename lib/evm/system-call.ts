/** Runs system calls at the end of a block. They cost no fee, and their gas is not part of the gas used by the block. */

import { EMPTY_BYTES, asAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { beginExecution, outcomeOf } from './run.ts'
import type { ExecutionEnvironment, Message, RunningExecution } from './run.ts'

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
export function beginSystemCall(environment: ExecutionEnvironment, to: Address): RunningExecution {
  const { state } = environment
  state.checkpoint()
  const { machine, getGasResult } = beginExecution(environment, systemMessage(to), {
    gas: { intrinsic: 0, floor: 0 },
    gasPrice: 0n,
    nonce: 0n,
    isSimulated: false,
    isSystem: false,
    transactionHash: undefined,
  })
  const end = () => {
    const outcome = outcomeOf(getGasResult(), 0n)
    state.commit()
    return outcome
  }
  return { machine, end }
}
