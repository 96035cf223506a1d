/** What the adapter can do, for editors. */

import type { DebugProtocol } from '@vscode/debugprotocol'

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
