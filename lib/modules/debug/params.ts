/**
 * Schemas of the debugger's params: what to open, where to go, and breakpoints. They are made at first use, because a start does
 * not need them.
 */

import * as z from 'zod'
import { address, hash, natural } from '../../schema/wire.ts'

const text = z.string('expected a text').max(1000, 'expected at most 1000 characters')

const LINE_EXPECTED = 'expected the number of a line, from 1'

/** A breakpoint. The condition is an expression. */
export const breakpoint = z.lazy(() => {
  const id = z.int('expected an integer')
  /** `hitCondition` selects visits by number: `3`, `>= 3` or `% 2`. */
  const conditions = { condition: text.optional(), hitCondition: text.optional() }
  return z.discriminatedUnion(
    'kind',
    [
      z.strictObject({
        id,
        kind: z.literal('line'),
        /** The compiler's path of a source, or a file path that ends with it. */
        path: text,
        line: z.int(LINE_EXPECTED).positive(LINE_EXPECTED),
        ...conditions,
        /** A text with expressions in braces, which is logged instead of stopping. */
        log: text.optional(),
      }),
      // At the beginning of functions, such as `buy` or `Shop.buy`.
      z.strictObject({ id, kind: z.literal('function'), name: text, ...conditions }),
      // Failures of every frame, or only those that end the transaction.
      z.strictObject({
        id,
        kind: z.literal('revert'),
        which: z.enum(['all', 'uncaught'], 'expected all or uncaught'),
      }),
      // Events with this name, such as `Sold` or `Shop.Sold`; without a name all events.
      z.strictObject({ id, kind: z.literal('event'), name: text.optional() }),
      // Messages to other contracts and creations.
      z.strictObject({ id, kind: z.literal('call') }),
      // Changes of a storage variable; without a variable, of every slot.
      z.strictObject({
        id,
        kind: z.literal('write'),
        stored: z.strictObject({ address, slot: hash, offset: natural, bytes: natural }).optional(),
        ...conditions,
      }),
    ],
    'expected a breakpoint of the kind line, function, revert, event, call or write',
  )
})

export type Breakpoint = z.output<typeof breakpoint>

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

export type Motion = z.output<typeof motion>
