/** Methods for debuggers: the instructions of a mined transaction in parts, a search among them, and their sources. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import type { TracedStep, TracedSteps } from '../../explain/step-recorder.ts'
import { optionalWith, hash } from '../../schema/wire.ts'
import { sourcesObject, tracedStepsObject } from '../../schema/step-results.ts'
import { method, param } from '../method.ts'
import { SENT } from './examples.ts'

/** Instructions in one answer. */
const MAX_STEPS = 1000

const DEFAULT_STEPS = 100

const integer = z
  .int({ error: 'expected an integer' })
  .nonnegative({ error: 'expected an integer that is not negative' })

const goal = z.enum(['call', 'log', 'failure', 'over', 'out'], {
  error: 'expected one of call, log, failure, over, out',
})

const direction = z.enum(['forwards', 'backwards'], { error: 'expected one of forwards, backwards' })

const transaction = param('hash', hash, 'Hash of the transaction.')

export const traceSteps = method({
  name: 'dev_traceSteps',
  summary:
    'Some instructions of a mined transaction, each with gas, the upper 64 words of the stack, the first 4,096 bytes of memory if they changed, the slot that it reads or writes, and its place in the sources; null if the transaction is unknown.',
  params: [
    transaction,
    param('from', optionalWith(integer, 0), 'Index of the first instruction; 0 if left out.'),
    param(
      'count',
      optionalWith(
        integer.max(MAX_STEPS, { error: `expected at most ${MAX_STEPS} instructions` }),
        DEFAULT_STEPS,
      ),
      `Number of instructions, at most ${MAX_STEPS}; ${DEFAULT_STEPS} if left out.`,
    ),
  ],
  result: tracedStepsObject.nullable(),
  example: {
    after: [SENT.step],
    params: [SENT.hash, 0, 10],
    result: { total: 0, from: 0, touched: [], steps: [] },
  },
  run: async ({ hash: wanted, from, count }, { chain, loadStepReader }) => {
    const mined = chain.receipt(wanted)
    if (mined === undefined) return null
    const reader = await loadStepReader()
    return rendered(await reader.steps(mined.entry, mined.receipt, { from, count }))
  },
})

const rendered = ({ steps, ...rest }: TracedSteps): z.input<typeof tracedStepsObject> => ({
  ...rest,
  steps: steps.map(renderedStep),
})

const renderedStep = ({
  gas,
  gasCost,
  stack,
  ...step
}: TracedStep): z.input<typeof tracedStepsObject>['steps'][number] => ({
  ...step,
  gas: Number(gas),
  gasCost: Number(gasCost),
  stack: stack.map(toQuantity),
})

export const findStep = method({
  name: 'dev_findStep',
  summary:
    'Searches the instructions of a mined transaction from one of them, forwards or backwards, and returns the index of the first that fits, or null. Goals: call (a call or a creation), log, failure, over (an instruction of the same frame or of a calling one, so that calls are skipped), out (an instruction of a calling frame).',
  params: [
    transaction,
    param('from', integer, 'Index of the instruction to start from.'),
    param('goal', goal, 'What to find: call, log, failure, over or out.'),
    param('direction', optionalWith(direction, 'forwards'), 'forwards or backwards; forwards if left out.'),
  ],
  result: z.int().nonnegative().nullable(),
  example: { after: [SENT.step], params: [SENT.hash, 0, 'log'], result: null },
  run: async ({ hash: wanted, ...search }, { chain, loadStepReader }) => {
    const mined = chain.receipt(wanted)
    if (mined === undefined) return null
    return (await (await loadStepReader()).find(mined.entry, mined.receipt, search)) ?? null
  },
})

export const transactionSources = method({
  name: 'dev_transactionSources',
  summary:
    'Sources of the contracts that a mined transaction ran, with the ids that its instructions name; null if it is unknown. Texts beyond 8,000,000 characters are left out.',
  params: [transaction],
  result: sourcesObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: [] },
  run: async ({ hash: wanted }, { chain, loadStepReader }) => {
    const mined = chain.receipt(wanted)
    if (mined === undefined) return null
    return (await loadStepReader()).sources(mined.entry, mined.receipt)
  },
})
