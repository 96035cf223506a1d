/**
 * The adapter's capabilities, its settings from launch.json, and tables of editor requests by command. The protocol's schema
 * defines their arguments, but the library does not check them.
 */

import type { DebugProtocol } from '@vscode/debugprotocol'
import * as z from 'zod'
import { refuseRequest } from '../../../base/errors.ts'
import { attachSettings } from '../params.ts'

/** Sets the protocol's default of `pathFormat`, because the library refuses to initialize without it. */
export function withPathFormat(request: DebugProtocol.Request): DebugProtocol.Request {
  const args: unknown = request.arguments
  if (request.command !== 'initialize') return request
  return { ...request, arguments: { pathFormat: 'path', ...(typeof args === 'object' ? args : {}) } }
}

/** Turns a request's arguments into the body of its response. */
export type EditorRequestHandler = { answer(args: unknown): unknown }['answer']

/** The requests that a part of the adapter answers. */
export type EditorRequests = Readonly<Record<string, EditorRequestHandler>>

/** Converts line and column numbers between the editor's counting and counting from 1. */
export interface Counting {
  readonly line: (line: number) => number
  readonly column: (column: number) => number
  /** The editor's line, counted from 1. */
  readonly lineOf: (line: number) => number
}

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

const settings = z.looseObject({
  url: z
    .url({ protocol: /^https?$/, error: 'expected the URL of a node, such as http://127.0.0.1:4444' })
    .optional(),
  report: z.string().optional(),
  projectRoot: z.string().optional(),
  transaction: z
    .string()
    .regex(/^0x[\da-f]{64}$/i, 'expected the hash of a transaction')
    .optional(),
  failure: z
    .union([z.literal('last'), z.int().positive()], 'expected "last" or the id of a failure')
    .optional(),
  call: z.record(z.string(), z.unknown()).optional(),
  block: z.unknown().optional(),
  stopOnEntry: z.boolean().optional(),
  pauseOn: attachSettings.shape.pauseOn.unwrap().optional(),
})

export type SessionSettings = z.output<typeof settings>

/** Reads the settings. @throws NodeError 'invalidOption' naming the setting */
export function readSettings(args: unknown): SessionSettings {
  const { data, error } = settings.safeParse(args ?? {})
  const [issue] = error?.issues ?? []
  return data ?? refuseRequest(`${issue?.path.join('.') || 'settings'}: ${issue?.message ?? 'invalid'}`)
}

export const urlOf = (
  { url }: SessionSettings,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined => url ?? (env['DEV_NODE_URL'] || undefined)

/** The execution to record: a mined transaction, a kept failure, or a call on the state after a block. */
export type LaunchTarget = Pick<SessionSettings, 'transaction' | 'failure' | 'call' | 'block'>

/** What a launch debugs. @throws NodeError 'invalidOption' unless it is one thing */
export function targetOf({ transaction, failure, call, block }: SessionSettings): LaunchTarget {
  const targets = [transaction, failure, call].filter((target) => target !== undefined)
  if (targets.length !== 1) refuseRequest('launch: name one of transaction, failure and call')
  const target = { transaction, failure, call, block }
  return Object.fromEntries(Object.entries(target).filter(([, value]) => value !== undefined))
}
