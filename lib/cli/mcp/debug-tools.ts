/** Tools that step through one recorded execution, forwards and backwards. The server remembers the position. */

import * as z from 'zod'
import { refuseRequest } from '../../base/errors.ts'
import type { AskedNode } from '../../client/node-client.ts'
import { DebuggedExecution, placeBreakpoints } from '../../modules/debug/adapter/debugged-execution.ts'
import type { LaunchTarget } from '../../modules/debug/adapter/requests.ts'
import type { Breakpoint } from '../../modules/debug/params.ts'
import type { DebugFrame, DebugStop, DebugVariable } from '../../modules/debug/results.ts'
import { newestFailures } from '../explain-command.ts'
import { failure } from './failure-tools.ts'
import { firstLines, tool, type Agent } from './tool.ts'

type Debugged = NonNullable<Agent['debugged']>

/** Source lines shown above and below the one that runs next. */
const CONTEXT = 2

const MAX_VARIABLES = 40

const open = tool('debug_open', {
  description:
    'Opens the debugger on a failure or a transaction, and goes to the statement that failed, or to the first one. Answers to this and to debug_move show the source, the callers and the variables there.',
  input: z.strictObject({
    failure,
    transaction: z.string().optional().describe('Whole hash of a mined transaction, in place of a failure.'),
  }),
  run: async ({ failure: id, transaction }, agent) => {
    const { node, execution } =
      transaction === undefined
        ? await openFailure(id, agent)
        : await opened(await agent.chain(), { transaction })
    const { failure: failed, first, steps } = execution.facts
    agent.debugged = { node, execution, step: failed ?? first }
    return [
      `${steps} instructions, the first statement at step ${first}`,
      ...(await position(agent.debugged)),
    ]
  },
})

/** Records a failure; without an id, the newest of a failed test. @throws NodeError 'invalidOption' */
export async function openFailure(id: number | undefined, agent: Agent): Promise<Omit<Debugged, 'step'>> {
  const node = await agent.withFailure(id)
  const newest = id ?? (await newestFailures(node, 1))[0]?.id
  return opened(node, { failure: newest ?? 'last' })
}

const opened = async (node: AskedNode, target: LaunchTarget) => ({
  node,
  execution: await DebuggedExecution.open(node, target),
})

const BREAKPOINT =
  'Where the way ends: `Shop.sol:23`, a function such as `Shop.buy`, `event`, `call`, or `revert`; after a line or a function, ` if ` and a condition.'

const move = tool('debug_move', {
  description:
    'Moves to the next statement (into, over or out of functions), by one instruction, or runs to the next breakpoint or the end; backwards as well.',
  input: z.strictObject({
    kind: z.enum(['into', 'over', 'out', 'instruction', 'run']).default('over'),
    backwards: z.boolean().default(false),
    breakpoints: z.array(z.string()).max(100).default([]).describe(BREAKPOINT),
    step: z.int().nonnegative().optional().describe('Begins at this step, not where the debugger stands.'),
  }),
  run: async ({ kind, backwards, breakpoints: written, step }, agent) => {
    const { node, execution, step: from } = debuggedBy(agent)
    const direction = backwards ? 'backwards' : 'forwards'
    const breakpoints = written.map(breakpointOf)
    const wrong = (await placeBreakpoints(node, breakpoints)).find(({ message }) => message !== undefined)
    if (wrong !== undefined) refuseRequest(`${written[wrong.id]}: ${wrong.message}`)
    const stop = await execution.move(step ?? from, { kind, direction, breakpoints })
    agent.debugged = { node, execution, step: stop.step }
    return [stopText(stop), ...(await position(agent.debugged))]
  },
})

const frame = z
  .int()
  .nonnegative()
  .optional()
  .describe('Number of a running function, as debug_open lists them; the innermost if left out.')

const variables = tool('debug_variables', {
  description: 'Variables where the debugger stands, or the parts of one.',
  input: z.strictObject({
    path: z
      .array(z.string())
      .min(1)
      .default(['locals'])
      .describe(
        'locals, state, message, storage, memory or stack, then names of parts, such as ["state", "orders", "3"].',
      ),
    frame,
  }),
  run: async ({ path, frame: wanted }, agent) => {
    const { execution, step } = debuggedBy(agent)
    const found = await execution.variables({ step, frame: wanted ?? (await innermost(agent)) }, path)
    if (found.length === 0) return [`${path.join('.')} has no variables`]
    return firstLines(found.map(variableText), MAX_VARIABLES, 'name a part in path')
  },
})

const evaluate = tool('debug_evaluate', {
  description:
    'The value of a Solidity expression where the debugger stands, such as `balances[msg.sender] >= amount`. Calls of functions change nothing.',
  input: z.strictObject({ expression: z.string().min(1), frame }),
  run: async ({ expression, frame: wanted }, agent) => {
    const { execution, step } = debuggedBy(agent)
    const number = wanted ?? (await innermost(agent))
    return [variableText(await execution.evaluate({ step, frame: number }, expression))]
  },
})

export const debugTools = [open, move, variables, evaluate]

const debuggedBy = ({ debugged }: Agent): Debugged =>
  debugged ?? refuseRequest('the debugger is not open: call debug_open first')

async function innermost(agent: Agent): Promise<number> {
  const { execution, step } = debuggedBy(agent)
  return (await execution.stack(step)).frames[0]?.frame ?? 0
}

/** The debugger's position: source, callers, variables. */
async function position({ execution, step }: Debugged): Promise<readonly string[]> {
  const { frames, exception } = await execution.stack(step)
  const [inner] = frames
  const locals =
    inner === undefined ? [] : await execution.variables({ step, frame: inner.frame }, ['locals'])
  return [
    `step ${step}${exception === undefined ? '' : `: ${exception.reason}${exception.isCaught ? ' (caught)' : ''}`}`,
    ...frames.map(frameText),
    ...(inner === undefined ? [] : await excerpt(execution, inner)),
    ...firstLines(locals.map(variableText), MAX_VARIABLES, 'debug_variables'),
  ]
}

const frameText = ({ frame: number, name, place }: DebugFrame): string =>
  `  frame ${number}: ${name}${place === undefined ? '' : ` (${place.path}:${place.line})`}`

async function excerpt(execution: DebuggedExecution, { place }: DebugFrame): Promise<readonly string[]> {
  const text = place && (await execution.sources()).get(place.id)?.content
  if (place === undefined || text === undefined) return []
  const first = Math.max(1, place.line - CONTEXT)
  return text
    .split('\n')
    .slice(first - 1, place.line + CONTEXT)
    .map((line, index) => `${first + index === place.line ? '>' : ' '} ${first + index} ${line}`)
}

const variableText = ({ name, type = '', value, unknown, parts }: DebugVariable): string =>
  `${type} ${name} = ${unknown === undefined ? value : `(not known: ${unknown})`}${parts > 0 ? ` (${parts} parts)` : ''}`.trim()

const stopText = ({ reason, text, logs }: DebugStop): string =>
  [...logs.map((log) => log.text), `stopped: ${reason}${text === undefined ? '' : `, ${text}`}`].join('\n')

function breakpointOf(written: string, id: number): Breakpoint {
  if (written === 'revert') return { id, kind: 'revert', which: 'all' }
  if (written === 'event' || written === 'call') return { id, kind: written }
  const [, place = written, condition] = /^(.*?) if (.*)$/s.exec(written) ?? []
  const [, path, line] = /^(.+):(\d+)$/.exec(place) ?? []
  return path === undefined
    ? { id, kind: 'function', name: place, condition }
    : { id, kind: 'line', path, line: Number(line), condition }
}
