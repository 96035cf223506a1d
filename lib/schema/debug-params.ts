/** Schemas of the debugger's params: what to open, where to go, and breakpoints. They are made when they are first used: a start does without them. */

import * as z from 'zod'
import { address, hash } from './wire.ts'

const step = z.int('expected an integer').nonnegative('expected an integer that is not negative')

const text = z.string('expected a text').max(1000, 'expected at most 1000 characters')

const LINE_EXPECTED = 'expected the number of a line, from 1'

const breakpointId = z.int('expected an integer')

/** A breakpoint on a line. The condition is an expression; the log is a text with expressions in braces, and does not stop. */
const lineBreakpoint = z.lazy(() =>
  z.strictObject({
    id: breakpointId,
    kind: z.literal('line'),
    /** Path of a source as the compiler names it, or a path of a file that ends with it. */
    path: text,
    line: z.int(LINE_EXPECTED).positive(LINE_EXPECTED),
    condition: text.optional(),
    /** Stop at the visit with this number only, such as `3`, or `>= 3` or `% 2`. */
    hitCondition: text.optional(),
    log: text.optional(),
  }),
)

/** A breakpoint on the begin of functions, such as `buy` or `Shop.buy`. */
const functionBreakpoint = z.lazy(() =>
  z.strictObject({
    id: breakpointId,
    kind: z.literal('function'),
    name: text,
    condition: text.optional(),
    hitCondition: text.optional(),
  }),
)

/** A breakpoint on failures: of every frame, or only those that end the transaction. */
const revertBreakpoint = z.lazy(() =>
  z.strictObject({
    id: breakpointId,
    kind: z.literal('revert'),
    which: z.enum(['all', 'uncaught'], 'expected all or uncaught'),
  }),
)

/** A breakpoint on events with a name, such as `Sold` or `Shop.Sold`; all events without one. */
const eventBreakpoint = z.lazy(() =>
  z.strictObject({ id: breakpointId, kind: z.literal('event'), name: text.optional() }),
)

/** A breakpoint on messages to other contracts and creations. */
const callBreakpoint = z.lazy(() => z.strictObject({ id: breakpointId, kind: z.literal('call') }))

/** A breakpoint on changes of a variable in the storage; of every slot without one. */
const writeBreakpoint = z.lazy(() =>
  z.strictObject({
    id: breakpointId,
    kind: z.literal('write'),
    stored: z.strictObject({ address, slot: hash, offset: step, bytes: step }).optional(),
    condition: text.optional(),
    hitCondition: text.optional(),
  }),
)

/** A breakpoint. */
export const breakpoint = z.lazy(() =>
  z.discriminatedUnion(
    'kind',
    [lineBreakpoint, functionBreakpoint, revertBreakpoint, eventBreakpoint, callBreakpoint, writeBreakpoint],
    'expected a breakpoint of the kind line, function, revert, event, call or write',
  ),
)

/** A breakpoint. */
export type Breakpoint = z.output<typeof breakpoint>

/** A list of breakpoints. */
export const breakpointList = z
  .array(breakpoint, 'expected a list')
  .max(1000, 'expected at most 1000 breakpoints')

/** What an attached debugger stops: breakpoints, and the kinds of executions that they are in. */
export const attachSettings = z.strictObject({
  breakpoints: breakpointList,
  pauseOn: z
    .array(z.enum(['transaction', 'call', 'estimate'], 'expected transaction, call or estimate'))
    .default(['transaction', 'call']),
})

/** What an attached debugger stops. */
export type AttachSettings = z.output<typeof attachSettings>

/** Where to go: to the next statement (`into`, `over`, `out`), the next instruction, or the next breakpoint (`run`). */
export const motion = z.lazy(() =>
  z.strictObject({
    kind: z.enum(
      ['into', 'over', 'out', 'instruction', 'run'],
      'expected into, over, out, instruction or run',
    ),
    direction: z.enum(['forwards', 'backwards'], 'expected forwards or backwards').default('forwards'),
    breakpoints: breakpointList.default([]),
  }),
)

/** Where to go. */
export type Motion = z.output<typeof motion>
