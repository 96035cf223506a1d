/** Runs an execution on a partial state (a fork), and loads what it needs: what is known before together, the rest on demand. */

import { loadFor, whenLoaded } from '../base/loading.ts'
import { once } from '../base/once.ts'
import { runWithPauses, type Routine } from '../base/routine.ts'
import type { StateSource } from '../state/state-source.ts'
import type { State } from '../state/state.ts'
import type { Outcome } from './outcome.ts'
import { authoritiesOf } from './authorize.ts'
import { authorizationsIn, type Message, type RunningExecution } from './run.ts'
import type { ExecutionEnvironment } from './machine/environment.ts'

/** Runs an execution as engine.ts does on a whole state. A failed load ends it with the error of the load. */
export function* runPartial(
  environment: ExecutionEnvironment,
  { source, message }: { readonly source: StateSource; readonly message: Message },
  beginRun: () => RunningExecution,
): Routine<Outcome> {
  const { state, observer } = environment
  // At the first load, what is known to be needed is loaded too, and the source can find out what else will be.
  const ahead = once(() =>
    Promise.all([source.expect(message), runWithPauses(loadFor(knownReads(environment, message)))]),
  )
  const depth = state.depth
  const { machine, end } = yield* withFirst(
    whenLoaded(() => begun(state, depth, beginRun)),
    ahead,
  )
  try {
    yield* withFirst(pausesOf(machine), ahead)
  } catch (error) {
    machine.close()
    throw error
  }
  // An account that is touched without being read, such as a precompile, is read when it may have to be cleared. The observer
  // may read more than the execution did.
  const touched = [...machine.result.touched].map((address) => () => state.account(address))
  yield* loadFor([...touched, () => observer?.onTransactionEnd?.()])
  return end()
}

/** Reads what is known to be needed: accounts that the message names, and the slots of its access list. */
function knownReads(
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

function* begun(state: State, depth: number, beginRun: () => RunningExecution): Routine<RunningExecution> {
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

/** A routine that also waits for other work, which begins with its first pause. */
function* withFirst<T>(routine: Routine<T>, work: () => Promise<unknown>): Routine<T> {
  for (let step = routine.next(); ; step = routine.next()) {
    if (step.done === true) return step.value
    yield Promise.all([step.value, work()]).then(() => undefined)
  }
}
