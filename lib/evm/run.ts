/** Runs a transaction or a call in the machine. Checks before and payments after it are in execute.ts and simulated-call.ts. */

import type { Address, Hash } from '../base/hex.ts'
import type { State } from '../state/state.ts'
import { applyAuthorizations } from './authorize.ts'
import { bloomOf } from './bloom.ts'
import type { BlockContext } from './block-context.ts'
import type { ExecutionMonitor } from './execution-monitor.ts'
import type { ExecutionResult } from './machine/execution.ts'
import { Machine } from './machine/machine.ts'
import type { Observer } from './observer.ts'
import type { Outcome } from './outcome.ts'
import type { Rules } from './rules/rules.ts'
import type { IntrinsicGas } from './transaction-gas.ts'
import type { AccessList, Authorization, Transaction } from './transaction.ts'

/** The environment of an execution. */
export interface ExecutionEnvironment {
  readonly rules: Rules
  /** The state that the execution changes. */
  readonly state: State
  readonly block: RunningBlock
  readonly observer?: Observer | undefined
  readonly monitor?: ExecutionMonitor | undefined
}

/** A block in which transactions run one after another. */
export interface RunningBlock {
  readonly context: BlockContext
  /** Wei per blob gas; zero where blocks carry no blobs. */
  readonly blobBaseFee: bigint
  /** Contracts that its transactions deleted. */
  readonly deleted: Set<Address>
}

/** The fields that a transaction and a call share. */
export type Message = Pick<
  Transaction,
  'sender' | 'to' | 'gasLimit' | 'value' | 'data' | 'accessList' | 'authorizationList' | 'blobVersionedHashes'
>

/** The transaction as ORIGIN, GASPRICE and BLOBHASH return it. */
export interface TransactionContext {
  readonly gas: IntrinsicGas
  /** Result of GASPRICE: wei per gas. */
  readonly gasPrice: bigint
  /** The sender's nonce before it was incremented. */
  readonly nonce: bigint
  /** Whether this is a simulated call, such as `eth_call`, and not a transaction in a block. */
  readonly isSimulated: boolean
  readonly isSystem: boolean
  readonly transactionHash: Hash | undefined
  /** Returns the public key of the sender; computed on demand. */
  readonly senderPublicKey?: (() => Uint8Array | undefined) | undefined
}

/** An execution that has begun: run the machine, then call `end`. */
export interface RunningExecution {
  readonly machine: Machine
  /** Settles fees and effects after the machine has run. */
  readonly end: () => Outcome
}

/** The result of the machine, and the gas of the whole execution. */
export interface GasResult {
  readonly result: ExecutionResult
  /** After refunds. */
  readonly gasUsed: bigint
  /** Without refunds. */
  readonly gasNeeded: bigint
}

/** Begins an execution after the nonce was incremented and the gas was paid. Call `getGasResult` after the machine has run. */
export function beginExecution(
  environment: ExecutionEnvironment,
  message: Message,
  transactionContext: TransactionContext,
): { readonly machine: Machine; readonly getGasResult: () => GasResult } {
  const { rules, block } = environment
  const { sender: from, to, value, data } = message
  const { gas, nonce } = transactionContext
  const { authorities, refund } = applyAuthorizations(environment, authorizationsIn(rules, message))
  const machine = new Machine({
    rules,
    state: environment.state,
    observer: environment.observer,
    monitor: environment.monitor,
    origin: from,
    gasPrice: transactionContext.gasPrice,
    isSimulated: transactionContext.isSimulated,
    isSystem: transactionContext.isSystem,
    transactionHash: transactionContext.transactionHash,
    senderPublicKey: transactionContext.senderPublicKey,
    block: block.context,
    deletedInBlock: block.deleted,
    blobHashes: message.blobVersionedHashes ?? NONE,
    blobBaseFee: block.blobBaseFee,
    warmAddresses: rules.access.kind === 'flat' ? NONE : warmAddresses(environment, message, authorities),
    warmSlots: message.accessList === undefined ? NONE : warmSlots(message.accessList),
    initialRefund: refund,
  })
  // Gas is a number in the machine. The difference is a BigInt, because a gas limit above 2^53 is not exact as a number.
  const given = Math.min(Number(message.gasLimit - BigInt(gas.intrinsic)), Number.MAX_SAFE_INTEGER)
  machine.start({ from, to, nonce, value, data, gas: given })
  return { machine, getGasResult: () => gasResultOf(rules, machine.result, { gas, given }) }
}

const NONE: readonly never[] = []

/** The authorizations of a message; none where the rules have none. */
export const authorizationsIn = (
  { transaction }: Rules,
  { authorizationList }: Message,
): readonly Authorization[] => (transaction.authorization === undefined ? NONE : (authorizationList ?? NONE))

/** The gas at the start of an execution. */
interface GivenGas {
  readonly gas: IntrinsicGas
  /** Gas for the code: the gas limit less the intrinsic gas. */
  readonly given: number
}

function gasResultOf({ transaction }: Rules, result: ExecutionResult, { gas, given }: GivenGas): GasResult {
  const spent = gas.intrinsic + (given - result.gasLeft)
  const refund = Math.min(result.refund, Math.floor(spent / transaction.refundQuotient))
  return {
    result,
    gasUsed: BigInt(Math.max(spent - refund, gas.floor)),
    gasNeeded: BigInt(Math.max(spent, gas.floor)),
  }
}

/** The outcome of an execution with this fee. */
export function outcomeOf(
  { result, gasUsed, gasNeeded }: GasResult,
  fee: bigint,
  logsBloom = bloomOf(result.logs),
): Outcome {
  const { status, logs, output, created, exception, consoleCalls } = result
  return {
    status,
    gasUsed,
    gasNeeded,
    fee,
    logs,
    exception,
    consoleCalls,
    logsBloom,
    returnData: output,
    contractAddress: created,
  }
}

/** Accounts that are warm from the start, besides precompiles (EIP-2929, 2930, 3651 and 7702). */
function warmAddresses(
  { rules, block }: ExecutionEnvironment,
  { sender, to, accessList = NONE }: Message,
  authorities: readonly Address[],
): readonly Address[] {
  const warm = [sender, ...authorities]
  if (to !== undefined) warm.push(to)
  if (rules.transaction.warmsCoinbase) warm.push(block.context.coinbase)
  for (const { address } of accessList) warm.push(address)
  return warm
}

/** Slots that are warm from the start (EIP-2930). */
function* warmSlots(accessList: AccessList): Iterable<readonly [Address, Hash]> {
  for (const { address, storageKeys } of accessList) for (const slot of storageKeys) yield [address, slot]
}
