/** Capabilities of the adapter, and tables of the requests of editors, by command. The protocol's schema gives their arguments; the library checks none of them. */

import type { DebugProtocol } from '@vscode/debugprotocol'

/** A request with the protocol's default of `pathFormat`: the library refuses to initialize without it. */
export function withPathFormat(request: DebugProtocol.Request): DebugProtocol.Request {
  const given: unknown = request.arguments
  if (request.command !== 'initialize') return request
  return { ...request, arguments: { pathFormat: 'path', ...(typeof given === 'object' ? given : {}) } }
}

/** Answers the arguments of a request with the body of its response. */
export type EditorRequestHandler = { answer(given: unknown): unknown }['answer']

/** The requests that a part of the adapter answers. */
export type EditorRequests = Readonly<Record<string, EditorRequestHandler>>

/** Numbers of lines and columns, as the editor counts them and from 1. */
export interface Counting {
  readonly line: (line: number) => number
  readonly column: (column: number) => number
  /** The line from 1 of a line of the editor. */
  readonly lineOf: (line: number) => number
}

/** The capabilities of the adapter. */
export const CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsStepInTargetsRequest: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsExceptionFilterOptions: true,
  supportsExceptionInfoRequest: true,
  supportsEvaluateForHovers: true,
  supportsDisassembleRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [
    { filter: 'uncaught', label: 'Failures of a transaction', default: true },
    { filter: 'all', label: 'All failures, also caught ones' },
    {
      filter: 'events',
      label: 'Events',
      supportsCondition: true,
      conditionDescription: 'Names, such as Sold, Shop.Bought; all events if empty',
    },
  ],
}
