/** Runs `dev-node explain`: asks a running node to explain transactions and failures, and prints the explanation. */

import { writeFile } from 'node:fs/promises'
import { Chalk } from 'chalk'
import * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import { reasonOf } from '../base/system-errors.ts'
import { explanationObject, failureObject } from '../schema/explanation-results.ts'
import type { ExplanationResult, FailureResult } from '../schema/explanation-results.ts'
import { gasProfileObject } from '../schema/gas-results.ts'
import { hashText, list } from '../schema/results.ts'
import type { CommandResult } from './flags.ts'
import type { ExplainCommand } from './command-flags.ts'
import { explanationLines } from './explanation-lines.ts'
import { failureLines } from './failure-lines.ts'
import { flameGraph } from './flame-graph.ts'

/** Exit code if the node does not know the transaction. */
const UNKNOWN = 1

/** Digits of a whole hash, with 0x. */
const HASH_LENGTH = 66

/** An explanation, and the sentence for the user if the node has none. */
interface FoundExplanation {
  readonly explanation: ExplanationResult | null
  readonly unknown: string
}

const DEFAULT_URL = 'http://127.0.0.1:4444/'

/** Runs the command; with colours on a terminal. @throws NodeError 'invalidOption' if the node cannot be asked */
export async function runExplainCommand(
  { subject, isJson, flame, ...given }: ExplainCommand,
  { env, isTTY }: { readonly env: Readonly<Record<string, string | undefined>>; readonly isTTY: boolean },
): Promise<CommandResult> {
  const url = given.url ?? (env['DEV_NODE_URL'] || DEFAULT_URL)
  const paint = new Chalk(isTTY ? {} : { level: 0 })
  const output = (answer: object, lines: readonly string[]): CommandResult => ({
    text: isJson ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`,
    code: 0,
  })
  if ('last' in subject) {
    const failures = await newestFailures(url, subject.last)
    const lines = failures.flatMap((failure) => [
      ...failureLines(failure, paint, `dev-node explain ${failure.id}`),
      '',
    ])
    return output(failures, failures.length === 0 ? ['no execution has failed'] : lines.slice(0, -1))
  }
  const { explanation, unknown } =
    'id' in subject ? await ofFailure(subject.id, url) : await ofHash(subject.hash, url, flame)
  if (explanation === null) return { text: `${unknown}\n`, code: UNKNOWN }
  return output(explanation, explanationLines(explanation, paint))
}

/** The newest failures of a node, newest first. @throws NodeError 'invalidOption' if the node cannot be asked */
export const newestFailures = (url: string, count: number): Promise<readonly FailureResult[]> =>
  ask(url, ['dev_failures', count], list(failureObject))

/** The explanation of a failure by its id; of the newest one without an id. */
async function ofFailure(id: number | undefined, url: string): Promise<FoundExplanation> {
  const [newest] = id === undefined ? await newestFailures(url, 1) : []
  const wanted = id ?? newest?.id
  if (wanted === undefined) return { explanation: null, unknown: `no execution has failed at ${url}` }
  const explanation = await ask(url, ['dev_explainFailure', wanted], explanationObject.nullable())
  return { explanation, unknown: `the node at ${url} keeps no failure ${wanted}` }
}

/** The explanation of a transaction by its hash or the beginning of it. @throws NodeError 'invalidOption' if several begin so */
async function ofHash(given: string, url: string, flame: string | undefined): Promise<FoundExplanation> {
  const hashes =
    given.length === HASH_LENGTH ? [given] : await ask(url, ['dev_findTransactions', given], list(hashText))
  if (hashes.length > 1) {
    throw new NodeError(
      'invalidOption',
      `several transactions begin with ${given}:\n  ${hashes.join('\n  ')}`,
    )
  }
  const unknown = `the node at ${url} has no mined transaction ${given}`
  const [hash] = hashes
  if (hash === undefined) return { explanation: null, unknown }
  const explanation =
    (await ask(url, ['dev_explainTransaction', hash], explanationObject.nullable())) ??
    (await ask(url, ['dev_explainFailure', hash], explanationObject.nullable()))
  if (explanation !== null && flame !== undefined) await drawFlameGraph(flame, url, hash)
  return { explanation, unknown }
}

/** Draws the gas of a transaction by call path into a file. @throws NodeError 'invalidOption' if it cannot be written */
async function drawFlameGraph(path: string, url: string, hash: string): Promise<void> {
  const profile = await ask(url, ['dev_profile', hash], gasProfileObject.nullable())
  if (profile === null) return
  const { gasUsed, refund, folded } = profile
  const refunded = refund === 0 ? '' : ` after a refund of ${refund}`
  const graph = flameGraph(folded, `transaction ${hash}: ${gasUsed} gas${refunded}`)
  await writeFile(path, graph).catch((cause: unknown) => {
    throw new NodeError('invalidOption', `--flame: cannot write ${path}: ${reasonOf(cause)}`, { cause })
  })
}

const errorResponse = z.object({ error: z.object({ message: z.string() }) })

/** Asks for the result that a schema describes. @throws NodeError 'invalidOption' */
async function ask<Result>(
  url: string,
  [method, param]: readonly [string, unknown],
  result: z.ZodType<Result>,
): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [param] })
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const answered = fetch(url, request).then((response): Promise<unknown> => response.json())
  const answer = await answered.catch((cause: unknown) => {
    throw new NodeError('invalidOption', `no answer from ${url}: ${reasonOf(cause)}`, { cause })
  })
  const read = z.union([z.object({ result }), errorResponse]).safeParse(answer).data
  if (read === undefined)
    throw new NodeError('invalidOption', `the answer from ${url} is not that of dev-node`)
  if ('error' in read) throw new NodeError('invalidOption', `${url} answers: ${read.error.message}`)
  return read.result
}
