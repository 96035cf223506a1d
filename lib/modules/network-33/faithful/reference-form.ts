/** Traces in the forms of the reference node (node-chain 2.5 and 2.6), its defects included, for --faithful. */

import { isJsonObject } from '../../../base/json-text.ts'
import type { Receipt } from '../../../chain/block.ts'

type TraceObject = Record<string, unknown>

export const listOf = (value: unknown): readonly TraceObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

const word = (value: string): string => value.replace(/^0x/, '').padStart(64, '0')

/** The trace of instructions. One without instructions shows the transfer instead. */
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

/** All slots of the contract that are not zero, as far as an instruction sees them. */
function known(initial: unknown, touched: unknown): TraceObject {
  const slots = Object.entries({ ...asObject(initial), ...asObject(touched) })
  return Object.fromEntries(slots.filter(([, value]) => !/^0*$/.test(String(value))))
}

const asObject = (value: unknown): TraceObject => (isJsonObject(value) ? value : {})

const depthOf = (entry: TraceObject | undefined): number => Number(entry?.['depth'] ?? -1)

/** Without the instructions of contracts that the code creates. */
function withoutCreations(logs: readonly TraceObject[]): readonly TraceObject[] {
  let hiddenBelow = Infinity
  return logs.filter((entry) => {
    if (depthOf(entry) > hiddenBelow) return false
    hiddenBelow = String(entry['op']).startsWith('CREATE') ? depthOf(entry) : Infinity
    return true
  })
}

/** The cost of a call stands at the last instruction of what it called, because that is the last of the list when the call ends. */
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

/** A frame of the call tracer; `outermost` says whether that one runs code. */
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
