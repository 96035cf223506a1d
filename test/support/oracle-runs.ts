/** Runs a message on the machine or on its oracle, a slow machine in TypeScript, and records comparable results. */

import { toHex } from '../../lib/base/hex.ts'
import type { Hash } from '../../lib/base/hex.ts'
import type { ExecutionContext, OutermostMessage } from '../../lib/evm/machine/execution.ts'
import type { ExecutionResult } from '../../lib/evm/machine/execution.ts'
import { Machine } from '../../lib/evm/machine/machine.ts'
import type { Observer, Step, SyncObserver } from '../../lib/evm/observer.ts'
import type { Rules } from '../../lib/evm/rules/rules.ts'
import type { State } from '../../lib/state/state.ts'
import type { Sent, World } from './machine-runs.ts'
import { SENDER, contextOf, stateOf } from './machine-runs.ts'
import { Machine as Oracle } from './oracle/machine.ts'

/** A machine, or its oracle. */
type AnyMachine = new (context: ExecutionContext) => {
  readonly start: (message: OutermostMessage) => void
  readonly run: () => Promise<void> | undefined
  readonly result: ExecutionResult
}

/** The result of a message. */
export interface Noted {
  readonly status: string
  readonly exception: string | undefined
  readonly gasLeft: number
  readonly refund: number
  readonly output: string
  readonly logs: readonly string[]
  readonly created: string | undefined
  readonly sets: readonly string[]
  readonly stateRoot: Hash
  /** All hook events, oldest first. */
  readonly events: readonly string[]
}

/** A message, and the state that it runs on. */
export interface Scene {
  readonly rules: Rules
  readonly world: World
  readonly sent: Sent
  readonly special?: Partial<ExecutionContext>
}

/** Runs it on the machine. */
export const runMachine = (scene: Scene, isObserved = false): Noted => noted(run(Machine, scene, isObserved))

/** Whether the machine says that a success is the same with less gas. */
export const isGasIndependent = (scene: Scene): boolean => run(Machine, scene, false).result.isGasIndependent

/** Runs it on the oracle. */
export const runOracle = (scene: Scene, isObserved = false): Noted => noted(run(Oracle, scene, isObserved))

/** Runs it on the machine for an observer. */
export const observe = ({ special, ...scene }: Scene, observer: Observer): ExecutionResult =>
  run(Machine, { ...scene, special: { ...special, observer } }, false).result

/** What a run has left. */
interface Ran {
  readonly result: ExecutionResult
  readonly state: State
  readonly events: readonly string[]
}

function run(Which: AnyMachine, { rules, world, sent, special = {} }: Scene, isObserved: boolean): Ran {
  const state = stateOf(world)
  const events: string[] = []
  const observer = isObserved ? noting(events) : undefined
  const warmAddresses = [SENDER, ...(sent.to === undefined ? [] : [sent.to]), ...rules.precompiles.keys()]
  state.listen(observer)
  state.checkpoint()
  const machine = new Which(contextOf(rules, state, { warmAddresses, observer, ...special }))
  const { to, value, data, gas } = sent
  machine.start({ from: SENDER, to, nonce: 0n, value, data, gas })
  if (machine.run() !== undefined) throw new Error('paused')
  state.commit()
  return { result: machine.result, state, events }
}

function noted({ result, state, events }: Ran): Noted {
  return {
    status: result.status,
    exception: result.exception,
    gasLeft: result.gasLeft,
    refund: result.refund,
    output: toHex(result.output),
    logs: result.logs.map((log) => shown({ ...log, data: toHex(log.data) })),
    created: result.created,
    sets: [...result.destroyed, ...result.touched],
    stateRoot: state.commitRoot().hash,
    events,
  }
}

const shown = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`
    return each instanceof Uint8Array ? toHex(each) : each
  })

const shownStep = ({
  pc,
  opcode,
  name,
  inputs,
  gasLeft,
  cost,
  depth,
  stack,
  memory,
  address,
  refund,
}: Step): string => shown({ pc, opcode, name, inputs, gasLeft, cost, depth, stack, memory, address, refund })

/** An observer that adds a line for each hook event. */
export function noting(events: string[]): SyncObserver {
  const note =
    (kind: string) =>
    (...values: readonly unknown[]): void =>
      void events.push(`${kind} ${shown(values)}`)
  return {
    onOpcode: (step) => void events.push(`step ${shownStep(step)}`),
    onFault: (step, exception) => void events.push(`fault ${exception} ${shownStep(step)}`),
    onEnter: note('enter'),
    // The oracle does not know the position; test/evm/machine/basic-blocks.test.ts compares it.
    onExit: (event) => void events.push(`exit ${shown({ ...event, position: undefined })}`),
    onLog: note('log'),
    onAccountAccess: note('account'),
    onStorageAccess: note('slot'),
    onBalanceChange: note('balance'),
    onNonceChange: note('nonce'),
    onCodeChange: note('code'),
    onStorageChange: note('storage'),
  }
}
