/** Answers the requests of an editor that set breakpoints. */

import type { DebugProtocol } from '@vscode/debugprotocol'
import type { Breakpoint } from '../schema/debug-params.ts'
import { onException, onFunction, onLine, onWrite } from './breakpoint-set.ts'
import type { BreakpointSet, NewBreakpoint } from './breakpoint-set.ts'
import { placeBreakpoints } from './debugged-execution.ts'
import type { Counting, EditorRequests } from './requests.ts'

/** What the requests need of a debug session. */
interface BreakpointContext {
  readonly url: string
  readonly breakpoints: BreakpointSet
  readonly counting: Counting
  readonly pathOf: (source: DebugProtocol.Source) => string
  /** Called when the breakpoints have changed. */
  readonly changed: (all: readonly Breakpoint[]) => Promise<void>
}

/** The requests that set breakpoints. */
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
        breakpoints.map((one) => onLine(path, counting.lineOf(one.line), one)),
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
      // One for each filter: the first that is not placed, if there is one.
      const breakpoints = made.flatMap(({ length }) => {
        const own = rest.splice(0, length)
        return own.find(({ verified }) => !verified) ?? own.slice(0, 1)
      })
      return { breakpoints }
    },
  }
}

/** Replaces a group of breakpoints. */
async function placed(
  { url, breakpoints, counting, changed }: BreakpointContext,
  group: string,
  made: readonly NewBreakpoint[],
): Promise<DebugProtocol.Breakpoint[]> {
  const own = breakpoints.replace(group, made)
  await changed(breakpoints.all)
  const found = own.length === 0 ? [] : await placeBreakpoints(url, own)
  return found.map(({ id, isPlaced, line, message }) => ({
    id,
    verified: isPlaced,
    ...(line !== undefined && { line: counting.line(line) }),
    ...(message !== undefined && { message }),
  }))
}
