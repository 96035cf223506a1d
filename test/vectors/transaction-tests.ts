/** Runs the cases of the Ethereum Foundation's TransactionTests on the codec and the admission rules. */

import { fromHex } from '../../lib/base/hex.ts'
import { minGasLimit } from '../../lib/evm/transaction-gas.ts'
import { NodeError } from '../../lib/base/errors.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { admit, faultOf } from './vector-forks.ts'
import type { ForkRules } from './vector-forks.ts'

/** An encoded transaction, and its result in each hard fork. */
export interface TransactionTest {
  readonly txbytes: string
  readonly result: Readonly<Record<string, ForkResult>>
}

/** Result in a hard fork: the transaction or the name of its fault. */
type ForkResult =
  | { readonly hash: string; readonly sender: string; readonly intrinsicGas: string }
  | { readonly exception: string }

/** Result of a transaction in the form of the expectation. */
export type TransactionResult =
  | { readonly hash: string; readonly sender: string; readonly intrinsicGas: bigint }
  | { readonly fault: string }

/** Expected result. */
export const expectedOf = (result: ForkResult): TransactionResult =>
  'exception' in result
    ? { fault: result.exception }
    : { hash: result.hash, sender: result.sender, intrinsicGas: BigInt(result.intrinsicGas) }

/** Decodes a transaction and admits it with a sender of unlimited balance. */
export function runTransactionTest(
  { txbytes }: TransactionTest,
  expected: ForkResult,
  fork: ForkRules,
): TransactionResult {
  try {
    const transaction = fork.codec.decode(fromHex(txbytes))
    const { hash, sender } = transaction
    const state = new State(StateRoot.empty)
    state.putAccount(sender, { nonce: 0n, balance: 2n ** 512n })
    admit(transaction, state.commitRoot(), { gasLimit: 2n ** 64n, baseFeePerGas: 0n }, fork)
    return { hash, sender, intrinsicGas: minGasLimit(fork.engine.rules, transaction) }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return { fault: faultOf(error, 'exception' in expected ? expected.exception : undefined) }
  }
}
