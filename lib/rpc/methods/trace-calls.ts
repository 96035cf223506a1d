/** Methods that run calls and signed transactions, and trace them in Parity's format. */

import * as z from 'zod'
import { jsonText } from '../../base/json-text.ts'
import { callTrace, callsToTrace, traceParts } from '../../schema/parity-traces.ts'
import { blockOverrides } from '../../schema/simulation.ts'
import { data, optional } from '../../schema/wire.ts'
import { param, readMethod } from '../method.ts'
import { RawJson } from '../raw-json.ts'
import { COW1, SENT, TRANSFER } from './examples.ts'
import { EXECUTION_ERRORS, UNMINED_ERRORS, execution, executionBlock, stateOverrides } from './params.ts'

const types = param('types', traceParts, 'Parts of the trace: trace and stateDiff.')

const CALL_ERRORS = [...EXECUTION_ERRORS, 'gasLimitTooHigh', 'unsupportedTransaction'] as const

export const parityCall = readMethod({
  name: 'trace_call',
  summary: "Executes a call in a block and traces it in Parity's format; vmTrace is always null.",
  params: [
    execution,
    types,
    executionBlock,
    stateOverrides,
    param('blockOverrides', optional(blockOverrides), 'Changes to the block for the call, as in geth.'),
  ],
  result: callTrace,
  errors: CALL_ERRORS,
  example: { params: [{ to: COW1 }, ['trace']] },
  *run({ transaction, types: parts, block, overrides: accounts, blockOverrides: changes }, node) {
    const overrides = { stateOverrides: accounts, blockOverrides: changes }
    const sequence = node.blockSimulator.sequence(node.blockResolver.at(block), overrides)
    const request = { execution: transaction, parts }
    return new RawJson(jsonText(yield* node.traceRun(sequence, request, node.startCallTimer())))
  },
})

export const parityCallMany = readMethod({
  name: 'trace_callMany',
  summary:
    "Executes calls in a block, each on the state after the calls before it, and traces them in Parity's format; vmTrace is always null.",
  params: [param('calls', callsToTrace, 'Pairs of a call and the parts of its trace.'), executionBlock],
  result: z.array(callTrace),
  errors: CALL_ERRORS,
  example: {
    params: [[[TRANSFER, ['stateDiff']]], 'latest'],
  },
  *run({ calls, block }, { blockResolver, blockSimulator, startCallTimer, traceRun }) {
    const [sequence, timer] = [blockSimulator.sequence(blockResolver.at(block), {}), startCallTimer()]
    const traces: object[] = []
    for (const [execution, parts] of calls)
      traces.push(yield* traceRun(sequence, { execution, parts }, timer))
    return new RawJson(jsonText(traces))
  },
})

export const parityRawTransaction = readMethod({
  name: 'trace_rawTransaction',
  summary:
    "Executes a signed transaction in a block of its own, as if it were mined, and traces it in Parity's format; vmTrace is always null.",
  params: [
    param('data', data, 'Signed transaction.'),
    types,
    {
      ...executionBlock,
      summary: 'Parent of that block; latest if left out, pending for one after the pool.',
    },
  ],
  result: callTrace,
  errors: UNMINED_ERRORS,
  example: { params: [SENT.raw, ['trace', 'stateDiff']] },
  *run({ data: encoded, types: parts, block }, node) {
    const request = { execution: node.codec.decode(encoded), parts }
    const bundle = node.bundleOn(node.blockResolver.entryAt(block))
    return new RawJson(jsonText(yield* node.traceRun(bundle, request, node.startCallTimer())))
  },
})
