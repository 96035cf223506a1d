/** Schemas of trace options and of params for flat traces. Letter case of the names of options and unknown options are ignored (node-chain 2.4); the error texts of flat traces are those of the reference (node-chain 3.1). */

import * as z from 'zod'
import type { Overrides } from '../chain/simulation/overrides.ts'
import { TRACERS } from '../insight/trace/tracer.ts'
import type { TraceOptions, TracerName } from '../insight/trace/tracer.ts'
import { blockOverrides } from './simulation.ts'
import { optional, index, address, quantity64 } from './wire.ts'
import { stateOverride } from './requests.ts'
import type { Address } from '../base/hex.ts'
import type { BlockRef } from '../chain/miner/block-resolver.ts'
import { simpleBlockRef } from './block-ref.ts'

/** A tracer that a name can choose. */
type NamedTracer = Exclude<TracerName, 'structLogs'>

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that is declared for the documents only; `readOptions` reads and checks it. */
const member = z.unknown().optional()

const object = z.looseObject(
  {
    tracer: member,
    tracerConfig: member,
    disableMemory: member,
    disableStack: member,
    disableStorage: member,
    disableCode: member,
    enableMemory: member,
    enableReturnData: member,
    limit: member,
    onlyTopCall: member,
    withLog: member,
    diffMode: member,
    includeEmpty: member,
    includePrecompiles: member,
  },
  { error: 'expected an object of trace options' },
)

/** Context for reading options. */
interface OptionsContext {
  /** Tracers by their names on this network. */
  readonly tracers: ReadonlyMap<string, NamedTracer>
  /** Reports an invalid option. */
  readonly refuse: (path: readonly string[], message: string) => void
}

/** Trace options on a network whose name for `nodeTracer` is this. */
export function traceOptionsWith(nodeTracer: string): z.ZodType<TraceOptions> {
  const tracers = new Map(TRACERS.map((name) => [name === 'nodeTracer' ? nodeTracer : name, name]))
  const tracer = member.meta({ examples: [...tracers.keys()] })
  return object.safeExtend({ tracer }).transform((given, context) => {
    const refusals: string[] = []
    const refuse: OptionsContext['refuse'] = (path, message) => {
      refusals.push(message)
      context.addIssue({ code: 'custom', message, path: [...path] })
    }
    const options = readOptions(given, [], { tracers, refuse })
    return refusals.length > 0 ? z.NEVER : options
  })
}

/** Trace options with the default names of tracers. */
export const traceOptions = traceOptionsWith('nodeTracer')

/** The default options of a trace. */
export const PLAIN_TRACE: TraceOptions = traceOptions.parse({}, { jitless: true })

const overrides = z.object({
  stateOverrides: optional(stateOverride),
  blockOverrides: optional(blockOverrides),
})

/** Trace options of a call, with state and block overrides. */
export const callTraceOptionsOf = (options: z.ZodType<TraceOptions>): z.ZodType<TraceOptions & Overrides> =>
  z.intersection(options, overrides)

/** Trace options of a call with the default names of tracers. */
export const callTraceOptions = callTraceOptionsOf(traceOptions)

function readOptions(given: object, path: readonly string[], context: OptionsContext): TraceOptions {
  const { refuse } = context
  const members = membersOf(given)
  const tracer = readTracer(members.get('tracer') ?? undefined, path, context)
  const config = members.get('tracerconfig') ?? {}
  if (!isObject(config)) refuse([...path, 'tracerConfig'], 'expected an object')
  const inner = isObject(config) ? config : {}
  const all = tracer === 'muxTracer' ? members : new Map([...members, ...membersOf(inner)])
  const flag = (name: string, otherwise = false) =>
    readFlag(all.get(name.toLowerCase()), otherwise, () => refuse([...path, name], 'expected true or false'))
  return {
    tracer,
    config: {
      disableMemory: flag('disableMemory') || !flag('enableMemory', true),
      disableStack: flag('disableStack'),
      disableStorage: flag('disableStorage'),
      disableCode: flag('disableCode'),
      enableReturnData: flag('enableReturnData'),
      limit: readLimit(all.get('limit'), () => refuse([...path, 'limit'], 'expected a number of steps')),
      onlyTopCall: flag('onlyTopCall'),
      withLog: flag('withLog'),
      diffMode: flag('diffMode'),
      includeEmpty: flag('includeEmpty'),
      includePrecompiles: flag('includePrecompiles'),
      mux: tracer === 'muxTracer' ? readMux(inner, path, context) : [],
    },
  }
}

/** Members by their names in lower case; null means absent. */
function membersOf(given: object): ReadonlyMap<string, unknown> {
  const entries: [string, unknown][] = Object.entries(given)
  return new Map(entries.flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]])))
}

function readTracer(name: unknown, path: readonly string[], { tracers, refuse }: OptionsContext): TracerName {
  if (name === undefined || name === '') return 'structLogs'
  const known = typeof name === 'string' ? tracerNamed(name, tracers) : undefined
  if (known === undefined)
    refuse([...path, 'tracer'], `expected one of the tracers ${[...tracers.keys()].join(', ')}`)
  return known ?? 'structLogs'
}

const tracerNamed = (name: string, tracers: OptionsContext['tracers']): NamedTracer | undefined =>
  [...tracers].find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]

/** Reads a flag, given as a boolean or as text, as in the reference node (node-chain 2.4). */
function readFlag(value: unknown, otherwise: boolean, refuse: () => void): boolean {
  if (value === undefined) return otherwise
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : undefined
  if (text !== 'true' && text !== 'false') refuse()
  return text === 'true'
}

/** Reads a limit; zero means no limit, as in geth. */
function readLimit(value: unknown, refuse: () => void): number | undefined {
  if (value === undefined) return undefined
  const parsed = index.safeParse(value)
  if (!parsed.success) refuse()
  return parsed.data === 0 ? undefined : parsed.data
}

/** The tracers of a `muxTracer`: name and config. Tracers that write during the execution cannot share one result. */
function readMux(config: object, path: readonly string[], context: OptionsContext): readonly TraceOptions[] {
  const entries: [string, unknown][] = Object.entries(config)
  return entries.flatMap(([name, tracerConfig]) => {
    const at = [...path, 'tracerConfig', name]
    const tracer = tracerNamed(name, context.tracers)
    if (tracer === undefined || tracer === 'muxTracer' || tracer === 'nodeTracer') {
      context.refuse(at, `expected one of the tracers ${MUXED.join(', ')}`)
      return []
    }
    return [readOptions({ tracer, tracerConfig }, at, context)]
  })
}

const MUXED = TRACERS.filter((name) => name !== 'muxTracer' && name !== 'nodeTracer')

/** Maximum number of items in a result, and of items to skip. */
const MAX_TRACES = 10_000

/** Characters of an invalid block that the message shows. */
const MAX_SHOWN = 80

/** A block by number, tag or hash. */
export const tracedBlock: z.ZodType<BlockRef> = z.unknown().transform((given, context) => {
  const parsed = simpleBlockRef.safeParse(given)
  if (parsed.success) return parsed.data
  const shown = typeof given === 'string' ? ` ${given.slice(0, MAX_SHOWN)}` : ''
  context.addIssue(`invalid blocknumber${shown}`)
  return z.NEVER
})

/** A filter for traces: blocks, senders, receivers, and the range of traces to return. */
export interface TraceFilter {
  readonly fromBlock?: BlockRef | undefined
  readonly toBlock?: BlockRef | undefined
  /** Senders of transactions. */
  readonly fromAddress?: readonly Address[] | undefined
  /** Receivers of transactions. */
  readonly toAddress?: readonly Address[] | undefined
  /** Number of traces to skip. */
  readonly after: number
  readonly count: number
}

const INVALID = 'Invalid trace_filter parameters'

const addresses = z.array(address, { error: 'expected an array of addresses' })

/** A JSON number, which can be negative, or a quantity. */
const integer = z.union([z.int(), quantity64.transform(Number)], { error: 'expected a number' })

const upTo = (what: string) =>
  integer
    .refine((value) => value >= 0, { error: `${what} value cannot be negative` })
    .refine((value) => value <= MAX_TRACES, {
      error: `${what} value too big. Maximum ${MAX_TRACES} traces allowed`,
    })

export const traceFilter: z.ZodType<TraceFilter> = z
  .strictObject(
    {
      fromBlock: optional(simpleBlockRef),
      toBlock: optional(simpleBlockRef),
      fromAddress: optional(addresses),
      toAddress: optional(addresses),
      after: optional(upTo('After')),
      count: optional(upTo('Count')),
    },
    { error: INVALID },
  )
  .transform(({ after = 0, count = MAX_TRACES, ...rest }) => ({ ...rest, after, count }))

const NO_POSITION = "'positions' cannot be null or empty"

/** The one position of an item in its transaction, as a list. */
export const tracePosition: z.ZodType<number> = z
  .array(index, { error: NO_POSITION })
  .min(1, { error: NO_POSITION })
  .max(1, { error: "'positions' accepts only one index" })
  .transform(([position = 0]) => position)
