/**
 * The debugger: recorded executions, in which a client moves forwards and backwards, and requests that stop at breakpoints.
 *
 * The machine never pauses for it. A recording (recording.ts) has all instructions, and a position is a step, the index of one: going
 * backwards costs what going forwards does. activations.ts goes through it once and finds runs of functions and visits of statements;
 * breakpoints.ts and stops.ts search these lists. locals.ts finds the word of a variable from the AST and the shape
 * of the stack; in optimized code rearranged-code.ts and settled-steps.ts find where the stack holds what the source says, and
 * rearranged-variables.ts reads it there. values/ decodes. A wrong value is a defect, an unknown one is not: a corpus of contracts that emit
 * their own variables proves it. An attached debugger holds the responses of requests whose executions, which have ended, meet a breakpoint.
 *
 * @example createNode({ waitForDebugger: true }) lets the first transactions wait for an editor that attaches.
 */

import { lazyPart } from '../../base/lazy-part.ts'
import { inGroup, toggle } from '../../config/option-description.ts'
import type { Scope } from '../../kernel/module.ts'
import type { NodeModule } from '../../node/node.ts'
import type { RequestExecution } from '../../kernel/request-context.ts'
import { Debuggers, type StoppableRun } from './attached-debugger.ts'
import { attachMethods, debuggerMethods, type DebugPart, type DebuggerPart } from './methods.ts'

const debugOptions = inGroup('Server', {
  waitForDebugger: toggle(
    'Let the first transactions, calls and estimates wait until a debugger attaches, so that it can stop in them.',
  ),
})

export const debug = {
  name: 'debugger',
  options: debugOptions,
  // A worker of a parallel run has no port for debuggers.
  start: ({ options, host, isWorker }) => ({
    debuggers: new Debuggers(host, options.waitForDebugger && !isWorker),
  }),
  openChain: ({ debuggers }, { replayer, knownContracts, startCallTimer }) => ({
    loadDebugger: lazyPart('debugger', async () => {
      await knownContracts.signatures.load()
      const { Debugger } = await import('./debugger.ts')
      return new Debugger(
        { replayer, contracts: knownContracts, startCallTimer },
        await debuggers.loadSessions(),
      )
    }),
  }),
  methods: [...attachMethods, ...debuggerMethods],
  waitsFor: ({ debuggers }) => (debuggers.isAwaited ? 'a debugger attaches' : undefined),
  facts: ({ debuggers }) => ({
    debugger: debuggers.isAwaited ? 'the first transactions and calls wait until one attaches' : undefined,
  }),
  responseHolder: ({ debuggers, loadDebugger }) => ({
    get isActive() {
      return debuggers.mayStop
    },
    hold: async ({ executions, ...request }) => {
      const attached = await debuggers.whenAttached()
      await attached?.hold(request, executions.map(stoppable(loadDebugger)))
    },
  }),
  release: ({ debuggers }) => debuggers.close(),
} as const satisfies NodeModule<Scope<typeof debugOptions>, DebugPart, DebuggerPart>

const stoppable =
  (loadDebugger: DebuggerPart['loadDebugger']) =>
  (execution: RequestExecution): StoppableRun => {
    const outcome = 'receipt' in execution ? execution.receipt.outcome : execution.outcome
    const open = async () => {
      const debug = await loadDebugger()
      if ('receipt' in execution) return debug.mined(execution.entry, execution.receipt)
      return debug.call(execution, execution.prepare)
    }
    return { kind: execution.kind, isSuccess: outcome.status === 'success', open }
  }
