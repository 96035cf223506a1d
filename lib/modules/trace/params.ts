/**
 * Schemas of trace options and of params for flat traces. The letter case of option names and unknown options are ignored
 * (node-chain 2.4). Error texts of flat traces are the reference's (node-chain 3.1).
 */

import * as z from 'zod'
import { isJsonObject } from '../../base/json-text.ts'
import { shorten } from '../../base/shorten.ts'
import type { Overrides } from '../../chain/simulation/call-transaction.ts'
import { TRACERS, TRACE_FLAGS } from './tracer.ts'
import type { ScriptOptions, TraceOptions, TracerName } from './tracer.ts'
import { blockOverrides } from '../../schema/simulation.ts'
import { optional, index, address, quantity64 } from '../../schema/wire.ts'
import { stateOverride, simpleBlockRef } from '../../schema/requests.ts'
import type { BlockRef } from '../../chain/miner/block-resolver.ts'

/** A tracer that a name can choose. */
type NamedTracer = Exclude<TracerName, 'structLogs'>

/** Members of options, for the documents. `readOptions` reads and checks them. */
const object = z.looseObject(
  Object.fromEntries(
    ['tracer', 'tracerConfig', 'timeout', 'limit', 'enableMemory', 'ignoredOpcodes', ...TRACE_FLAGS].map(
      (name) => [name, z.unknown().optional()],
    ),
  ),
  'expected an object of trace options',
)

type TracersByName = ReadonlyMap<string, NamedTracer>

/** Trace options on a network that uses this name for `nodeTracer`. */
export function traceOptionsWith(nodeTracer: string): z.ZodType<TraceOptions> {
  const tracers = new Map(TRACERS.map((name) => [name === 'nodeTracer' ? nodeTracer : name, name]))
  const tracer = z
    .unknown()
    .optional()
    .meta({ examples: [...tracers.keys()] })
  return object.safeExtend({ tracer }).transform((options, context) => {
    const refuse = (member: string, message: string): void =>
      context.addIssue({ code: 'custom', message, path: pathOf(member, options) })
    return readOptions(options, tracers, refuse)
  })
}

export const traceOptions = traceOptionsWith('nodeTracer')

export const PLAIN_TRACE: TraceOptions = traceOptions.parse({}, { jitless: true })

const overrides = z.object({
  stateOverrides: optional(stateOverride),
  blockOverrides: optional(blockOverrides),
})

/** Trace options of a call, with state and block overrides. */
export const callTraceOptionsOf = (options: z.ZodType<TraceOptions>): z.ZodType<TraceOptions & Overrides> =>
  z.intersection(options, overrides)

export const callTraceOptions = callTraceOptionsOf(traceOptions)

function readOptions(
  options: object,
  tracers: TracersByName,
  refuse: (member: string, message: string) => void,
): TraceOptions {
  const members = membersOf(options)
  const name = members.get('tracer') ?? ''
  const tracer = name === '' ? 'structLogs' : tracerNamed(name, tracers)
  const isScript = tracer === undefined && typeof name === 'string' && !WORD.test(name.trim())
  if (isScript) return { ...PLAIN_TRACE, script: scriptOf(name, members, refuse) }
  if (tracer === undefined) {
    refuse('tracer', `expected one of the tracers ${[...tracers.keys()].join(', ')}, or code in JavaScript`)
  }
  const config = members.get('tracerconfig') ?? {}
  if (!isJsonObject(config)) refuse('tracerConfig', 'expected an object')
  const all = new Map([...members, ...membersOf(isJsonObject(config) ? config : {})])
  const limit = index.safeParse(all.get('limit') ?? 0)
  if (!limit.success) refuse('limit', 'expected a number of steps')
  const opcodes = optional(z.array(index.refine((opcode) => opcode < 256))).safeParse(
    all.get('ignoredopcodes') ?? undefined,
  )
  if (!opcodes.success) refuse('ignoredOpcodes', 'expected a list of opcodes, such as ["0x54"]')
  /** Reads a flag, given as a boolean or as text, as in the reference node (node-chain 2.4). */
  const flag = (option: string, otherwise = false): boolean => {
    const written = all.get(option.toLowerCase()) ?? otherwise
    const value = typeof written === 'string' ? written.toLowerCase() : written
    if (value === true || value === 'true') return true
    if (value !== false && value !== 'false') refuse(option, 'expected true or false')
    return false
  }
  const saysMemory = all.has('disablememory') || all.has('enablememory')
  return {
    tracer: tracer ?? 'structLogs',
    config: {
      disableMemory: saysMemory ? flag('disableMemory') || !flag('enableMemory', true) : undefined,
      disableStack: flag('disableStack'),
      disableStorage: flag('disableStorage'),
      disableCode: flag('disableCode'),
      enableReturnData: flag('enableReturnData'),
      // Zero means no limit, as in geth.
      limit: limit.data === 0 ? undefined : limit.data,
      onlyTopCall: flag('onlyTopCall'),
      withLog: flag('withLog'),
      diffMode: flag('diffMode'),
      includeEmpty: flag('includeEmpty'),
      includePrecompiles: flag('includePrecompiles'),
      ignoredOpcodes: opcodes.data && new Set(opcodes.data),
    },
  }
}

/** A text that is meant as a tracer's name. */
const WORD = /^\w*$/

/** Maximum characters of a JavaScript tracer. */
const MAX_CODE = 1_000_000

function scriptOf(
  code: string,
  members: ReadonlyMap<string, unknown>,
  refuse: (member: string, message: string) => void,
): ScriptOptions {
  if (code.length > MAX_CODE) refuse('tracer', `code has ${code.length} characters, limit ${MAX_CODE}`)
  const timeout = members.get('timeout')
  const timeoutMs = timeout === undefined ? undefined : durationMs(typeof timeout === 'string' ? timeout : '')
  if (Number.isNaN(timeoutMs)) refuse('timeout', 'expected a duration such as "5s", "1m30s" or "200ms"')
  return { code, config: JSON.stringify(members.get('tracerconfig') ?? {}), timeoutMs }
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a duration in Go's form; NaN for other text. */
function durationMs(text: string): number {
  if (!/^(\d+(\.\d+)?(ms|[smh]))+$/.test(text)) return NaN
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)]
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0)
}

/** Members by their names in lower case; null means absent. */
function membersOf(options: object): ReadonlyMap<string, unknown> {
  const entries: [string, unknown][] = Object.entries(options)
  return new Map(entries.flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]])))
}

/** The path of an option as the request writes it. Options in tracerConfig have precedence. */
function pathOf(member: string, options: object): string[] {
  const isMember = ([name, value]: [string, unknown]): boolean =>
    value !== null && name.toLowerCase() === member.toLowerCase()
  const entries: [string, unknown][] = Object.entries(options)
  const [config = '', inner] = entries.find(([name]) => name.toLowerCase() === 'tracerconfig') ?? []
  const own = isJsonObject(inner) ? Object.entries(inner).findLast(isMember)?.[0] : undefined
  return own === undefined ? [entries.findLast(isMember)?.[0] ?? member] : [config, own]
}

const tracerNamed = (name: unknown, tracers: TracersByName): NamedTracer | undefined =>
  [...tracers].find(([known]) => typeof name === 'string' && known.toLowerCase() === name.toLowerCase())?.[1]

/** A block by number, tag or hash. */
export const tracedBlock: z.ZodType<BlockRef> = z.unknown().transform((written, context) => {
  const parsed = simpleBlockRef.safeParse(written)
  if (parsed.success) return parsed.data
  context.addIssue('invalid blocknumber')
  return z.NEVER
})

const addresses = optional(z.array(address, 'expected an array of addresses'))

/** A JSON number, which can be negative, or a quantity. */
const integer = z.union([z.int(), quantity64.transform(Number)], 'expected a number')

const positive = (what: string) => integer.refine((value) => value >= 0, `${what} value cannot be negative`)

export const traceFilter = z
  .strictObject(
    {
      fromBlock: optional(simpleBlockRef),
      toBlock: optional(simpleBlockRef),
      /** Senders. An empty list sets no condition. */
      fromAddress: addresses,
      toAddress: addresses,
      /** Whether one of the two lists has to match, or both. */
      mode: optional(z.enum(['union', 'intersection'], 'expected union or intersection')),
      /** Number of traces to skip. */
      after: optional(positive('After')),
      count: optional(positive('Count')),
    },
    {
      error: (issue) =>
        `Invalid trace_filter parameters${issue.code === 'unrecognized_keys' ? `: ${shorten(issue.keys.join(', '))} is unknown` : ''}`,
    },
  )
  .transform(({ fromAddress = [], toAddress = [], after = 0, ...rest }) => ({
    ...rest,
    fromAddress,
    toAddress,
    after,
  }))

/** A filter for traces: blocks, senders, receivers, and the range of traces to return. */
export type TraceFilter = z.output<typeof traceFilter>

const NO_POSITION = "'positions' cannot be null or empty"

/** The one position of an item in its transaction, as a list. */
export const tracePosition: z.ZodType<number> = z
  .array(index, NO_POSITION)
  .min(1, NO_POSITION)
  .max(1, "'positions' accepts only one index")
  .transform(([position = 0]) => position)
