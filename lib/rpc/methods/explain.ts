/** Methods that explain executions and failures, even those that a revert removed, and show what a contract contains. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { toQuantity, bytesToBigInt } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import { oncePer } from '../../base/once.ts'
import type { KeptFailure } from '../../insight/explain/failures.ts'
import { param, readMethod } from '../../kernel/method.ts'
import type { AddressNames } from '../../node/address-names.ts'
import type { Node } from '../../node/node.ts'
import {
  explanationObject,
  failureObject,
  storedVariablesObject,
  type FailureResult,
} from '../../schema/explanation-results.ts'
import { sourcesObject, tracedStepsObject } from '../../schema/report-results.ts'
import { hashText, list, text } from '../../schema/results.ts'
import { hash, optionalWith, wholeNumber, address, data, natural, optional } from '../../schema/wire.ts'
import { failureText } from '../failed-executions.ts'
import {
  SENT,
  COW1,
  EXECUTION_ERRORS,
  execution,
  executionBlock,
  ofMined,
  stateBlock,
  stateOverrides,
  transactionHash,
} from './params.ts'

/** A chain whose failures are kept, or a file of failures. */
export type FailingChain = Pick<Node, 'contractCatalog' | 'customErrors' | 'failures' | 'worldId'>

export interface ChainNames {
  readonly loadAddressNames: () => Promise<Pick<AddressNames, 'named'>>
}

export type ExplainedChain = Pick<
  Node,
  'blockResolver' | 'loadAddressNames' | 'loadExplainer' | 'simulator' | 'startCallTimer' | 'withSources'
>

/** Default and maximum number of failures in one answer. Each of them is executed again. */
const DEFAULT_COUNT = 20
const MAX_COUNT = 100

/** Above this gas, the list shows a failure without its source. */
const MAX_GAS = 30_000_000n

const count = wholeNumber(1, MAX_COUNT)

const ID_EXPECTED = 'expected the id of a failure'

const failureId = z.int(ID_EXPECTED).positive(ID_EXPECTED)

export const failures = readMethod({
  name: 'dev_failures',
  summary:
    'The newest failed transactions, calls and estimates of this chain and, on the default chain, of all worlds, newest first. At most 1,000 are kept, also after a revert, which is named in `removedAt`. Calls of eth_simulateV1 are left out.',
  params: [
    param('count', optionalWith(count, DEFAULT_COUNT), `At most ${MAX_COUNT}; ${DEFAULT_COUNT} if left out.`),
  ],
  result: list(failureObject),
  example: { params: [], result: [] },
  run: async ({ count: wanted }, node: FailingChain) => {
    const { failures: kept, worldId, contractCatalog } = node
    await contractCatalog.refreshUnlessRecent()
    const isHere = ({ id, world, outcome, test }: KeptFailure): boolean =>
      (outcome.status !== 'success' || test?.standsFor === id) && (worldId === undefined || world === worldId)
    const chosen = kept.all.filter(isHere)
    const rows: FailureResult[] = []
    for (const failure of chosen.slice(0, wanted))
      rows.push({ ...(await rowOf(failure, node)), removedAt: removalOf(failure, node) })
    return rows
  },
})

/** The rows of failures with a known function. Other artifacts may know more. */
const rowsWith = oncePer(
  (_contracts: Node['contractCatalog']['contracts']) => new WeakMap<KeptFailure, FailureResult>(),
)

/** Replaces the reason, for a test without a failed execution. */
const NO_FAILURE = 'no execution failed: a check of the test did'

async function rowOf(failure: KeptFailure, node: FailingChain): Promise<FailureResult> {
  const rows = rowsWith(node.contractCatalog.contracts)
  const kept = rows.get(failure)
  if (kept !== undefined) return kept
  const { id, kind, world, outcome, at } = failure
  const isShort = outcome.gasUsed <= MAX_GAS
  // If the remote of a failure does not answer, the list shows what is known.
  const explained = isShort ? await failure.explain().catch(() => undefined) : undefined
  const place = explained?.stack?.find(({ line, hint }) => (line ?? hint) !== undefined)
  const row = {
    id,
    kind,
    hash: failure.mined?.receipt.transaction.hash,
    world: world ?? null,
    time: timeText(at),
    gasUsed: toQuantity(outcome.gasUsed),
    reason:
      explained?.reason?.message ??
      (outcome.status === 'success' ? NO_FAILURE : failureText(outcome, node.customErrors.textOf)),
    to: explained?.call.to,
    contract: explained?.call.contract,
    function: explained?.call.function,
    arguments: explained?.call.arguments,
    place,
    test: failure.test?.result,
    executions: failure.test?.executions?.slice(),
  }
  if (row.function !== undefined) rows.set(failure, row)
  return row
}

/** Time of the revert that removed a failed transaction. */
function removalOf({ mined }: KeptFailure, { failures: kept }: FailingChain): string | undefined {
  const at = mined && kept.removalOf(mined.entry)
  return at === undefined ? undefined : timeText(at)
}

export const explainFailure = readMethod({
  name: 'dev_explainFailure',
  summary:
    'What a failed transaction, call or estimate did, by its id in dev_failures, or a transaction by its hash, also after a revert has removed it: as dev_explainTransaction for a mined transaction; null if it is not kept. For the hash of another removed transaction the error has the time of the revert.',
  params: [
    param(
      'failure',
      z.union([failureId, hash], 'expected the id of a failure or a 32-byte hash'),
      'Id of the failure, or hash of the transaction.',
    ),
  ],
  result: explanationObject.nullable(),
  example: { params: [1], result: null },
  run: async ({ failure: wanted }, node: FailingChain & ChainNames) => {
    const { failures: kept } = node
    const failure = kept.findNewest(
      ({ id, mined }) => id === wanted || mined?.receipt.transaction.hash === wanted,
    )
    if (failure !== undefined) {
      const explanation = { ...(await failure.explain()), removedAt: removalOf(failure, node) }
      // A report contains the names of its time.
      return explanation.names === undefined
        ? (await node.loadAddressNames()).named(explanation)
        : explanation
    }
    const at = typeof wanted === 'number' ? undefined : kept.removedAt(wanted)
    if (at === undefined) return null
    throw invalidParams(
      `params[0] (failure): transaction ${wanted} was removed by a revert at ${timeText(at)}`,
    )
  },
})

/** Maximum number of hashes that share a beginning. */
const MAX_FOUND = 10

const BEGINNING_EXPECTED = 'expected 0x and from 1 to 64 digits'

const beginning = z
  .string(BEGINNING_EXPECTED)
  .regex(/^0x[0-9a-fA-F]{1,64}$/, BEGINNING_EXPECTED)
  .transform((text) => text.toLowerCase())

export const findTransactions = readMethod({
  name: 'dev_findTransactions',
  summary: `Hashes that begin with some digits, newest first, at most ${MAX_FOUND}: of mined transactions of this chain, of kept failures of all chains, and of transactions that a revert removed. On a fork the remote's transactions are left out.`,
  params: [param('beginning', beginning, '0x and the first digits of the hash.')],
  result: list(hashText),
  example: { after: [SENT.step], params: ['0x00'], result: [] },
  run: ({ beginning: digits }, node: Pick<Node, 'chain' | 'failures'>) =>
    [...hashesWith(digits, node)].slice(0, MAX_FOUND),
})

function hashesWith(
  digits: string,
  { chain, failures: kept }: Pick<Node, 'chain' | 'failures'>,
): ReadonlySet<string> {
  const mined = [...chain.entriesFrom(0)]
    .reverse()
    .flatMap(({ ownReceipts }) => ownReceipts.map(({ transaction }) => transaction.hash))
  const failed = kept.all.flatMap((failure) => failure.mined?.receipt.transaction.hash ?? [])
  return new Set([...mined, ...failed, ...kept.removed].filter((text) => text.startsWith(digits)))
}

export const explainTransaction = readMethod({
  name: 'dev_explainTransaction',
  summary:
    'What a mined transaction did, with names from the artifacts: reason of a failure, Solidity stack, calls, events, changes; null if it is unknown.',
  params: [transactionHash],
  result: explanationObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: ofMined(async ({ entry, receipt }, { loadExplainer, loadAddressNames }: ExplainedChain) => {
    const explanation = await (await loadExplainer()).transaction(entry, receipt)
    return (await loadAddressNames()).named(explanation)
  }),
})

export const explainCall = readMethod({
  name: 'dev_explainCall',
  summary: 'What a call does, which is not sent: as dev_explainTransaction for a mined transaction.',
  params: [execution, executionBlock, stateOverrides],
  result: explanationObject,
  errors: EXECUTION_ERRORS,
  example: { params: [{ to: COW1, value: '0x1' }, 'latest'] },
  run: async ({ transaction, block, overrides }, node: ExplainedChain) => {
    const changes = { stateOverrides: overrides }
    const prepare = () => node.simulator.prepare(node.blockResolver.at(block), transaction, changes)
    const explanation = await (await node.loadExplainer()).call(prepare, node.startCallTimer())
    return (await node.loadAddressNames()).named(explanation)
  },
})

/** Maximum and default number of instructions in one answer. */
const MAX_STEPS = 1000
const DEFAULT_STEPS = 100

const stepCount = natural.max(MAX_STEPS, `expected at most ${MAX_STEPS} instructions`)

export const traceSteps = readMethod({
  name: 'dev_traceSteps',
  summary:
    'Some instructions of a mined transaction, each with gas, the upper 64 words of the stack, the first 4,096 bytes of memory if they changed, the slot that it reads or writes, the variables in it, also in transient storage, and its place in the sources; null if the transaction is unknown.',
  params: [
    transactionHash,
    param('from', optionalWith(natural, 0), 'Index of the first instruction; 0 if left out.'),
    param('count', optionalWith(stepCount, DEFAULT_STEPS), 'Instructions: 100 if left out, at most 1000.'),
  ],
  result: tracedStepsObject.nullable(),
  example: {
    after: [SENT.step],
    params: [SENT.hash, 0, 10],
    result: { total: 0, from: 0, touched: [], steps: [] },
  },
  run: ofMined(
    async ({ entry, receipt }, { loadStepReader }: Pick<Node, 'loadStepReader'>, { from, count }) =>
      (await loadStepReader()).steps(entry, receipt, { from, count }),
  ),
})

export const transactionSources = readMethod({
  name: 'dev_transactionSources',
  summary:
    'Sources of the contracts that a mined transaction ran, with the ids that its instructions name; null if it is unknown. Texts beyond 8,000,000 characters are left out.',
  params: [transactionHash],
  result: sourcesObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: [] },
  run: ofMined(async ({ entry, receipt }, { loadStepReader }: Pick<Node, 'loadStepReader'>) =>
    (await loadStepReader()).sources(entry, receipt),
  ),
})

const contract = param('address', address, 'Address of the contract.')

export const contractSources = readMethod({
  name: 'dev_contractSources',
  summary:
    'Sources of the contract at an address, from the artifacts, its own file first; of a proxy or a clone also those of the contract that it runs. Null if none is known. Texts beyond 8,000,000 characters are left out.',
  params: [contract, stateBlock],
  result: sourcesObject.nullable(),
  example: { params: [COW1, 'latest'], result: null },
  run: async ({ address: at, block }, { blockResolver, loadExplainer, withSources }: ExplainedChain) => {
    const { state } = blockResolver.at(block)
    const contracts = await (await loadExplainer()).accountContracts()
    return (await withSources(() => contracts.sources(at, state))) ?? null
  },
})

const MAX_KEYS = 100

const key = data.refine(({ length }) => length <= 32, 'expected at most 32 bytes').transform(bytesToBigInt)

const keyList = z.array(key, 'expected a list of words').max(MAX_KEYS, `expected at most ${MAX_KEYS} keys`)

export const storageVariables = readMethod({
  name: 'dev_storageVariables',
  summary:
    'State variables of the contract at an address with their values, by the layout of its storage, which the AST in the artifacts gives; those of a proxy or a clone by the layout of the contract that it runs. Null if the layout is not known. Mappings do not store their keys: their values are read at given ones. `isWhole` is false if something is left out: there are at most 2,000 values, 100 items of a list and 4,096 bytes of a text, and 1,024 values of mappings are tried.',
  params: [
    contract,
    stateBlock,
    param('keys', optional(keyList), 'At most 100 words to try as keys of mappings. Zeros are left out.'),
  ],
  result: storedVariablesObject.nullable(),
  example: { params: [COW1, 'latest', []], result: null },
  run: async (
    { address: at, block, keys = [] },
    { blockResolver, loadExplainer, withSources }: ExplainedChain,
  ) => {
    const { state } = blockResolver.at(block)
    const contracts = await (await loadExplainer()).accountContracts()
    const result = await withSources(() => contracts.variables(at, state, keys))
    return result === undefined ? null : { variables: result.variables, isWhole: result.isWhole }
  },
})

export const instructions = readMethod({
  name: 'dev_instructions',
  summary:
    'Names of the 256 instructions by opcode under the rules of the chain, null for an undefined one. The data that an instruction pushes follows it in the code.',
  result: list(text.nullable()),
  run: (_, { instructionNames }: Pick<Node, 'instructionNames'>) =>
    instructionNames().map((name) => name ?? null),
})
