/** Methods that record executions and step through them, and those of an attached debugger, which stops the requests of other clients at breakpoints. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { finish, waitFor } from '../../base/routine.ts'
import { param, readMethod } from '../../kernel/method.ts'
import type { Chain } from '../../chain/chain.ts'
import type { BlockResolver } from '../../chain/miner/block-resolver.ts'
import type { Simulator } from '../../chain/simulation/simulator.ts'
import type { Node } from '../../node/node.ts'
import { SENT, EXECUTION_ERRORS } from '../../rpc/methods/params.ts'
import { sourcesObject } from '../../schema/report-results.ts'
import { blockRef, transactionRequest } from '../../schema/requests.ts'
import { flag } from '../../schema/results.ts'
import { hash, natural, optionalWith, wholeNumber } from '../../schema/wire.ts'
import type { Debuggers, AttachedDebugger } from './attached-debugger.ts'
import type { DebugSession } from './debug-session.ts'
import type { Debugger } from './debugger.ts'
import { breakpointList, motion as motionSchema, attachSettings } from './params.ts'
import {
  debugCode,
  debugSession,
  debugStack,
  debugStop,
  debugTargets,
  debugVariable,
  debugVariables,
  placedBreakpoints,
  heldStop,
} from './results.ts'

const TARGET_EXPECTED = 'expected {transaction}, {failure} or {call, block}'

const FAILURE_EXPECTED = 'expected the id of a failure, or last'

const target = z
  .strictObject(
    {
      transaction: hash.optional(),
      failure: z.union([z.int().positive(FAILURE_EXPECTED), z.literal('last')], FAILURE_EXPECTED).optional(),
      call: transactionRequest.optional(),
      block: blockRef.nullish(),
    },
    TARGET_EXPECTED,
  )
  .refine(
    ({ block, ...subjects }) =>
      Object.keys(subjects).length === 1 && (block === undefined || subjects.call !== undefined),
    TARGET_EXPECTED,
  )

const openDebugger = readMethod({
  name: 'dev_debugOpen',
  summary:
    'Records an execution for the other methods of the debugger: a mined transaction, a failure by its id in dev_failures or `last`, or a call. Null if it is not known. The newest eight recordings are kept.',
  params: [
    param('target', target, '{transaction: hash}, {failure: id or "last"} or {call: request, block: tag}.'),
  ],
  result: debugSession.nullable(),
  errors: EXECUTION_ERRORS,
  example: { after: [SENT.step], params: [{ transaction: SENT.hash }] },
  run: async ({ target: wanted }, node: DebuggedChain) => (await opened(wanted, node))?.summary() ?? null,
})

async function opened(
  wanted: z.output<typeof target>,
  node: DebuggedChain,
): Promise<DebugSession | undefined> {
  const debug = await node.loadDebugger()
  const { transaction, failure: id, call, block } = wanted
  if (call !== undefined) {
    const prepare = () => node.simulator.prepare(node.blockResolver.at(block ?? { tag: 'latest' }), call, {})
    return debug.call(wanted, prepare)
  }
  if (id !== undefined) {
    const failure = node.failures.findNewest((failure) => id === 'last' || id === failure.id)
    if (failure?.mined !== undefined) return debug.mined(failure.mined.entry, failure.mined.receipt)
    return failure?.prepare && debug.call(failure, failure.prepare)
  }
  const mined =
    (transaction && node.chain.receipt(transaction)) ??
    node.failures.findNewest((failure) => failure.mined?.receipt.transaction.hash === transaction)?.mined
  return mined && debug.mined(mined.entry, mined.receipt)
}

const session = param('session', z.string('expected the id of a session'), 'Id of the session.')
const step = param('step', natural, 'Index of an instruction.')
const frame = param('frame', natural, 'Number of a running function; 0 is the outermost one.')

/** Runs on an open session, and again if data of a fork had to be loaded. */
const inSession =
  <Given extends { readonly session: string }, Result>(
    run: (open: DebugSession, args: Given) => Result | Promise<Result>,
  ) =>
  async (args: Given, { loadDebugger }: DebuggerPart): Promise<Result> => {
    const session = (await loadDebugger()).session(args.session)
    return finish(() => run(session, args))
  }

/** Data of a fork may have to be loaded. */
const IN_SESSION = ['unknownSession', 'remoteFailed'] as const

const debuggerStack = readMethod({
  name: 'dev_debugStack',
  summary: 'The running functions at a step, innermost first, with their places in the sources.',
  params: [session, step],
  result: debugStack,
  errors: IN_SESSION,
  example: { params: ['none', 0], refusal: 'unknownSession' },
  run: inSession((open, { step: at }) => open.stack(at)),
})

const NAMES_EXPECTED = 'expected a list of names, which begins with that of a scope'
const path = z.array(z.string(NAMES_EXPECTED), NAMES_EXPECTED).min(1, NAMES_EXPECTED).max(64, NAMES_EXPECTED)

const debuggerVariables = readMethod({
  name: 'dev_debugVariables',
  summary:
    'Variables of a running function: those of a scope (locals, state, message, storage, memory, stack), or the parts of the variable that a path names. After `expression` and an expression, the parts of its value.',
  params: [
    session,
    step,
    frame,
    param('path', path, 'Name of a scope, then names of variables and parts, such as ["locals", "order"].'),
  ],
  result: debugVariables,
  errors: IN_SESSION,
  example: { params: ['none', 0, 0, ['locals']], refusal: 'unknownSession' },
  run: inSession((open, { step: at, frame: number, path: names }) => open.variables(at, number, names)),
})

const expression = z.string('expected an expression').max(1000, 'expected at most 1000 characters')

const debuggerEvaluate = readMethod({
  name: 'dev_debugEvaluate',
  summary:
    'The value of an expression in a running function: names, members, indexes, arithmetic, comparisons, casts, and calls of functions of contracts, which change nothing.',
  params: [
    session,
    step,
    frame,
    param('expression', expression, 'Such as `order.amount * 2 > balances[msg.sender]`.'),
  ],
  result: debugVariable,
  errors: IN_SESSION,
  example: { params: ['none', 0, 0, 'msg.sender'], refusal: 'unknownSession' },
  run: inSession((open, { step: at, frame: number, expression: text }) => open.evaluate(at, number, text)),
})

const debuggerMove = readMethod({
  name: 'dev_debugMove',
  summary:
    'Where a motion from a step ends: at the next statement (into, over or out of functions), the next instruction, or the next breakpoint, forwards or backwards. Breakpoints on the way stop every motion.',
  params: [session, step, param('motion', motionSchema, '{kind, direction, breakpoints}.')],
  result: debugStop,
  errors: IN_SESSION,
  example: { params: ['none', 0, { kind: 'over' }], refusal: 'unknownSession' },
  run: inSession((open, { step: at, motion }) => open.move(at, motion)),
})

const debuggerTargets = readMethod({
  name: 'dev_debugTargets',
  summary:
    'The functions that the statement at a step enters, in order, each with the step of its first statement.',
  params: [session, step],
  result: debugTargets,
  errors: IN_SESSION,
  example: { params: ['none', 0], refusal: 'unknownSession' },
  run: inSession((open, { step: at }) => open.targets(at)),
})

const debuggerSources = readMethod({
  name: 'dev_debugSources',
  summary: 'The sources of all contracts that ran. Texts beyond 8,000,000 characters are left out.',
  params: [session],
  result: sourcesObject,
  errors: IN_SESSION,
  example: { params: ['none'], refusal: 'unknownSession' },
  run: inSession((open) => open.sources()),
})

const debuggerBreakpoints = readMethod({
  name: 'dev_debugBreakpoints',
  summary:
    'Checks breakpoints against the sources of the known contracts: the line at which each stops, or what is wrong with it.',
  params: [param('breakpoints', breakpointList, 'Breakpoints.')],
  result: placedBreakpoints,
  example: { params: [[{ id: 1, kind: 'revert', which: 'all' }]], result: [{ id: 1, isPlaced: true }] },
  run: async ({ breakpoints }, { contractCatalog, loadDebugger }: DebuggedChain) => {
    await contractCatalog.refresh()
    return (await loadDebugger()).place(breakpoints, contractCatalog.contracts)
  },
})

const MAX_INSTRUCTIONS = 2000

const offset = z.int('expected an integer')
const count = natural.max(MAX_INSTRUCTIONS, `expected at most ${MAX_INSTRUCTIONS} instructions`)

const debuggerCode = readMethod({
  name: 'dev_debugCode',
  summary: 'Instructions of the code of a running function, by their position relative to its own.',
  params: [
    session,
    step,
    frame,
    param('from', offset, 'Number of instructions between its own and the first one; negative before it.'),
    param('count', count, `Number of instructions; at most ${MAX_INSTRUCTIONS}.`),
  ],
  result: debugCode,
  errors: IN_SESSION,
  example: { params: ['none', 0, 0, 0, 10], refusal: 'unknownSession' },
  run: inSession((open, { step: at, frame: number, from, count: wanted }) =>
    open.code(at, number, from, wanted),
  ),
})

export const debuggerMethods = [
  openDebugger,
  debuggerStack,
  debuggerVariables,
  debuggerEvaluate,
  debuggerMove,
  debuggerTargets,
  debuggerSources,
  debuggerBreakpoints,
  debuggerCode,
]

export interface DebugPart {
  /** Shared by all chains of the node. */
  readonly debuggers: Debuggers
}

export interface DebuggerPart {
  readonly loadDebugger: () => Promise<Debugger>
}

export interface DebuggedChain extends DebuggerPart, Pick<Node, 'contractCatalog' | 'failures'> {
  readonly chain: Pick<Chain, 'receipt'>
  readonly blockResolver: Pick<BlockResolver, 'at'>
  readonly simulator: Pick<Simulator, 'prepare'>
}

/** Longest and default time of one question for the next stop, in milliseconds. */
const MAX_WAIT_MS = 20_000
const DEFAULT_WAIT_MS = 10_000

const debuggerId = param('id', z.int('expected the id of a debugger'), 'Id of dev_debugAttach.')

/** @throws NodeError 'unknownSession' if it is not attached */
function attachedDebugger({ debuggers }: DebugPart, id: number): AttachedDebugger {
  const attached = debuggers.withId(id)
  if (attached === undefined)
    throw new NodeError(
      'unknownSession',
      `debugger ${id} is not attached; it is detached when another one attaches, and when it asks no more`,
    )
  return attached
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
    attachedDebugger(node, id).set(breakpoints)
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
  // The pause releases the lock.
  run: ({ id, waitMs }, node: DebugPart) => waitFor(attachedDebugger(node, id).next(waitMs)),
})

const debugResume = readMethod({
  name: 'dev_debugResume',
  summary:
    'Lets the response of a stop go, after its further executions have met no breakpoint. False if it does not wait.',
  params: [debuggerId, param('stop', z.int('expected the id of a stop'), 'Id of the stop.')],
  result: flag,
  errors: ['unknownSession'],
  example: { params: [1, 1], refusal: 'unknownSession' },
  run: ({ id, stop }, node: DebugPart) => attachedDebugger(node, id).resume(stop),
})

const debugDetach = readMethod({
  name: 'dev_debugDetach',
  summary: 'Detaches a debugger: all responses that wait go. False if it is not attached.',
  params: [debuggerId],
  result: flag,
  example: { params: [1], result: false },
  run: ({ id }, { debuggers }: DebugPart) => {
    const attached = debuggers.withId(id)
    attached?.detach()
    return attached !== undefined
  },
})

export const attachMethods = [debugAttach, debugSet, debugNext, debugResume, debugDetach]
