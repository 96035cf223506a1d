/** Where a motion goes: to the next statement, over or out of functions, forwards or backwards. Breakpoints on the way are in breakpoints.ts. */

import type { Motion } from './params.ts'
import { wholeOf, type Activation, type Visit } from './activation.ts'
import type { Activations } from './activations.ts'
import { callerOf } from './call-stack.ts'

/** A goal; undefined beyond the begin or the end of the recording. */
type Goal = number | undefined

/** The step that a motion goes to from a step. `run` goes to the end. */
export function goalOf(
  activations: Activations,
  step: number,
  { kind, direction }: Pick<Motion, 'kind' | 'direction'>,
): Goal {
  const isForwards = direction === 'forwards'
  if (kind === 'run') return undefined
  if (kind === 'instruction') return isForwards ? step + 1 : step - 1
  const activation = activations.at(step)
  if (activation === undefined) return undefined
  if (kind === 'into') return isForwards ? intoNext(activations, step) : intoLast(activations, step)
  const whole = wholeOf(activation)
  if (kind === 'out') return isForwards ? returnOf(activations, whole) : callOf(activations, whole)
  return isForwards ? overNext(activations, whole, step) : overLast(activations, whole, step)
}

const intoNext = (activations: Activations, step: number): Goal =>
  activations.visits[activations.visitAfter(step)]?.step

/** The last visit that began before a step. */
const intoLast = (activations: Activations, step: number): Goal =>
  activations.visits[activations.visitAfter(step - 1) - 1]?.step

/** The next visit of the function, or the place to which it returns. */
const overNext = (activations: Activations, whole: Activation, step: number): Goal =>
  visitsBetween(activations, step, whole.left - 1).find(isOf(whole))?.step ?? returnOf(activations, whole)

const overLast = (activations: Activations, whole: Activation, step: number): Goal =>
  visitsBetween(activations, whole.entered - 1, step - 1).findLast(isOf(whole))?.step ??
  callOf(activations, whole)

/** All visits between two steps, of which the first is excluded. */
const visitsBetween = (all: Activations, from: number, to: number) =>
  all.visits.slice(all.visitAfter(from), all.visitAfter(to))

/** Whether a visit is one of a function, of its modifiers or of its body. */
const isOf =
  (whole: Activation) =>
  ({ activation }: Visit): boolean =>
    wholeOf(activation) === whole

/** The first instruction after a function in one of its callers that has statements. */
function returnOf(activations: Activations, activation: Activation): Goal {
  let left = activation
  for (let one = activation.caller; one !== undefined; one = one.caller) {
    const step = one.frame === left.frame ? left.left : left.frame.end
    if (one.visits.length > 0 && activations.at(step) === one) return step
    left = one
  }
  return undefined
}

/** The statement of the caller that called a function. */
function callOf(activations: Activations, activation: Activation): Goal {
  let called = activation
  for (let one = activation.caller; one !== undefined; one = one.caller) {
    const visit = activations.visitAt(one, called.entered - 1)
    if (visit !== undefined) return visit.step
    called = one
  }
  return undefined
}

/** The functions that the statement at a step enters, in order, with the first visit of each. */
export function calledFrom(
  activations: Activations,
  step: number,
): readonly (readonly [Activation, number])[] {
  const activation = activations.at(step)
  if (activation === undefined) return []
  const end = activations.nextVisit(activation, step)?.step ?? activation.left
  const isCalled = (one: Activation): boolean => wholeOf(one) === one && callerOf(one) === activation
  return activations
    .enteredBetween(step, end)
    .filter((one) => isCalled(one) && (one.declared !== undefined || one.visits.length > 0))
    .map((one): readonly [Activation, number] => [one, one.visits[0]?.step ?? one.entered])
}
