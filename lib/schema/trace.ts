/** Schemas of trace options. Letter case of member names and unknown members are ignored (node-chain 2.4). */

import * as z from 'zod'
import type { Overrides } from '../simulation/overrides.ts'
import { TRACERS } from '../trace/tracer.ts'
import type { TraceOptions, TracerName } from '../trace/tracer.ts'
import { blockOverrides } from './block-overrides.ts'
import { optional } from './optional.ts'
import { stateOverride } from './requests.ts'
import { index } from './wire.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Declared for the documents only; `readOptions` reads the member. */
const member = z.unknown().optional()

const object = z.looseObject(
  {
    tracer: member.meta({ examples: TRACERS }),
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

/** Reports an invalid option. */
type Refuse = (path: readonly string[], message: string) => void

export const traceOptions: z.ZodType<TraceOptions> = object.transform((given, context) => {
  const refusals: string[] = []
  const options = readOptions(given, [], (path, message) => {
    refusals.push(message)
    context.addIssue({ code: 'custom', message, path: [...path] })
  })
  return refusals.length > 0 ? z.NEVER : options
})

/** The default options of a trace. */
export const PLAIN_TRACE: TraceOptions = readOptions({}, [], () => undefined)

const overrides = z.object({
  stateOverrides: optional(stateOverride),
  blockOverrides: optional(blockOverrides),
})

/** Trace options of a call, with state and block overrides. */
export const callTraceOptions: z.ZodType<TraceOptions & Overrides> = z.intersection(traceOptions, overrides)

function readOptions(given: object, path: readonly string[], refuse: Refuse): TraceOptions {
  const members = membersOf(given)
  const tracer = readTracer(members.get('tracer') ?? undefined, path, refuse)
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
      mux: tracer === 'muxTracer' ? readMux(inner, path, refuse) : [],
    },
  }
}

/** Members by their names in lower case; null is absent. */
function membersOf(given: object): ReadonlyMap<string, unknown> {
  const entries: [string, unknown][] = Object.entries(given)
  return new Map(entries.flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]])))
}

function readTracer(name: unknown, path: readonly string[], refuse: Refuse): TracerName {
  if (name === undefined || name === '') return 'structLogs'
  const known = typeof name === 'string' ? tracerNamed(name) : undefined
  if (known === undefined) refuse([...path, 'tracer'], `expected one of the tracers ${TRACERS.join(', ')}`)
  return known ?? 'structLogs'
}

const tracerNamed = (name: string) => TRACERS.find((known) => known.toLowerCase() === name.toLowerCase())

/** Reads a flag, also as text, as the reference does (node-chain 2.4). */
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

/** The tracers of a `muxTracer`: name and config. Tracers that write during the execution cannot share an answer. */
function readMux(config: object, path: readonly string[], refuse: Refuse): readonly TraceOptions[] {
  const entries: [string, unknown][] = Object.entries(config)
  return entries.flatMap(([name, tracerConfig]) => {
    const at = [...path, 'tracerConfig', name]
    const tracer = tracerNamed(name)
    if (tracer === undefined || tracer === 'muxTracer' || tracer === 'nodeTracer') {
      refuse(at, `expected one of the tracers ${MUXED.join(', ')}`)
      return []
    }
    return [readOptions({ tracer, tracerConfig }, at, refuse)]
  })
}

const MUXED = TRACERS.filter((name) => name !== 'muxTracer' && name !== 'nodeTracer')
