/** The breakpoints of an editor, which replaces them by group: those of one file, of functions, of exceptions and of data. */

import { basename, isAbsolute } from 'node:path'
import { Source } from '@vscode/debugadapter'
import type { DebugProtocol } from '@vscode/debugprotocol'
import * as z from 'zod'
import { breakpoint, type Breakpoint } from '../schema/debug-params.ts'
import type { DebugVariable } from '../schema/debug-results.ts'

/** Makes a breakpoint with an id. */
export type NewBreakpoint = (id: number) => z.input<typeof breakpoint>

/** All breakpoints of an editor. */
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

  /** The file and the line of a breakpoint; undefined if it is on no line of a file. */
  placeOf(id: number): { readonly source: Source; readonly line: number } | undefined {
    const found = this.all.find((one) => one.id === id)
    if (found?.kind !== 'line' || !isAbsolute(found.path)) return undefined
    return { source: new Source(basename(found.path), found.path), line: found.line }
  }
}

/** A breakpoint on a line of a file. */
export const onLine =
  (
    path: string,
    line: number,
    { condition, hitCondition, logMessage: log }: Partial<DebugProtocol.SourceBreakpoint> = {},
  ): NewBreakpoint =>
  (id) => ({ id, kind: 'line', path, line, ...given({ condition, hitCondition, log }) })

/** A breakpoint on the begin of a function. */
export const onFunction =
  ({ name, condition, hitCondition }: DebugProtocol.FunctionBreakpoint): NewBreakpoint =>
  (id) => ({ id, kind: 'function', name, ...given({ condition, hitCondition }) })

/** The breakpoints of a filter; one for each event that the condition names. */
export function onException(filter: string, condition = ''): readonly NewBreakpoint[] {
  if (filter !== 'events')
    return [(id) => ({ id, kind: 'revert', which: filter === 'all' ? 'all' : 'uncaught' })]
  const names = condition.split(/[\s,]+/).filter((name) => name !== '')
  if (names.length === 0) return [(id) => ({ id, kind: 'event' })]
  return names.map((name) => (id) => ({ id, kind: 'event', name }))
}

const storedPlace = z.object({ address: z.string(), slot: z.string(), offset: z.int(), bytes: z.int() })

/** A breakpoint on changes of a variable. `dataId` is of `dataIdOf`. */
export const onWrite = ({ dataId, condition, hitCondition }: DebugProtocol.DataBreakpoint): NewBreakpoint => {
  const stored = storedPlace.parse(JSON.parse(dataId))
  return (id) => ({ id, kind: 'write', stored, ...given({ condition, hitCondition }) })
}

/** The id of a variable in the storage for breakpoints on its changes. */
export const dataIdOf = (stored: DebugVariable['stored']): string | null =>
  stored === undefined ? null : JSON.stringify(stored)

/** Texts without those that are absent or empty. */
const given = <Key extends string>(texts: Readonly<Record<Key, string | undefined>>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== ''))
