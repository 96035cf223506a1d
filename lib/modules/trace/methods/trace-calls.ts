/** Methods that run calls and signed transactions, and trace them in Parity's format. */

import * as z from 'zod'
import { jsonText } from '../../../base/json-text.ts'
import { transactionRequest } from '../../../schema/requests.ts'
import { addressText, dataText, hashText, quantityText } from '../../../schema/results.ts'
import { blockOverrides } from '../../../schema/simulation.ts'
import { flatItem } from '../results.ts'
import { data, oneOf, optional } from '../../../schema/wire.ts'
import { param, readMethod } from '../../../kernel/method.ts'
import { RawJson } from '../../../kernel/raw-json.ts'
import {
  COW1,
  SENT,
  TRANSFER,
  EXECUTION_ERRORS,
  UNMINED_ERRORS,
  execution,
} from '../../../rpc/methods/params.ts'
import { executionBlock, stateOverrides } from '../../../rpc/methods/params.ts'
import type { TracedChain } from '../scope.ts'

const PARTS = ['trace', 'stateDiff'] as const
const part = oneOf([...PARTS, 'vmTrace'])
  .refine((kind) => kind !== 'vmTrace', 'vmTrace is not supported; debug_traceCall traces single steps')
  .pipe(z.enum(PARTS))

const traceParts = z.array(part, 'expected an array of trace and stateDiff')

const CALLS_EXPECTED = 'expected an array of at most 1000 calls'

/** Calls, each with the parts of its trace. */
const callsToTrace = z
  .array(
    z.tuple([transactionRequest, traceParts], 'expected a call and an array of trace and stateDiff'),
    CALLS_EXPECTED,
  )
  .max(1000, CALLS_EXPECTED)

const changeOf = (value: z.ZodType<string, string>) =>
  z.union([
    z.literal('='),
    z.strictObject({ '+': value }),
    z.strictObject({ '-': value }),
    z.strictObject({ '*': z.strictObject({ from: value, to: value }) }),
  ])

const accountDiff = z.strictObject({
  balance: changeOf(quantityText),
  code: changeOf(dataText),
  nonce: changeOf(quantityText),
  storage: z.record(hashText, changeOf(hashText)).readonly(),
})

const parityItem = flatItem.pick({
  action: true,
  type: true,
  subtraces: true,
  traceAddress: true,
  result: true,
  error: true,
})

const callTrace = z.strictObject({
  output: dataText,
  stateDiff: z.record(addressText, accountDiff).readonly().nullable(),
  trace: z.array(parityItem).readonly(),
  vmTrace: z.null(),
})

const types = param('types', traceParts, 'Parts of the trace: trace and stateDiff.')

const CALL_ERRORS = [...EXECUTION_ERRORS, 'gasLimitTooHigh', 'unsupportedTransaction'] as const

const parityCall = readMethod({
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
  *run(
    { transaction, types: parts, block, overrides: accounts, blockOverrides: changes },
    node: TracedChain,
  ) {
    const overrides = { stateOverrides: accounts, blockOverrides: changes }
    const sequence = node.blockSimulator.sequence(node.blockResolver.at(block), overrides)
    const request = { execution: transaction, parts }
    return new RawJson(jsonText(yield* node.traceRun(sequence, request, node.startCallTimer())))
  },
})

const parityCallMany = readMethod({
  name: 'trace_callMany',
  summary:
    "Executes calls in a block, each on the state after the calls before it, and traces them in Parity's format; vmTrace is always null.",
  params: [param('calls', callsToTrace, 'Pairs of a call and the parts of its trace.'), executionBlock],
  result: z.array(callTrace),
  errors: CALL_ERRORS,
  example: {
    params: [[[TRANSFER, ['stateDiff']]], 'latest'],
  },
  *run({ calls, block }, { blockResolver, blockSimulator, startCallTimer, traceRun }: TracedChain) {
    const [sequence, timer] = [blockSimulator.sequence(blockResolver.at(block), {}), startCallTimer()]
    const traces: object[] = []
    for (const [execution, parts] of calls)
      traces.push(yield* traceRun(sequence, { execution, parts }, timer))
    return new RawJson(jsonText(traces))
  },
})

const parityRawTransaction = readMethod({
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
  *run({ data: encoded, types: parts, block }, node: TracedChain) {
    const request = { execution: node.codec.decode(encoded), parts }
    const bundle = node.bundleOn(node.blockResolver.entryAt(block))
    return new RawJson(jsonText(yield* node.traceRun(bundle, request, node.startCallTimer())))
  },
})

export const callTraceMethods = [parityCall, parityCallMany, parityRawTransaction]
