/** Reports of the node: coverage, cross-checks, gas, memory and the newest requests. */

import * as z from 'zod'
import { coverageObject } from '../../schema/report-results.ts'
import { optional, optionalWith, hash } from '../../schema/wire.ts'
import { command } from '../control.ts'
import { method, param } from '../method.ts'
import { MAX_REPORTS } from '../../insight/cross-check/results.ts'
import { crossCheckResults } from '../../schema/report-results.ts'
import { gasProfileObject, gasReportObject } from '../../schema/gas-results.ts'
import { flag, text } from '../../schema/results.ts'
import { SENT } from './examples.ts'
import { usedMemory } from '../../base/process-usage.ts'
import { timeText } from '../../base/host.ts'
import { KEPT_FOR_MS, MAX_KEPT, PAGE_ID } from '../request-history.ts'
import type { KeptRequest } from '../request-history.ts'

const OUTPUTS_EXPECTED = 'expected {lcov, write}'

const outputs = z.strictObject(
  {
    lcov: z.boolean({ error: 'expected a boolean' }).optional(),
    write: z.boolean({ error: 'expected a boolean' }).optional(),
  },
  { error: OUTPUTS_EXPECTED },
)

export const startCoverage = command({
  name: 'dev_startCoverage',
  summary: 'Counts the executions of all chains of the node from now on. Counts that exist stay.',
  example: { params: [], result: null },
  run: (_args, { coverage }) => coverage.start(),
})

export const coverage = method({
  name: 'dev_coverage',
  summary:
    'How often the Solidity sources of the artifacts were executed on all chains of the node: shares by file, and counts in the format of Istanbul.',
  params: [
    param(
      'outputs',
      optional(outputs),
      'lcov: return the text of an lcov.info too; write: write the files of the option coverage now.',
    ),
  ],
  result: coverageObject,
  errors: ['coverageOff', 'coverageFailed'],
  example: { params: [], refusal: 'coverageOff' },
  run: async ({ outputs: { lcov = false, write = false } = {} }, { coverage: counted }) => {
    const report = await counted.report()
    if (write) await counted.write()
    const { istanbul, summary, unknownCodes } = report
    return { summary, unknownCodes, istanbul, ...(lcov ? { lcov: report.lcov } : {}) }
  },
})

export const resetCoverage = command({
  name: 'dev_resetCoverage',
  summary: 'Sets all counts of the coverage to zero.',
  errors: ['coverageOff'],
  example: { after: [{ method: 'dev_startCoverage', params: [] }], params: [], result: null },
  run: (_args, { coverage: counted }) => counted.reset(),
})

export const crossChecks = method({
  name: 'dev_crossChecks',
  summary: `How many blocks and transactions of all chains of the node were run a second time under the option crossCheck, how many blocks differed, and reports of the newest ${MAX_REPORTS} of them, newest first. A report has what is needed to repeat both executions: state before the block, transactions, and both outcomes.`,
  result: crossCheckResults,
  example: { params: [], result: { blocks: 0, transactions: 0, failures: 0, reports: [] } },
  run: (_args, { crossChecks: { blocks, transactions, failures, reports } }) => ({
    blocks,
    transactions,
    failures,
    reports,
  }),
})

const format = z.enum(['json', 'markdown'], { error: 'expected one of json, markdown' })

export const gasReport = method({
  name: 'dev_gasReport',
  summary:
    'Gas of the transactions and calls of all worlds by contract and function: number, least, mean, median, most; null without --gas-report.',
  params: [param('format', optionalWith(format, 'json'), 'json, or markdown for a text.')],
  result: z.union([gasReportObject, text]).nullable(),
  example: { params: [], result: null },
  run: async ({ format: wanted }, { gasRecorder }) => {
    if (gasRecorder === undefined) return null
    return wanted === 'markdown' ? gasRecorder.reportText() : gasRecorder.report()
  },
})

export const resetGasReport = method({
  name: 'dev_resetGasReport',
  summary: 'Begins the gas report anew; false without --gas-report.',
  result: flag,
  access: 'write',
  example: { params: [], result: false },
  run: (_, { gasRecorder }) => {
    gasRecorder?.reset()
    return gasRecorder !== undefined
  },
})

export const profile = method({
  name: 'dev_profile',
  summary:
    'Gas of a mined transaction by line of the sources, and by call path in the form that flame graphs read; null if it is unknown.',
  params: [param('hash', hash, 'Hash of the transaction.')],
  result: gasProfileObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: async ({ hash: wanted }, { chain, loadGasProfiler }) => {
    const mined = chain.receipt(wanted)
    if (mined === undefined) return null
    return (await loadGasProfiler()).transaction(mined.entry, mined.receipt)
  },
})

const count = z.int()

/** Bytes. */
const bytes = z.int()

export const memory = method({
  name: 'dev_memory',
  summary:
    'What this chain holds: blocks, states after blocks that are not dropped yet (--keep-states), pooled transactions and snapshots; the number of worlds; and the bytes of the process.',
  result: z.strictObject({
    /** Canonical blocks. Blocks of a long run that were not read do not count. */
    blocks: count,
    states: count,
    transactions: count,
    snapshots: count,
    worlds: count,
    process: z.strictObject({
      /** Used part of V8's heap; garbage is a part of it. */
      heap: bytes,
      /** Memory outside the heap that its objects hold. */
      external: bytes,
      /** Resident memory of the process. */
      rss: bytes,
    }),
  }),
  example: { params: [] },
  run: (_, { chain, mempool, snapshots, worlds }) => {
    const entries = chain.entriesFrom(0)
    return {
      blocks: entries.length,
      states: entries.filter(({ keptState }) => keptState !== undefined).length,
      transactions: [...mempool.all()].length,
      snapshots: snapshots.count,
      worlds: worlds.all.length,
      process: usedMemory(),
    }
  },
})

const shortText = z.strictObject({
  text,
  /** Characters of the whole text. */
  length: z.int(),
})

const requestObject = z.strictObject({
  /** From 1, in the order in which requests ended. */
  number: z.int(),
  /** When it ended (ISO 8601). */
  time: text,
  method: text,
  /** Id of the world that was called; null for the default chain. */
  world: text.nullable(),
  durationMs: z.number(),
  /** JSON, or its beginning. */
  params: shortText,
  /** JSON, or its beginning. Absent for an error and for a long result. */
  result: shortText.optional(),
  error: z.strictObject({ code: z.int(), message: text }).optional(),
})

const FILTER_EXPECTED = 'expected {after, method, world}'

const filter = z.strictObject(
  {
    after: z.int({ error: 'expected the number of a request' }).min(0).optional(),
    method: z.string({ error: 'expected a method' }).optional(),
    world: z.string({ error: 'expected the id of a world' }).optional(),
  },
  { error: FILTER_EXPECTED },
)

export const requests = method({
  name: 'dev_requests',
  summary: `The newest requests of all chains, oldest first, at most ${MAX_KEPT}. The node keeps them from the first call on, until none comes for ${KEPT_FOR_MS / 60_000} minutes. Passphrases and keys are not shown; requests whose id is a text that begins with ${PAGE_ID} are left out.`,
  params: [
    param(
      'filter',
      optional(filter),
      'after: only requests with a higher number; method: only requests of it; world: only requests to the world with the id.',
    ),
  ],
  result: z.strictObject({
    requests: z.array(requestObject).readonly(),
    /** Number of the newest request, to ask for later ones. */
    last: z.int(),
  }),
  example: { params: [], result: { requests: [], last: 0 } },
  run: ({ filter: { after = 0, method: name, world } = {} }, _, { requestHistory }) => {
    const { requests: kept, last } = requestHistory.since(after)
    const isWanted = (one: KeptRequest): boolean =>
      (name === undefined || one.method === name) && (world === undefined || one.world === world)
    return { requests: kept.filter(isWanted).map(shown), last }
  },
})

const shown = ({ endedAt, world, ...kept }: KeptRequest): z.output<typeof requestObject> => ({
  ...kept,
  time: timeText(endedAt),
  world: world ?? null,
})
