/** Runs transactions and calls by the rules of a network. The engine holds no state; each run gets the state it works on. */

import { EMPTY_BYTES, type Address } from '../base/hex.ts'
import { once } from '../base/once.ts'
import { finish, together, waitFor, type Routine } from '../base/routine.ts'
import type { StateSource } from '../state/state-source.ts'
import type { State } from '../state/state.ts'
import { authoritiesOf } from './delegation.ts'
import type { BlockContext } from './block-context.ts'
import { beginTransaction } from './execute.ts'
import { beginCall, type CallMessage } from './simulated-call.ts'
import type { CurrentMonitor, Observer } from './observer.ts'
import { SYSTEM_ADDRESS, type Outcome } from './outcome.ts'
import type { Rules } from './rules.ts'
import type { ExecutionEnvironment, RunningBlock } from './machine/environment.ts'
import type { ExecutionKind, Message, RunningExecution, GasResult } from './run.ts'
import { authorizationsIn, beginExecution, outcomeOf } from './run.ts'
import { isSystemTransaction, SYSTEM_ACCOUNT } from './system-transaction.ts'
import { NO_GAS } from './transaction-gas.ts'
import { blobBaseFee, type Transaction } from './transaction.ts'

/** Gas of a system call (EIP-4788; EIP-7002 and EIP-7251 take it over). */
const SYSTEM_CALL_GAS = 30_000_000n

/** Executes by one set of rules. */
export class Engine {
  readonly rules: Rules
  readonly #monitor: CurrentMonitor

  constructor(rules: Rules, monitor: CurrentMonitor = () => undefined) {
    this.rules = rules
    this.#monitor = monitor
  }

  /** The same engine without a monitor, for executions that have been counted already. */
  get unmonitored(): Engine {
    return new Engine(this.rules)
  }

  /** The same engine, reporting to monitors under this chain's id. */
  of(worldId: string | undefined): Engine {
    return new Engine(this.rules, () => this.#monitor(worldId))
  }

  with(changes: Partial<Rules['transaction']>): Engine {
    return new Engine(
      { ...this.rules, transaction: { ...this.rules.transaction, ...changes } },
      this.#monitor,
    )
  }

  /** Gas of the cheapest transaction (Yellow Paper, G_transaction). */
  get minGas(): bigint {
    return BigInt(this.rules.transaction.base)
  }

  /** Maximum gas limit of any transaction (EIP-7825); absent without a cap, or if the cap does not limit state gas. */
  get transactionGasCap(): bigint | undefined {
    const { gasCap } = this.rules.transaction
    return gasCap === undefined || this.rules.stateGas !== undefined ? undefined : BigInt(gasCap)
  }

  /** The highest gas limit of a transaction: `limit` or the cap of the rules (EIP-7825), whichever is smaller. */
  maxGasLimit(limit: bigint): bigint {
    const cap = this.transactionGasCap
    return cap === undefined || limit < cap ? limit : cap
  }

  /** Maximum bytes of init code; absent without a limit (EIP-3860). */
  get maxInitCodeSize(): bigint | undefined {
    const { maxInitCodeSize } = this.rules.create
    return maxInitCodeSize === Infinity ? undefined : BigInt(maxInitCodeSize)
  }

  /** Opens a block, which its transactions share. */
  open(
    context: BlockContext,
    { accesses, timer }: Pick<RunningBlock, 'accesses' | 'timer'> = {},
  ): RunningBlock {
    const fee = context.blobBaseFee ?? blobBaseFee(this.rules.blobs, context.excessBlobGas)
    return { context, blobBaseFee: fee, deleted: new Set(), accesses, timer }
  }

  /**
   * Runs a transaction, checks and fees included, and leaves its effects in the state.
   * @throws NodeError 'transactionRejected' when it cannot be in this block; the state is then as before. After an error of the
   * observer or of a load, the state must not be used
   */
  execute(
    state: State,
    block: RunningBlock,
    transaction: Transaction,
    observer?: Observer,
  ): Routine<Outcome> {
    const environment = { rules: this.rules, state, block, observer, monitor: this.#monitor() }
    const begin = isSystemTransaction(transaction) ? beginSystemTransaction : beginTransaction
    return execution(environment, transaction, begin)
  }

  /** Calls a contract as the protocol does at the end of a block, and leaves the effects in the state (EIP-7002, EIP-7251). */
  callAsSystem(state: State, block: RunningBlock, to: Address): Routine<Outcome> {
    const environment = { rules: this.rules, state, block, monitor: this.#monitor() }
    const call = { sender: SYSTEM_ADDRESS, to, gasLimit: SYSTEM_CALL_GAS, value: 0n, data: EMPTY_BYTES }
    return execution(environment, call, beginSystemCall)
  }

  /** Runs a call like a transaction, without its checks, and reverts its effects. @throws NodeError 'intrinsicGasTooLow' */
  simulate(state: State, block: RunningBlock, message: CallMessage, observer?: Observer): Routine<Outcome> {
    const environment = { rules: this.rules, state, block, observer, monitor: this.#monitor() }
    return execution(environment, message, beginCall)
  }
}

/** Begins an execution that costs nothing, after a checkpoint; its changes are kept unless it fails. */
function beginUnpaid(
  environment: ExecutionEnvironment,
  message: Message,
  kind: Pick<ExecutionKind, 'nonce' | 'hash' | 'isSystem'>,
): RunningExecution {
  const { state, observer } = environment
  const settle = (result: GasResult) => {
    const outcome = outcomeOf(result, 0n)
    observer?.onTransactionEnd?.(outcome.gasUsed)
    state.commit()
    return outcome
  }
  return beginExecution(environment, message, { gas: NO_GAS, gasPrice: 0n, settle, ...kind })
}

/** Begins a system call without data. */
function beginSystemCall(environment: ExecutionEnvironment, message: Message): RunningExecution {
  environment.state.checkpoint()
  return beginUnpaid(environment, message, { nonce: 0n })
}

/** Begins the system transaction, which has no sender, costs nothing and is not checked (node-chain 7.8). */
function beginSystemTransaction(
  environment: ExecutionEnvironment,
  transaction: Transaction,
): RunningExecution {
  const { nonce, hash } = transaction
  environment.state.checkpoint()
  environment.state.putAccount(SYSTEM_ACCOUNT, { nonce: nonce + 1n, balance: 0n })
  return beginUnpaid(environment, transaction, { nonce, hash, isSystem: true })
}

/** An execution, which may pause when it begins, between slices, and to load data. */
function* execution<M extends Message>(
  environment: ExecutionEnvironment,
  message: M,
  begin: (environment: ExecutionEnvironment, message: M) => RunningExecution,
): Routine<Outcome> {
  const { state, observer, block } = environment
  const { source } = state
  const turn = (observer?.onSlice ?? block.timer?.onSlice)?.()
  if (turn !== undefined) yield turn
  state.listen(observer)
  try {
    if (source !== undefined)
      return yield* runPartial(environment, { source, message }, () => begin(environment, message))
    const { machine, end } = begin(environment, message)
    for (let pause = machine.run(); pause !== undefined; pause = machine.run()) yield pause
    return end()
  } finally {
    state.listen(undefined)
  }
}

/**
 * Runs an execution on a partial state (a fork). The first load fetches everything that the message names, the others what the
 * execution reads. If a load fails, the execution ends with its error.
 */
function* runPartial(
  environment: ExecutionEnvironment,
  { source, message }: { readonly source: StateSource; readonly message: Message },
  beginRun: () => RunningExecution,
): Routine<Outcome> {
  const { state, observer } = environment
  // The source can also predict what else the execution will read.
  const loadNamed = once(() =>
    Promise.all([source.expect(message), finish(together(namedReads(environment, message)))]),
  )
  const depth = state.depth
  const { machine, end } = yield* withFirst(
    waitFor(() => beginOrUndo(state, depth, beginRun)),
    loadNamed,
  )
  try {
    yield* withFirst(pausesOf(machine), loadNamed)
  } finally {
    machine.close()
  }
  // The end of a transaction clears empty accounts, so it reads accounts that the execution touched but did not read, such as
  // precompiles. An observer may read even more.
  const touched = [...machine.result.touched].map((address) => () => state.account(address))
  yield* waitFor(together([...touched, () => observer?.onTransactionEnd?.()]))
  return end()
}

/** Reads of the accounts that a message names, and of the slots in its access list. */
function namedReads(
  { rules, state, block: { context } }: ExecutionEnvironment,
  message: Message,
): readonly (() => unknown)[] {
  const { sender, to = sender, accessList = [] } = message
  const authorities = authoritiesOf(authorizationsIn(rules, message), context.chainId)
  const accounts = [sender, to, context.coinbase, ...authorities]
  return [
    ...accounts.map((address) => () => state.account(address)),
    ...accessList.flatMap(({ address, storageKeys }) => [
      () => state.account(address),
      ...storageKeys.map((slot) => () => state.storage(address, slot)),
    ]),
  ]
}

/** Begins a run. If data is missing, the run begins again after the load, on the state as it was. */
function* beginOrUndo(
  state: State,
  depth: number,
  beginRun: () => RunningExecution,
): Routine<RunningExecution> {
  try {
    return beginRun()
  } catch (error) {
    state.revertTo(depth)
    throw error
  }
}

function* pausesOf(machine: RunningExecution['machine']): Routine<void> {
  for (let pause = machine.run(); pause !== undefined; pause = machine.run()) yield pause
}

/** A routine that begins other work at its first pause. Each of its pauses also waits for that work. */
function* withFirst<T>(routine: Routine<T>, work: () => Promise<unknown>): Routine<T> {
  for (let step = routine.next(); ; step = routine.next()) {
    if (step.done === true) return step.value
    yield Promise.all([step.value, work()]).then(() => undefined)
  }
}
