/** Traces of the module debug in the reference node's forms (node-chain 2.5 and 2.6), including its defects. */

import { isJsonObject } from '../../../base/json-text.ts'
import { TextStream } from '../../../base/text-stream.ts'
import { converted } from '../../../base/routine.ts'
import type { Receipt } from '../../../chain/block.ts'
import type { ChainEntry } from '../../../chain/chain-entry.ts'
import type { BlockRef } from '../../../chain/miner/block-resolver.ts'
import { NEUTRAL_NAMES, filled } from '../../../config/names.ts'
import type { FaithfulChain } from './scope.ts'
import { simpleBlockRef } from '../../../schema/requests.ts'
import { hash } from '../../../schema/wire.ts'
import type { FaithfulCall } from './results.ts'
import { serverError } from './values.ts'

/** The tracer that the options select; the reference's own is the default. */
function tracerOf(options: unknown): 'own' | 'calls' {
  const given = isJsonObject(options) ? Object.entries(options) : []
  const [, tracer] = given.find(([name]) => name.toLowerCase() === 'tracer') ?? []
  if (tracer === undefined || tracer === null) return 'own'
  if (typeof tracer === 'string' && tracer.toLowerCase() === 'calltracer') return 'calls'
  throw serverError()
}

/** Traces with another tracer than this node's default, and converts each transaction. */
function traced(
  { run, params: [subject, given] }: FaithfulCall,
  receipts: readonly Receipt[],
  runsCode: (receipt: Receipt) => boolean,
): unknown {
  const tracer = tracerOf(given)
  const options = isJsonObject(given) ? given : {}
  const own = { ...options, tracer: filled('{module}Tracer', NEUTRAL_NAMES) }
  const convert = (trace: unknown, receipt: Receipt | undefined): unknown => {
    if (receipt === undefined || !isJsonObject(trace)) return trace
    return tracer === 'own' ? ownTrace(trace, receipt) : callFrame(trace, { runsCode: runsCode(receipt) })
  }
  const each = (trace: unknown): unknown => {
    if (!Array.isArray(trace)) return convert(trace, receipts[0])
    return listOf(trace).map((one, position) => {
      const result = convert(one['result'], receipts[position])
      return tracer === 'own' ? result : { txHash: one['txHash'], result }
    })
  }
  return converted(run([subject, tracer === 'own' ? own : options]), (result) =>
    result instanceof TextStream
      ? new TextStream(async (sink) => {
          const text = await result.collect(MAX_TRACE)
          await sink.write(JSON.stringify(each(JSON.parse(text))))
        })
      : result,
  )
}

/** Maximum number of characters of a trace that is converted. */
const MAX_TRACE = 2 ** 28

export function transaction(call: FaithfulCall, { chain }: FaithfulChain): unknown {
  const mined = chain.receipt(hash.parse(call.params[0]))
  if (mined === undefined && tracerOf(call.params[1]) === 'calls') throw serverError()
  return traced(call, mined === undefined ? [] : [mined.receipt], hasCodeAround(mined?.entry))
}

/** Whether the receiver of a transaction has code before or after a block. */
const hasCodeAround =
  (entry: ChainEntry | undefined) =>
  ({ transaction: { to } }: Receipt): boolean =>
    to !== undefined && [entry, entry?.parent].some((one) => (one?.state.code(to).length ?? 0) > 0)

/** The traces of a block. The genesis has no previous state. */
export function block(call: FaithfulCall, { blockResolver }: FaithfulChain): unknown {
  const ref: BlockRef = simpleBlockRef.parse(call.params[0])
  const found = blockResolver.entry(ref)
  if (found?.block.header.number === 0n && tracerOf(call.params[1]) === 'own') throw serverError()
  return traced(call, found?.block.receipts ?? [], hasCodeAround(found))
}

type TraceObject = Record<string, unknown>

export const listOf = (value: unknown): readonly TraceObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

const word = (value: string): string => value.replace(/^0x/, '').padStart(64, '0')

/** The trace of instructions. Without instructions it shows the transfer instead. */
export function ownTrace(trace: TraceObject, { transaction: { sender, to, value, data } }: Receipt): unknown {
  const logs = listOf(trace['structLogs'])
  const { initStorage, contractAddress, result, error, reverted, storageSize, currentStorage } = trace
  if (logs.length > 0) {
    const shown = withReferenceCosts(withoutCreations(logs))
    const structLogs = shown.map((entry) =>
      'storage' in entry && entry['depth'] === 0
        ? { ...entry, storage: known(initStorage, entry['storage']) }
        : entry,
    )
    const ended = { result, error, reverted, storageSize, currentStorage: known(currentStorage, {}) }
    return { contractAddress, initStorage, structLogs, ...ended }
  }
  const transfer = {
    ownerAddress: word(to ?? ''),
    callerAddress: word(sender),
    gas: 0,
    callValue: word(value.toString(16)),
    msgData: data.length === 0 ? null : Buffer.from(data).toString('base64'),
  }
  const ended = { subtraces: [], result: null, error: null, reverted: false }
  return { programInvoke: null, transferInvoke: transfer, ...ended }
}

/** All nonzero slots of the contract, as an instruction sees them. */
function known(initial: unknown, touched: unknown): TraceObject {
  const slots = Object.entries({ ...asObject(initial), ...asObject(touched) })
  return Object.fromEntries(slots.filter(([, value]) => !/^0*$/.test(String(value))))
}

const asObject = (value: unknown): TraceObject => (isJsonObject(value) ? value : {})

const depthOf = (entry: TraceObject | undefined): number => Number(entry?.['depth'] ?? -1)

/** Leaves out the instructions of contracts that the code creates. */
function withoutCreations(logs: readonly TraceObject[]): readonly TraceObject[] {
  let hiddenBelow = Infinity
  return logs.filter((entry) => {
    if (depthOf(entry) > hiddenBelow) return false
    hiddenBelow = String(entry['op']).startsWith('CREATE') ? depthOf(entry) : Infinity
    return true
  })
}

/** A call's cost appears at the last instruction of the called code, because that is the last in the list when the call ends. */
function withReferenceCosts(logs: readonly TraceObject[]): readonly TraceObject[] {
  const entries = logs.map((entry) => ({ ...entry }))
  const open: { readonly depth: number; readonly cost: unknown }[] = []
  entries.forEach((entry, position) => {
    const next = entries[position + 1]
    if (depthOf(next) > depthOf(entry)) {
      open.push({ depth: depthOf(entry), cost: entry['gasCost'] })
      Object.assign(entry, { gasCost: 0 })
    }
    while (open.length > 0 && depthOf(next) <= (open.at(-1)?.depth ?? Infinity))
      Object.assign(entry, { gasCost: open.pop()?.cost })
  })
  return entries
}

/** A number without leading zeros. */
const asNumber = (bytes: unknown): string => {
  const digits = typeof bytes === 'string' ? bytes.replace(/^0x0*/, '') : ''
  return `0x${digits === '' ? '0' : digits}`
}

/** A frame of the call tracer. `outermost` says whether the outermost frame runs code. */
export function callFrame(frame: TraceObject, outermost?: { readonly runsCode: boolean }): TraceObject {
  const { type, from, to, value, gas, gasUsed, input, output, error, revertReason, calls, logs } = frame
  if (type === 'SELFDESTRUCT') return { type: 'NONE', from }
  const isCreation = String(type).startsWith('CREATE')
  const inner = listOf(calls).map((one) => callFrame(one))
  const isRun = isCreation || outermost === undefined || outermost.runsCode
  return withoutAbsent({
    type: isCreation ? 'CREATE' : type,
    from,
    to: isCreation ? undefined : to,
    value: value ?? '0x0',
    gas: isRun ? gas : '0x0',
    gasUsed,
    input,
    output: isCreation && error === undefined ? to : asNumber(outermost === undefined ? output : '0x'),
    error,
    revertReason: outermost === undefined ? revertReason : undefined,
    calls: inner.length > 0 ? inner : undefined,
    logs,
  })
}

const withoutAbsent = (members: TraceObject): TraceObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
