/** Runs a transaction or a call in the machine. Checks before and payments after it are in execute.ts and simulated-call.ts. */

import type { Address } from '../base/hex.ts'
import { applyAuthorizations } from './authorize.ts'
import { bloomOf } from './outcome.ts'
import type { ExecutionEnvironment, ExecutionResult, TransactionContext } from './machine/environment.ts'
import { Machine } from './machine/machine.ts'
import type { Outcome } from './outcome.ts'
import type { Rules } from './rules.ts'
import type { IntrinsicGas } from './transaction-gas.ts'
import type { AccessList, Authorization, Transaction } from './transaction.ts'

/** The fields that a transaction and a call share. */
export type Message = Pick<
  Transaction,
  'sender' | 'to' | 'gasLimit' | 'value' | 'data' | 'accessList' | 'authorizationList' | 'blobVersionedHashes'
>

/** How one kind of execution differs from the others. */
export interface ExecutionKind
  extends
    Pick<TransactionContext, 'gasPrice' | 'hash' | 'senderPublicKey'>,
    Partial<Pick<TransactionContext, 'isSimulated' | 'isSystem'>> {
  readonly gas: IntrinsicGas
  /** The sender's nonce before it was incremented. */
  readonly nonce: bigint
  /** Settles fees and effects after the machine has run. */
  readonly settle: (result: GasResult) => Outcome
}

/** An execution that has begun: run the machine, then call `end`. */
export interface RunningExecution {
  readonly machine: Machine
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

/** Begins an execution after the nonce was incremented and the gas was paid. */
export function beginExecution(
  environment: ExecutionEnvironment,
  message: Message,
  kind: ExecutionKind,
): RunningExecution {
  const { rules } = environment
  const { sender, to, value, data } = message
  const { gas, nonce, settle } = kind
  const authorizations = authorizationsIn(rules, message)
  const { authorities, refund } = applyAuthorizations(environment, authorizations)
  const transaction: TransactionContext = {
    origin: sender,
    gasPrice: kind.gasPrice,
    isSimulated: kind.isSimulated ?? false,
    isSystem: kind.isSystem ?? false,
    hash: kind.hash,
    senderPublicKey: kind.senderPublicKey,
    blobHashes: message.blobVersionedHashes ?? NONE,
    warmAddresses: rules.access.kind === 'flat' ? NONE : warmAddresses(environment, message, authorities),
    warmSlots: message.accessList === undefined ? NONE : warmSlots(message.accessList),
    initialRefund: refund,
  }
  // Gas is a number in the machine. The difference is a BigInt, because a gas limit above 2^53 is not exact as a number.
  const given = Math.min(Number(message.gasLimit - BigInt(gas.intrinsic)), Number.MAX_SAFE_INTEGER)
  const machine = new Machine(environment, transaction, { to, nonce, value, data, gas: given })
  return { machine, end: () => settle(gasResultOf(rules, machine.result, { gas, given })) }
}

const NONE: readonly never[] = []

/** The authorizations of a message; none where the rules have none. */
export const authorizationsIn = (
  { transaction }: Rules,
  { authorizationList }: Message,
): readonly Authorization[] => (transaction.authorization === undefined ? NONE : (authorizationList ?? NONE))

/** `given` is the gas for the code: the gas limit less the intrinsic gas. */
function gasResultOf(
  { transaction }: Rules,
  result: ExecutionResult,
  { gas, given }: { readonly gas: IntrinsicGas; readonly given: number },
): GasResult {
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
const warmSlots = (accessList: AccessList) =>
  accessList.flatMap(({ address, storageKeys }) => storageKeys.map((slot) => [address, slot] as const))
