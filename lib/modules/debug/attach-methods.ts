/** Methods of an attached debugger, which stops the requests of other clients at breakpoints. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { waitFor } from '../../base/routine.ts'
import type { AttachedDebugger } from './attached-debugger.ts'
import type { DebugPart } from './scope.ts'
import { attachSettings, breakpointList } from './params.ts'
import { heldStop } from './results.ts'
import { flag } from '../../schema/results.ts'
import { optionalWith, wholeNumber } from '../../schema/wire.ts'
import { param, readMethod } from '../../kernel/method.ts'

/** Longest and default time of one question for the next stop, in milliseconds. */
const MAX_WAIT_MS = 20_000
const DEFAULT_WAIT_MS = 10_000

const debuggerId = param('id', z.int('expected the id of a debugger'), 'Id of dev_debugAttach.')

/** @throws NodeError 'unknownSession' if it is not attached */
function attached({ debuggers }: DebugPart, id: number): AttachedDebugger {
  const found = debuggers.withId(id)
  if (found === undefined)
    throw new NodeError(
      'unknownSession',
      `debugger ${id} is not attached; it is detached when another one attaches, and when it asks no more`,
    )
  return found
}

const debugAttach = readMethod({
  name: 'dev_debugAttach',
  summary:
    'Attaches a debugger to the node, in the place of another one, and returns its id. From then on, the response to a request whose transactions, calls or estimates meet a breakpoint waits, in all worlds, until the debugger resumes it. The execution itself has ended by then: other requests go on. A debugger that does not ask for its next stop for 30 seconds is detached.',
  params: [
    param(
      'settings',
      attachSettings,
      'The breakpoints, and in which executions they stop: `pauseOn` lists transaction, call and estimate; the first two if left out, because the transaction follows its estimate. Executions that fail always stop.',
    ),
  ],
  result: z.int().positive(),
  example: { params: [{ breakpoints: [] }] },
  run: ({ settings }, { debuggers }: DebugPart) => debuggers.attach(settings),
})

const debugSet = readMethod({
  name: 'dev_debugSet',
  summary: 'Replaces the breakpoints of an attached debugger.',
  params: [debuggerId, param('breakpoints', breakpointList, 'The breakpoints.')],
  result: flag,
  errors: ['unknownSession'],
  example: { params: [1, []], refusal: 'unknownSession' },
  run: ({ id, breakpoints }, node: DebugPart) => {
    attached(node, id).set(breakpoints)
    return true
  },
})

const debugNext = readMethod({
  name: 'dev_debugNext',
  summary:
    'Waits for the next stop of an attached debugger, and returns it, or null. A stop with the reason `end` holds no response: its request only passed logpoints.',
  params: [
    debuggerId,
    param(
      'waitMs',
      optionalWith(wholeNumber(0, MAX_WAIT_MS), DEFAULT_WAIT_MS),
      `Milliseconds to wait at most: ${DEFAULT_WAIT_MS} if left out, at most ${MAX_WAIT_MS}.`,
    ),
  ],
  result: heldStop,
  errors: ['unknownSession'],
  example: { params: [1, 0], refusal: 'unknownSession' },
  // The lock is released at the pause.
  run: ({ id, waitMs }, node: DebugPart) => waitFor(attached(node, id).next(waitMs)),
})

const debugResume = readMethod({
  name: 'dev_debugResume',
  summary:
    'Lets the response of a stop go, after its further executions have met no breakpoint. False if it does not wait.',
  params: [debuggerId, param('stop', z.int('expected the id of a stop'), 'Id of the stop.')],
  result: flag,
  errors: ['unknownSession'],
  example: { params: [1, 1], refusal: 'unknownSession' },
  run: ({ id, stop }, node: DebugPart) => attached(node, id).resume(stop),
})

const debugDetach = readMethod({
  name: 'dev_debugDetach',
  summary: 'Detaches a debugger: all responses that wait go. False if it is not attached.',
  params: [debuggerId],
  result: flag,
  example: { params: [1], result: false },
  run: ({ id }, { debuggers }: DebugPart) => {
    const found = debuggers.withId(id)
    found?.detach()
    return found !== undefined
  },
})

export const attachMethods = [debugAttach, debugSet, debugNext, debugResume, debugDetach]
