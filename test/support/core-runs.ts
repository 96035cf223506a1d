/** Runs a message on the machine, and records results and events so that runs can be compared. */

import { deepStrictEqual } from 'node:assert'
import { toHex } from '../../lib/base/hex.ts'
import type { Hash } from '../../lib/base/hex.ts'
import type { ExecutionResult } from '../../lib/evm/machine/environment.ts'
import type { Observer, Step, SyncObserver } from '../../lib/evm/observer.ts'
import type { Rules } from '../../lib/evm/rules.ts'
import type { RunContext, Sent, World } from './machine-runs.ts'
import { SENDER, contextOf, execute, stateOf } from './machine-runs.ts'

/** The result of a message. */
export interface Noted {
  readonly status: string
  readonly exception: string | undefined
  readonly isGasIndependent: boolean
  readonly gasLeft: number
  readonly refund: number
  readonly output: string
  readonly logs: readonly string[]
  readonly created: string | undefined
  readonly sets: readonly string[]
  readonly stateRoot: Hash
}

/** A message, and the state that it runs on. */
export interface Scene {
  readonly rules: Rules
  readonly world: World
  readonly sent: Sent
  readonly special?: Partial<RunContext>
}

/** Runs it, for an observer or without one. */
export function runMachine(scene: Scene, observer?: Observer): Noted {
  const { result, state } = run(scene, observer)
  return {
    status: result.status,
    exception: result.exception,
    isGasIndependent: result.isGasIndependent,
    gasLeft: result.gasLeft,
    refund: result.refund,
    output: toHex(result.output),
    logs: result.logs.map((log) => shown({ ...log, data: toHex(log.data) })),
    created: result.created,
    sets: [...result.destroyed, ...result.touched],
    stateRoot: state.commitRoot().hash,
  }
}

/** Runs it for an observer. */
export const observe = (scene: Scene, observer: Observer): ExecutionResult => run(scene, observer).result

function run({ rules, world, sent, special = {} }: Scene, observer: Observer | undefined) {
  const state = stateOf(world)
  const warmAddresses = [SENDER, ...(sent.to === undefined ? [] : [sent.to]), ...rules.precompiles.keys()]
  state.listen(observer)
  state.checkpoint()
  const result = execute(contextOf(rules, state, { warmAddresses, observer, ...special }), sent)
  state.commit()
  return { result, state }
}

/**
 * Runs it in the three loops of the core, which check gas and stack for each basic block, for each noted block and for each
 * instruction, and compares them.
 */
export function runAlike(scene: Scene): Noted {
  const ran = runMachine(scene)
  deepStrictEqual(runMachine(scene, { onBlocks: () => undefined }), ran)
  deepStrictEqual(runMachine(scene, { onOpcode: () => undefined }), ran)
  return ran
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
    onExit: note('exit'),
    onLog: note('log'),
    onAccountAccess: note('account'),
    onStorageAccess: note('slot'),
    onBalanceChange: note('balance'),
    onNonceChange: note('nonce'),
    onCodeChange: note('code'),
    onStorageChange: note('storage'),
  }
}
