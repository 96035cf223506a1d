/** Schemas of trace options. Letter case of member names and unknown members are ignored (node-chain 2.4). */

import * as z from 'zod'
import type { Overrides } from '../simulation/overrides.ts'
import { TRACERS } from '../trace/tracer.ts'
import type { TraceOptions, TracerName } from '../trace/tracer.ts'
import { blockOverrides } from './block-overrides.ts'
import { optional, index } from './wire.ts'
import { stateOverride } from './requests.ts'

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
