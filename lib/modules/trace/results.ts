/** Schemas of traces, for documents and tests. The node does not validate its traces with them. */

import * as z from 'zod'
import { addressText, count, dataText, hashText, quantityText, text } from '../../schema/results.ts'

const words = z.record(z.string(), z.string())

/** An instruction, in geth's shape. */
const structLog = z.strictObject({
  pc: count,
  op: text,
  gas: count,
  gasCost: count,
  depth: count,
  stack: z.array(quantityText).optional(),
  memory: z.array(text).optional(),
  returnData: dataText.optional(),
  storage: words.optional(),
  refund: count.optional(),
  error: text.optional(),
  reason: dataText.optional(),
})

const structTrace = z.strictObject({
  structLogs: z.array(structLog),
  gas: count,
  failed: z.boolean(),
  returnValue: dataText,
})

const nodeLog = z.strictObject({
  op: text.nullable(),
  depth: count,
  pc: count,
  gas: count,
  gasCost: count,
  memory: z.array(text).optional(),
  stack: z.array(text).optional(),
  storage: words.optional(),
})

/** The trace that only the reference node has (node-chain 2.5). */
const nodeTrace = z.strictObject({
  initStorage: words,
  structLogs: z.array(nodeLog),
  contractAddress: text,
  result: text,
  error: text,
  reverted: z.boolean(),
  storageSize: count,
  currentStorage: words,
})

const callLog = z.strictObject({
  address: addressText,
  topics: z.array(hashText),
  data: dataText,
  index: quantityText,
  position: quantityText,
})

const callFrame = z
  .strictObject({
    from: addressText,
    gas: quantityText,
    gasUsed: quantityText,
    to: addressText.optional(),
    input: dataText,
    output: dataText.optional(),
    error: text.optional(),
    revertReason: text.optional(),
    get calls() {
      return z.array(callFrame).optional()
    },
    logs: z.array(callLog).optional(),
    value: quantityText.optional(),
    type: text,
  })
  .meta({ id: 'CallTrace' })

const account = z.strictObject({
  balance: quantityText.optional(),
  nonce: count.optional(),
  code: dataText.optional(),
  storage: z.record(hashText, hashText).optional(),
})

const accounts = z.record(addressText, account)
const accountChanges = z.strictObject({ pre: accounts, post: accounts })
const selectorCounts = z.record(z.string().regex(/^0x[0-9a-f]{8}-\d+$/), count)

const flatAction = z.union([
  z.strictObject({
    callType: z.enum(['call', 'callcode', 'delegatecall', 'staticcall']),
    from: addressText,
    to: addressText,
    gas: quantityText,
    input: dataText,
    value: quantityText,
  }),
  z.strictObject({
    from: addressText,
    gas: quantityText,
    init: dataText,
    creationMethod: z.enum(['create', 'create2']).optional(),
    value: quantityText,
  }),
  z.strictObject({ address: addressText, refundAddress: addressText, balance: quantityText }),
])

const flatResult = z.union([
  z.strictObject({ gasUsed: quantityText, output: dataText }),
  z.strictObject({ gasUsed: quantityText, code: dataText, address: addressText }),
])

export const flatItem = z.strictObject({
  action: flatAction,
  blockHash: hashText,
  blockNumber: count,
  transactionHash: hashText,
  transactionPosition: count,
  type: z.enum(['call', 'create', 'suicide']),
  subtraces: count,
  traceAddress: z.array(count),
  result: flatResult.nullable(),
  error: text.optional(),
})

const flatCall = flatItem.omit({ blockHash: true, blockNumber: true, transactionPosition: true }).extend({
  transactionHash: hashText.optional(),
})

/** Count and gas of instructions by name. */
export const opcodeGasResult = z.strictObject({
  opcodeGas: z.array(z.strictObject({ opcode: text, count, gasUsed: z.int() })),
})

const slotCounts = z.record(hashText, count)

/** A call with what ERC-7562 asks about it. */
const validationFrame = callFrame
  .extend({
    accessedSlots: z.strictObject({
      reads: z.record(hashText, z.array(hashText)),
      writes: slotCounts,
      transientReads: slotCounts,
      transientWrites: slotCounts,
    }),
    extCodeAccessInfo: z.array(addressText),
    usedOpcodes: z.record(quantityText, count),
    contractSize: z.record(addressText, z.strictObject({ contractSize: count, opcode: count })),
    outOfGas: z.boolean(),
    keccak: z.array(dataText).optional(),
    get calls() {
      return z.array(validationFrame).optional()
    },
  })
  .meta({ id: 'ValidationTrace' })

export const traceResult = z.union([
  structTrace,
  nodeTrace,
  validationFrame,
  callFrame,
  opcodeGasResult,
  z.array(flatCall),
  accountChanges,
  accounts,
  selectorCounts,
  z.record(z.string(), z.unknown()),
  // Of tracers in JavaScript.
  z.array(z.unknown()),
  text,
  z.number(),
  z.boolean(),
  z.null(),
])

export const blockTraces = z.array(
  z.strictObject({ txHash: hashText, result: traceResult.optional(), error: text.optional() }),
)
