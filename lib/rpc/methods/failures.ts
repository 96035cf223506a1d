/** Methods that list and explain failed executions, also those that a revert removed. */

import * as z from 'zod'
import { timeText } from '../../base/host.ts'
import { toQuantity } from '../../base/hex.ts'
import { oncePer } from '../../base/once.ts'
import type { KeptFailure } from '../../insight/explain/failures.ts'
import { explanationObject, failureObject, type FailureResult } from '../../schema/explanation-results.ts'
import { hashText, list } from '../../schema/results.ts'
import { hash, optionalWith, wholeNumber } from '../../schema/wire.ts'
import type { Node } from '../../node/node.ts'
import { invalidParams, param, readMethod } from '../../kernel/method.ts'
import { failureText } from '../outcome-error.ts'
import { SENT } from './params.ts'

/** Default and maximum number of failures in one answer: each of them is executed again. */
const DEFAULT_COUNT = 20
const MAX_COUNT = 100

/** Gas above which the list has a failure without its place in the sources. */
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
  run: async ({ count: wanted }, node) => {
    const { failures: kept, worldId, contractCatalog } = node
    await contractCatalog.refreshUnlessRecent()
    const found = kept.all.filter(({ world }) => worldId === undefined || world === worldId)
    const rows: FailureResult[] = []
    for (const failure of found.slice(0, wanted))
      rows.push({ ...(await rowOf(failure, node)), removedAt: removalOf(failure, node) })
    return rows
  },
})

/** The rows of failures whose function is known; other artifacts may know more. */
const rowsWith = oncePer(
  (_contracts: Node['contractCatalog']['contracts']) => new WeakMap<KeptFailure, FailureResult>(),
)

async function rowOf(failure: KeptFailure, node: Node): Promise<FailureResult> {
  const rows = rowsWith(node.contractCatalog.contracts)
  const known = rows.get(failure)
  if (known !== undefined) return known
  const { id, kind, world, outcome, at } = failure
  const isShort = outcome.gasUsed <= MAX_GAS
  // A failure whose remote does not answer is in the list with what is known.
  const explained = isShort ? await failure.explain().catch(() => undefined) : undefined
  const place = explained?.stack?.find(({ line, hint }) => (line ?? hint) !== undefined)
  const row = {
    id,
    kind,
    hash: failure.mined?.receipt.transaction.hash,
    world: world ?? null,
    time: timeText(at),
    gasUsed: toQuantity(outcome.gasUsed),
    reason: explained?.reason?.message ?? failureText(outcome, node.customErrors.textOf),
    to: explained?.call.to,
    contract: explained?.call.contract,
    function: explained?.call.function,
    arguments: explained?.call.arguments,
    place,
  }
  if (row.function !== undefined) rows.set(failure, row)
  return row
}

/** Time of the revert that removed a failed transaction. */
function removalOf({ mined }: KeptFailure, { failures: kept }: Node): string | undefined {
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
  run: async ({ failure: wanted }, node) => {
    const { failures: kept } = node
    const failure = kept.findNewest(
      ({ id, mined }) => id === wanted || mined?.receipt.transaction.hash === wanted,
    )
    if (failure !== undefined) {
      const explanation = { ...(await failure.explain()), removedAt: removalOf(failure, node) }
      return (await node.loadAddressNames()).named(explanation)
    }
    const at = typeof wanted === 'number' ? undefined : kept.removedAt(wanted)
    if (at === undefined) return null
    throw invalidParams(
      `params[0] (failure): transaction ${wanted} was removed by a revert at ${timeText(at)}`,
    )
  },
})

/** Maximum number of hashes with one beginning. */
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
  run: ({ beginning: digits }, node) => [...hashesWith(digits, node)].slice(0, MAX_FOUND),
})

function hashesWith(digits: string, { chain, failures: kept }: Node): ReadonlySet<string> {
  const mined = [...chain.entriesFrom(0)]
    .reverse()
    .flatMap(({ ownReceipts }) => ownReceipts.map(({ transaction }) => transaction.hash))
  const failed = kept.all.flatMap((one) => one.mined?.receipt.transaction.hash ?? [])
  return new Set([...mined, ...failed, ...kept.removed].filter((one) => one.startsWith(digits)))
}
