/** Runs `dev-node explain`: asks a running node to explain a transaction, and prints the explanation. */

import { writeFile } from 'node:fs/promises'
import { Chalk } from 'chalk'
import * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import { reasonOf } from '../base/system-errors.ts'
import { explanationObject } from '../schema/explanation-results.ts'
import { gasProfileObject } from '../schema/gas-results.ts'
import type { CommandResult } from './flags.ts'
import type { ExplainCommand } from './command-flags.ts'
import { explanationLines } from './explanation-lines.ts'
import { flameGraph } from './flame-graph.ts'

/** Exit code if the node does not know the transaction. */
const UNKNOWN = 1

/** Runs the command; with colours on a terminal. @throws NodeError 'invalidOption' if the node cannot be asked */
export async function runExplainCommand(
  { hash, url, isJson, flame }: ExplainCommand,
  { isTTY }: { readonly isTTY: boolean },
): Promise<CommandResult> {
  const explanation = await ask(url, 'dev_explainTransaction', hash, explanationObject)
  if (explanation === null)
    return { text: `the node at ${url} has no mined transaction ${hash}\n`, code: UNKNOWN }
  if (flame !== undefined) await drawFlameGraph(flame, url, hash)
  if (isJson) return { text: `${JSON.stringify(explanation)}\n`, code: 0 }
  const paint = new Chalk(isTTY ? {} : { level: 0 })
  return { text: `${explanationLines(explanation, paint).join('\n')}\n`, code: 0 }
}

/** Draws the gas of a transaction by call path into a file. @throws NodeError 'invalidOption' if it cannot be written */
async function drawFlameGraph(path: string, url: string, hash: string): Promise<void> {
  const profile = await ask(url, 'dev_profile', hash, gasProfileObject)
  if (profile === null) return
  const { gasUsed, refund, folded } = profile
  const refunded = refund === 0 ? '' : ` after a refund of ${refund}`
  const graph = flameGraph(folded, `transaction ${hash}: ${gasUsed} gas${refunded}`)
  await writeFile(path, graph).catch((cause: unknown) => {
    throw new NodeError('invalidOption', `--flame: cannot write ${path}: ${reasonOf(cause)}`, { cause })
  })
}

const errorResponse = z.object({ error: z.object({ message: z.string() }) })

/** Asks for the result that a schema describes; null if the node has none. @throws NodeError 'invalidOption' */
async function ask<Result>(
  url: string,
  method: string,
  hash: string,
  result: z.ZodType<Result>,
): Promise<Result | null> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [hash] })
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const answered = fetch(url, request).then((response): Promise<unknown> => response.json())
  const answer = await answered.catch((cause: unknown) => {
    throw new NodeError('invalidOption', `no answer from ${url}: ${reasonOf(cause)}`, { cause })
  })
  const read = z.union([z.object({ result: result.nullable() }), errorResponse]).safeParse(answer).data
  if (read === undefined)
    throw new NodeError('invalidOption', `the answer from ${url} is not that of dev-node`)
  if ('error' in read) throw new NodeError('invalidOption', `${url} answers: ${read.error.message}`)
  return read.result
}
