/** An editor's breakpoints, and the requests that replace them by group: the breakpoints of a file, of functions, exceptions or data. */

import type { AskedNode } from '../../../client/node-client.ts'
import { basename, isAbsolute } from 'node:path'
import { Source } from '@vscode/debugadapter'
import type { DebugProtocol } from '@vscode/debugprotocol'
import * as z from 'zod'
import { breakpoint, type Breakpoint } from '../params.ts'
import type { DebugVariable } from '../results.ts'
import { placeBreakpoints } from './debugged-execution.ts'
import type { Counting, EditorRequests } from './requests.ts'

type NewBreakpoint = (id: number) => z.input<typeof breakpoint>

export class BreakpointSet {
  readonly #groups = new Map<string, readonly Breakpoint[]>()
  #lastId = 0

  /** Replaces the breakpoints of a group. @throws ZodError if a text is too long */
  replace(group: string, made: readonly NewBreakpoint[]): readonly Breakpoint[] {
    const breakpoints = made.map((make) => breakpoint.parse(make(++this.#lastId)))
    this.#groups.set(group, breakpoints)
    return breakpoints
  }

  get all(): Breakpoint[] {
    return [...this.#groups.values()].flat()
  }

  /** The file and line of a breakpoint; undefined if it is not on a line. */
  placeOf(id: number): { readonly source: Source; readonly line: number } | undefined {
    const breakpoint = this.all.find((candidate) => candidate.id === id)
    if (breakpoint?.kind !== 'line' || !isAbsolute(breakpoint.path)) return undefined
    return { source: new Source(basename(breakpoint.path), breakpoint.path), line: breakpoint.line }
  }
}

interface BreakpointContext {
  readonly node: AskedNode
  readonly breakpoints: BreakpointSet
  readonly counting: Counting
  readonly pathOf: (source: DebugProtocol.Source) => string
  readonly changed: (all: readonly Breakpoint[]) => Promise<void>
}

export function breakpointRequests(context: BreakpointContext): EditorRequests {
  const { counting, pathOf } = context
  const place = async (group: string, made: readonly NewBreakpoint[]) => ({
    breakpoints: await placed(context, group, made),
  })
  return {
    setBreakpoints: ({ source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments) => {
      const path = pathOf(source)
      return place(
        path,
        breakpoints.map((breakpoint) => onLine(path, counting.lineOf(breakpoint.line), breakpoint)),
      )
    },
    setFunctionBreakpoints: ({ breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments) =>
      place('functions', breakpoints.map(onFunction)),
    setDataBreakpoints: ({ breakpoints }: DebugProtocol.SetDataBreakpointsArguments) =>
      place('data', breakpoints.map(onWrite)),
    setExceptionBreakpoints: async ({
      filters,
      filterOptions = [],
    }: DebugProtocol.SetExceptionBreakpointsArguments) => {
      const wanted = [...filters.map((filterId) => ({ filterId, condition: '' })), ...filterOptions]
      const made = wanted.map(({ filterId, condition }) => onException(filterId, condition))
      const rest = await placed(context, 'exceptions', made.flat())
      // One for each filter: preferably the first breakpoint that was not placed.
      const breakpoints = made.flatMap(({ length }) => {
        const own = rest.splice(0, length)
        return own.find(({ verified }) => !verified) ?? own.slice(0, 1)
      })
      return { breakpoints }
    },
  }
}

async function placed(
  { node, breakpoints, counting, changed }: BreakpointContext,
  group: string,
  made: readonly NewBreakpoint[],
): Promise<DebugProtocol.Breakpoint[]> {
  const own = breakpoints.replace(group, made)
  await changed(breakpoints.all)
  const answers = own.length === 0 ? [] : await placeBreakpoints(node, own)
  return answers.map(({ id, isPlaced, line, message }) => ({
    id,
    verified: isPlaced,
    ...(line !== undefined && { line: counting.line(line) }),
    ...(message !== undefined && { message }),
  }))
}

const onLine =
  (
    path: string,
    line: number,
    { condition, hitCondition, logMessage: log }: Partial<DebugProtocol.SourceBreakpoint> = {},
  ): NewBreakpoint =>
  (id) => ({ id, kind: 'line', path, line, ...nonEmpty({ condition, hitCondition, log }) })

const onFunction =
  ({ name, condition, hitCondition }: DebugProtocol.FunctionBreakpoint): NewBreakpoint =>
  (id) => ({ id, kind: 'function', name, ...nonEmpty({ condition, hitCondition }) })

/** The breakpoints of a filter; one for each event that the condition names. */
function onException(filter: string, condition = ''): readonly NewBreakpoint[] {
  if (filter !== 'events')
    return [(id) => ({ id, kind: 'revert', which: filter === 'all' ? 'all' : 'uncaught' })]
  const names = condition.split(/[\s,]+/).filter((name) => name !== '')
  if (names.length === 0) return [(id) => ({ id, kind: 'event' })]
  return names.map((name) => (id) => ({ id, kind: 'event', name }))
}

const storedPlace = z.object({ address: z.string(), slot: z.string(), offset: z.int(), bytes: z.int() })

/** A breakpoint on changes of a variable, by the id from `dataIdOf`. */
const onWrite = ({ dataId, condition, hitCondition }: DebugProtocol.DataBreakpoint): NewBreakpoint => {
  const stored = storedPlace.parse(JSON.parse(dataId))
  return (id) => ({ id, kind: 'write', stored, ...nonEmpty({ condition, hitCondition }) })
}

/** The id of a storage variable, for breakpoints on its changes. */
export const dataIdOf = (stored: DebugVariable['stored']): string | null =>
  stored === undefined ? null : JSON.stringify(stored)

const nonEmpty = <Key extends string>(texts: Readonly<Record<Key, string | undefined>>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== ''))
