/** Runs `dev-node explain`: asks a running node to explain a transaction, and prints the explanation. */

import { Chalk } from 'chalk'
import { NodeError } from '../base/errors.ts'
import { reasonOf } from '../base/system-errors.ts'
import { explanationResponse } from '../schema/explanation-results.ts'
import type { ExplanationResult } from '../schema/explanation-results.ts'
import type { CommandResult } from './cache-command.ts'
import type { ExplainCommand } from './explain-flags.ts'
import { explanationLines } from './explanation-lines.ts'

/** Exit code if the node does not know the transaction. */
const UNKNOWN = 1

/**
 * Runs the command; with colours on a terminal.
 * @throws NodeError 'invalidOption' if the node cannot be asked
 */
export async function runExplainCommand(
  { hash, url, isJson }: ExplainCommand,
  { isTTY }: { readonly isTTY: boolean },
): Promise<CommandResult> {
  const explanation = await ask(url, hash)
  if (explanation === null)
    return { text: `the node at ${url} has no mined transaction ${hash}\n`, code: UNKNOWN }
  if (isJson) return { text: `${JSON.stringify(explanation)}\n`, code: 0 }
  const paint = new Chalk(isTTY ? {} : { level: 0 })
  return { text: `${explanationLines(explanation, paint).join('\n')}\n`, code: 0 }
}

async function ask(url: string, hash: string): Promise<ExplanationResult | null> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev_explainTransaction', params: [hash] })
  const answer = await post(url, body).catch((cause: unknown) => {
    throw new NodeError('invalidOption', `no answer from ${url}: ${reasonOf(cause)}`, { cause })
  })
  const read = explanationResponse.safeParse(answer).data
  if (read === undefined)
    throw new NodeError('invalidOption', `the answer from ${url} is not that of dev-node`)
  if ('error' in read) throw new NodeError('invalidOption', `${url} answers: ${read.error.message}`)
  return read.result
}

async function post(url: string, body: string): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return answer.json()
}
