/** Traces of the module debug in the forms of the reference node (node-chain 2.5 and 2.6), its defects included. */

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
import { callFrame, listOf, ownTrace } from './reference-form.ts'
import type { FaithfulCall } from './results.ts'
import { serverError } from './values.ts'

/** The tracer that options choose; its own one is the default. */
function tracerOf(options: unknown): 'own' | 'calls' {
  const given = isJsonObject(options) ? Object.entries(options) : []
  const [, tracer] = given.find(([name]) => name.toLowerCase() === 'tracer') ?? []
  if (tracer === undefined || tracer === null) return 'own'
  if (typeof tracer === 'string' && tracer.toLowerCase() === 'calltracer') return 'calls'
  throw serverError()
}

/** Traces with another tracer than the default one of this node, and converts each transaction. */
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

/** The traces of a block. The genesis has no state before it. */
export function block(call: FaithfulCall, { blockResolver }: FaithfulChain): unknown {
  const ref: BlockRef = simpleBlockRef.parse(call.params[0])
  const found = blockResolver.entry(ref)
  if (found?.block.header.number === 0n && tracerOf(call.params[1]) === 'own') throw serverError()
  return traced(call, found?.block.receipts ?? [], hasCodeAround(found))
}
