/** Input and result of an execution, and the part of the input that the core reads. */

import type { Address, Hash } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import type { BlockAccesses } from '../block-accesses.ts'
import type { BlockContext } from '../block-context.ts'
import type { Outcome } from '../outcome.ts'
import type { CallTimer, ExecutionMonitor, Observer } from '../observer.ts'
import type { PrecompileCall } from '../precompile.ts'
import type { Rules } from '../rules.ts'
import type { TransactionFields } from '../transaction.ts'
import type { Core } from './core.ts'
import * as layout from '../../../assembly/layout.ts'

/** The environment of an execution, whose transaction or call is separate. */
export interface ExecutionEnvironment {
  readonly rules: Rules
  /** The working copy. The machine reverts failed frames only; a caller that reverts the whole execution sets a checkpoint. */
  readonly state: State
  readonly block: RunningBlock
  readonly observer?: Observer | undefined
  /** Does not count executions whose instructions are observed. */
  readonly monitor?: ExecutionMonitor | undefined
}

/** A block in which transactions run one after another. */
export interface RunningBlock {
  readonly context: BlockContext
  /** Wei per blob gas; zero where blocks carry no blobs. */
  readonly blobBaseFee: bigint
  /** Contracts that its transactions deleted: the block cannot create them again (node-chain 9.4). */
  readonly deleted: Set<Address>
  /** Records what its transactions access; absent where blocks have no access lists (EIP-7928). */
  readonly accesses?: BlockAccesses | undefined
  /** Pauses and ends executions whose observer has no hook for slices. */
  readonly timer?: CallTimer | undefined
}

/** The transaction of an execution, as all its frames see it. */
export interface TransactionContext extends Pick<
  PrecompileCall,
  'origin' | 'isSimulated' | 'isSystem' | 'senderPublicKey'
> {
  /** Wei per gas that the transaction pays. */
  readonly gasPrice: bigint
  /** Versioned hashes of the transaction's blobs (EIP-4844). */
  readonly blobHashes: readonly Hash[]
  /** Absent in a simulation. */
  readonly hash?: Hash | undefined
  /** Addresses that are warm from the start (EIP-2929, 2930, 3651 and 7702). */
  readonly warmAddresses: Iterable<Address>
  /** Slots that are warm from the start (EIP-2930). */
  readonly warmSlots: readonly (readonly [Address, Hash])[]
  /** Refund counter at the start: gas for authorizations (EIP-7702). */
  readonly initialRefund: number
  /** State gas at the start: gas above the cap of a transaction, and gas that authorizations returned (EIP-8037). */
  readonly initialStateGas: number
}

/** The outermost call or creation. The sender's nonce was incremented and the gas was charged before. */
export interface OutermostMessage extends Pick<TransactionFields, 'to' | 'nonce' | 'value' | 'data'> {
  readonly gas: number
}

/** Result of an execution. If the status is not `success`, all changes are reverted; the sender's nonce stays incremented. */
export interface ExecutionResult extends Pick<Outcome, 'status' | 'logs' | 'exception' | 'consoleCalls'> {
  readonly gasLeft: number
  /** State gas: what is left; what code used, minus what returned; and what returned to frames that then failed (EIP-8037). */
  readonly stateGas: { readonly left: number; readonly used: number; readonly lost: number }
  /** Whether a success would be the same with every gas limit that covers the used gas. */
  readonly isGasIndependent: boolean
  /** Refund counter, before the cap (EIP-3529). */
  readonly refund: number
  /** Return data, revert data, or the code of a created contract. */
  readonly output: Uint8Array
  /** Address of the created contract, even if the creation failed. */
  readonly created: Address | undefined
  /** Whether the transaction called a precompile directly and the precompile failed (node-chain 8.2). */
  readonly isPrecompileFailure: boolean
  /** Accounts to delete when the transaction ends. */
  readonly destroyed: ReadonlySet<Address>
  /** Touched accounts, which are deleted if they are empty and the network deletes empty accounts (EIP-161). */
  readonly touched: ReadonlySet<Address>
}

/** Writes the words that ORIGIN, NUMBER and others push, in the order that layout.ts gives at `ENVIRONMENT`. */
export function writeEnvironment(
  core: Core,
  { block: { blobBaseFee, context: block }, rules }: ExecutionEnvironment,
  { gasPrice, origin }: TransactionContext,
): void {
  const at = (position: number) => layout.ENVIRONMENT + 32 * position
  core.setAddress(at(0), origin)
  core.setWord(at(1), gasPrice)
  core.setWord(at(9), blobBaseFee)
  // Most executions follow another one in the same block.
  if (core.block === block && core.rules === rules) return
  core.block = block
  core.rules = rules
  core.setAddress(at(2), block.coinbase)
  core.setWord(at(3), block.timestamp)
  core.setWord(at(4), block.number)
  if (rules.opcode44 === 'difficulty') core.setWord(at(5), block.difficulty)
  else core.setHash(at(5), block.mixHash)
  core.setWord(at(6), block.gasLimit)
  core.setWord(at(7), block.chainId)
  core.setWord(at(8), rules.baseFee === 'baseFeePerGas' ? block.baseFeePerGas : block.minimumGasPrice)
  core.setWord(at(10), block.slotNumber ?? 0n)
}
