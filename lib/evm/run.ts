/** Runs a transaction or a call in the machine. Checks before and payments after it are in execute.ts and simulated-call.ts. */

import type { Address } from '../base/hex.ts'
import { applyAuthorizations } from './delegation.ts'
import { bloomOf, type Outcome } from './outcome.ts'
import type { ExecutionEnvironment, ExecutionResult, TransactionContext } from './machine/environment.ts'
import { Machine } from './machine/machine.ts'
import type { Rules } from './rules.ts'
import { NO_GAS, type IntrinsicGas } from './transaction-gas.ts'
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
  readonly blockGas: Outcome['blockGas']
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
  const { authorities, refund, stateGas } = applyAuthorizations(environment, authorizations)
  const budget = budgetOf(rules, message.gasLimit, gas)
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
    initialStateGas: budget.stateGas + stateGas,
  }
  const machine = new Machine(environment, transaction, { to, nonce, value, data, gas: budget.gas })
  return {
    machine,
    end: () => settle(gasResultOf(rules, machine.result, { gas, budget, returned: stateGas })),
  }
}

interface GasBudget {
  readonly gas: number
  /** Gas above the transaction's cap; it pays for new state only (EIP-8037). */
  readonly stateGas: number
}

function budgetOf({ stateGas, transaction }: Rules, gasLimit: bigint, gas: IntrinsicGas): GasBudget {
  // Gas is a number in the machine. The difference is a BigInt, because a gas limit above 2^53 is not exact as a number.
  const executionGas = Math.min(Number(gasLimit - BigInt(gas.intrinsic)), Number.MAX_SAFE_INTEGER)
  // System calls have no cap.
  if (stateGas === undefined || gas === NO_GAS) return { gas: executionGas, stateGas: 0 }
  const capped = Math.min(executionGas, (transaction.gasCap ?? Infinity) - (gas.intrinsic - gas.state))
  return { gas: capped, stateGas: executionGas - capped }
}

const NONE: readonly never[] = []

/** The authorizations of a message; none where the rules have none. */
export const authorizationsIn = (
  { transaction }: Rules,
  { authorizationList }: Message,
): readonly Authorization[] => (transaction.authorization === undefined ? NONE : (authorizationList ?? NONE))

interface GasInput {
  readonly gas: IntrinsicGas
  readonly budget: GasBudget
  /** State gas that authorizations returned. */
  readonly returned: number
}

function gasResultOf(
  { transaction }: Rules,
  result: ExecutionResult,
  { gas, budget, returned }: GasInput,
): GasResult {
  const { gasLeft, stateGas } = result
  const charged = gas.intrinsic + (budget.gas - gasLeft)
  const spent = charged + budget.stateGas - stateGas.left
  const refund = Math.min(result.refund, Math.floor(spent / transaction.refundQuotient))
  const state = gas.state + stateGas.used
  return {
    result,
    gasUsed: BigInt(Math.max(spent - refund, gas.floor)),
    // A limit below the intrinsic gas is too low, even if some of that gas returns.
    gasNeeded: BigInt(Math.max(spent, gas.intrinsic, gas.floor)),
    blockGas: transaction.refundsBlockGas
      ? undefined
      : {
          other: BigInt(Math.max(spent + returned - state - stateGas.lost, gas.floor)),
          state: BigInt(state),
        },
  }
}

export function outcomeOf(
  { result, gasUsed, gasNeeded, blockGas }: GasResult,
  fee: bigint,
  logsBloom = bloomOf(result.logs),
): Outcome {
  const { status, logs, output, created, exception, consoleCalls } = result
  return {
    status,
    gasUsed,
    gasNeeded,
    blockGas,
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
