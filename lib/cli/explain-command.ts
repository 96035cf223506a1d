/** Runs `dev-node explain`: asks a running node to explain transactions and failures, and prints the explanation. */

import { writeFile } from 'node:fs/promises'
import { refuseOption } from '../base/errors.ts'
import { addressesIn } from '../base/named-text.ts'
import { reasonOf } from '../base/system-errors.ts'
import { ask, usualUrl } from '../client/node-client.ts'
import { readWhole } from '../config/values.ts'
import { groupAlike } from '../schema/alike-failures.ts'
import { accountNames, explanationObject, failureObject } from '../schema/explanation-results.ts'
import type { ExplanationResult, FailureResult } from '../schema/explanation-results.ts'
import { gasProfileObject } from '../modules/gas-profile/results.ts'
import { hashText, list } from '../schema/results.ts'
import { paintOn, type CommandResult, type Io } from './io.ts'
import { COMMAND_FLAGS, readFlag, readText, refuseExtra, refuseUnknown } from './command-flags.ts'
import type { CommandLine, Flags } from './command-flags.ts'
import { explanationLines, failureLines } from './explanation-lines.ts'
import { flameGraph } from './flame-graph.ts'

/** Maximum number of addresses whose names are asked for. */
const MAX_NAMED = 1000

/** Accounts of the node keep their names; another contract may be at an address after a revert, or in a world. */
const LASTING_NAME = /^account \d+$/

/** Exit code if the node does not know the transaction. */
const UNKNOWN = 1

/** Digits of a whole hash, with 0x. */
const HASH_LENGTH = 66

/** Runs the command; with colours on a terminal. @throws NodeError 'invalidOption' also if the node cannot be asked */
export async function runExplainCommand(
  { words: [word, extra], flags }: CommandLine,
  io: Pick<Io, 'env' | 'isTTY'>,
): Promise<CommandResult> {
  refuseExtra(extra)
  refuseUnknown(flags, 'explain', COMMAND_FLAGS.explain)
  const { last, json: isJson } = flags
  if (last !== undefined) refuseExtra(word)
  const subject = last === undefined ? readSubject(word) : readLast(flags)
  const flame = readText(flags, 'flame')
  if (flame !== undefined && !('hash' in subject))
    refuseOption('--flame: expected the hash of a transaction with it')
  const given = readFlag(flags, 'url', 'a URL such as http://127.0.0.1:4444/', readUrl)
  const url = given ?? (io.env['DEV_NODE_URL'] || (await usualUrl('name it with --url')))
  const paint = paintOn(io)
  const output = (answer: object, lines: readonly string[]): CommandResult => ({
    text: isJson === true ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`,
    code: 0,
  })
  if ('last' in subject) {
    const failures = await newestFailures(url, subject.last)
    if (isJson === true) return output(failures, [])
    const at = given === undefined ? '' : ` --url ${url}`
    const names = await namesInFailures(failures, url)
    const lines = groupAlike(failures).flatMap((alike) => [
      ...failureLines(alike, { names, paint }, `dev-node explain ${alike[0].id}${at}`),
      '',
    ])
    return output(failures, failures.length === 0 ? ['no execution has failed'] : lines.slice(0, -1))
  }
  const found = 'id' in subject ? await ofFailure(subject.id, url) : await ofHash(subject.hash, url, flame)
  if (typeof found === 'string') return { text: `${found}\n`, code: UNKNOWN }
  return output(found, explanationLines(found, paint))
}

/** A transaction by its hash or the beginning of it, a failure by its id, the newest failure without an id, or a list of the newest. */
type ExplainSubject =
  | { readonly hash: string }
  | { readonly id: number | undefined }
  | { readonly last: number }

function readSubject(word = 'nothing'): ExplainSubject {
  if (/^0x[0-9a-f]{1,64}$/i.test(word)) return { hash: word.toLowerCase() }
  if (/^[1-9]\d{0,14}$/.test(word)) return { id: Number(word) }
  return refuseOption(
    `explain: expected the hash of a transaction, its beginning, the id of a failure, or --last, got ${word}`,
  )
}

/** The node checks the number. */
const readLast = (flags: Flags): ExplainSubject =>
  flags['last'] === true
    ? { id: undefined }
    : { last: Number(readFlag(flags, 'last', 'a whole number', readWhole)) }

const readUrl = (given: string): string | undefined =>
  URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) ? given : undefined

/** The newest failures of a node, newest first. @throws NodeError 'invalidOption' if the node cannot be asked */
export const newestFailures = (url: string, count: number): Promise<readonly FailureResult[]> =>
  ask(url, ['dev_failures', count], list(failureObject))

/** The explanation of a failure by its id or hash; null if the node does not keep it. @throws NodeError 'invalidOption' if the node cannot be asked */
export const explainedFailure = (wanted: number | string, url: string): Promise<ExplanationResult | null> =>
  ask(url, ['dev_explainFailure', wanted], explanationObject.nullable())

/** Names of accounts in failures that no revert changes, by address. @throws NodeError 'invalidOption' if the node cannot be asked */
export async function namesInFailures(
  failures: readonly FailureResult[],
  url: string,
): Promise<Readonly<Record<string, string>>> {
  const addresses = addressesIn(JSON.stringify(failures)).slice(0, MAX_NAMED)
  const { names } = await ask(url, ['dev_nameAddresses', addresses], accountNames)
  return Object.fromEntries(Object.entries(names).filter(([, name]) => LASTING_NAME.test(name)))
}

/** Explains a failure by its id, or the newest failure. Returns a sentence for the user if the node does not keep it. */
async function ofFailure(id: number | undefined, url: string): Promise<ExplanationResult | string> {
  const wanted = id ?? (await newestFailures(url, 1))[0]?.id
  if (wanted === undefined) return `no execution has failed at ${url}`
  return (await explainedFailure(wanted, url)) ?? `the node at ${url} keeps no failure ${wanted}`
}

/** Explains a transaction by its hash or the first digits of its hash, or returns a sentence for the user. @throws NodeError 'invalidOption' if several hashes have these digits */
async function ofHash(
  given: string,
  url: string,
  flame: string | undefined,
): Promise<ExplanationResult | string> {
  const hashes =
    given.length === HASH_LENGTH ? [given] : await ask(url, ['dev_findTransactions', given], list(hashText))
  if (hashes.length > 1) {
    refuseOption(`several transactions begin with ${given}:\n  ${hashes.join('\n  ')}`)
  }
  const [hash] = hashes
  const explanation =
    hash &&
    ((await ask(url, ['dev_explainTransaction', hash], explanationObject.nullable())) ??
      (await explainedFailure(hash, url)))
  if (hash === undefined || !explanation) return `the node at ${url} has no mined transaction ${given}`
  if (flame !== undefined) await drawFlameGraph(flame, url, hash)
  return explanation
}

/** Draws the gas of a transaction by call path into a file. @throws NodeError 'invalidOption' if it cannot be written */
async function drawFlameGraph(path: string, url: string, hash: string): Promise<void> {
  const profile = await ask(url, ['dev_profile', hash], gasProfileObject.nullable())
  if (profile === null) return
  const { gasUsed, refund, folded } = profile
  const refunded = refund === 0 ? '' : ` after a refund of ${refund}`
  const graph = flameGraph(folded, `transaction ${hash}: ${gasUsed} gas${refunded}`)
  await writeFile(path, graph).catch((cause: unknown) =>
    refuseOption(`--flame: cannot write ${path}: ${reasonOf(cause)}`, cause),
  )
}
