/** Tools that list and explain failed executions of the last test run or of a running node. */

import { Chalk } from 'chalk'
import * as z from 'zod'
import { refuseRequest } from '../../base/errors.ts'
import { groupAlike } from '../../schema/alike-failures.ts'
import type { ExplanationResult } from '../../schema/explanation-results.ts'
import { newestFailures, namesInFailures, ofFailure, ofHash } from '../explain-command.ts'
import { explanationLines, failureLines } from '../explanation-lines.ts'
import { firstLines, tool, type Agent } from './tool.ts'

/** An agent reads no colours. */
const PLAIN = new Chalk({ level: 0 })

/** Number of lines of a short explanation. */
const SHORT = 30

export const full = z.boolean().default(false).describe('Whether the answer is not cut.')

export const shortened = (explanation: ExplanationResult, isFull: boolean): readonly string[] =>
  firstLines(explanationLines(explanation, PLAIN), isFull ? Infinity : SHORT, 'ask with full: true')

export const failure = z.int().positive().optional().describe('Id of a failure; the newest if left out.')

const failures = tool('failures', {
  description:
    'The failed tests of the last run, or the failed executions of a running node: reason, line of Solidity and id of each.',
  input: z.strictObject({
    count: z.int().min(1).max(100).default(10),
    all: z.boolean().default(false).describe('Also those that tests expected.'),
  }),
  run: async ({ count, all }, agent) => {
    const node = await agent.withFailure(undefined)
    const found = await newestFailures(node, count, all)
    const names = await namesInFailures(found, node)
    const lines = groupAlike(found).flatMap((alike) => [
      ...failureLines(alike, { names, paint: PLAIN }, `failure ${alike[0].id}`),
      '',
    ])
    return [found.length === 0 ? `${node.name} keeps no failure` : `Failures of ${node.name}:`, '', ...lines]
  },
})

const explain = tool('explain', {
  description:
    'What a failed or mined execution did: reason of the failure, its lines of Solidity, calls with arguments and results, events, changes of storage by variable, balances and tokens.',
  input: z.strictObject({
    failure,
    transaction: z
      .string()
      .regex(/^0x[\da-f]{1,64}$/i, 'expected a hash, or its first digits')
      .optional()
      .describe('Hash of a transaction of the running node, in place of a failure.'),
    full,
  }),
  run: async ({ failure: id, transaction, full: isFull }, agent) => {
    if (transaction === undefined) return explainedFailure(id, agent, isFull)
    const found = await ofHash(transaction, await agent.chain())
    return typeof found === 'string' ? refuseRequest(found) : shortened(found, isFull)
  },
})

/** @throws NodeError 'invalidOption' if it is not kept */
export async function explainedFailure(
  id: number | undefined,
  agent: Agent,
  isFull: boolean,
): Promise<readonly string[]> {
  const found = await ofFailure(id, await agent.withFailure(id))
  return typeof found === 'string' ? refuseRequest(found) : shortened(found, isFull)
}

export const failureTools = [failures, explain]
