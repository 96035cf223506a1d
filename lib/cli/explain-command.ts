/** Runs `dev-node explain`: asks a running node to explain transactions and failures, and prints the explanation. */

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { ChalkInstance } from 'chalk'
import { refuseOption } from '../base/errors.ts'
import { addressesIn } from '../base/named-text.ts'
import { reasonOf } from '../base/system-errors.ts'
import { DEFAULT_URLS, firstRunning, nodeAt, usualUrl, type AskedNode } from '../client/node-client.ts'
import { readWhole } from '../config/values.ts'
import { lastRunPath } from '../modules/report/report.ts'
import { gasProfileObject } from '../modules/gas-profile/results.ts'
import { groupAlike } from '../schema/alike-failures.ts'
import {
  accountNames,
  explanationObject,
  failureObject,
  type ExplanationResult,
  type FailureResult,
} from '../schema/explanation-results.ts'
import { hashText, list } from '../schema/results.ts'
import {
  COMMAND_FLAGS,
  readFlag,
  readText,
  readUrl,
  refuseExtra,
  refuseUnknown,
  type CommandLine,
  type Flags,
} from './command-flags.ts'
import { explanationLines, failureLines } from './explanation-lines.ts'
import { paintOn, type CommandResult, type Io } from './io.ts'

/** Maximum number of addresses whose names the command asks for. */
const MAX_NAMED = 1000

/** Accounts of the node keep their names. Other names can change with a revert or a world. */
const LASTING_NAME = /^account \d+$/

/** Exit code if the node does not know the transaction. */
const UNKNOWN = 1

/** Length of a hash with 0x. */
const HASH_LENGTH = 66

/** Runs the command; with colours on a terminal. @throws NodeError 'invalidOption' also if the node cannot be asked */
export async function runExplainCommand(
  { words, flags }: CommandLine,
  io: Pick<Io, 'env' | 'isTTY' | 'stderr'>,
): Promise<CommandResult> {
  const [file, [word, extra]] = isReportFile(words[0]) ? [words[0], words.slice(1)] : [undefined, words]
  refuseExtra(extra)
  refuseUnknown(flags, 'explain', COMMAND_FLAGS.explain)
  const { last, json: isJson } = flags
  if (last !== undefined) refuseExtra(word)
  const isNewest = word === undefined && file !== undefined
  const subject = last !== undefined ? readLast(flags) : isNewest ? { id: undefined } : readSubject(word)
  const flame = readText(flags, 'flame')
  if (flame !== undefined && !('hash' in subject))
    refuseOption('DN-PAIR', '--flame: expected the hash of a transaction with it')
  const node = await askedNode(file, readUrl(flags, io.env), subject)
  // A run of tests and a node that still runs may both have a failure 1.
  if (file === undefined && !('hash' in subject) && existsSync(lastRunPath('.')))
    io.stderr.write(`dev-node: from ${node.name}\n`)
  const output = { isJson: isJson === true, isAll: flags['all'] === true, flame, paint: paintOn(io) }
  return explained(node, subject, output)
}

interface Output {
  readonly isJson: boolean
  /** Whether the list includes failures that tests expected. */
  readonly isAll: boolean
  /** File for the gas by call path. */
  readonly flame: string | undefined
  readonly paint: ChalkInstance
}

async function explained(
  node: AskedNode,
  subject: ExplainSubject,
  { isJson, isAll, flame, paint }: Output,
): Promise<CommandResult> {
  const output = (answer: object, lines: readonly string[]): CommandResult => ({
    text: isJson ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`,
    code: 0,
  })
  if ('last' in subject) {
    const failures = await newestFailures(node, subject.last, isAll)
    if (isJson) return output(failures, [])
    const names = await namesInFailures(failures, node)
    const lines = groupAlike(failures).flatMap((alike) => [
      ...failureLines(alike, { names, paint }, node.commandFor(alike[0].id)),
      '',
    ])
    return output(failures, failures.length === 0 ? ['no execution has failed'] : lines.slice(0, -1))
  }
  const found = 'id' in subject ? await ofFailure(subject.id, node) : await ofHash(subject.hash, node, flame)
  if (typeof found === 'string') return { text: `${found}\n`, code: UNKNOWN }
  return output(found, explanationLines(found, paint))
}

/** Files of failures have this ending. Any other word is a hash or an id. */
export const isReportFile = (word: string | undefined): word is string => word?.endsWith('.dnr') === true

/** What the command asks: a file, a node by its URL, a node on a usual port, or the last run in this folder, which has ended. */
export async function askedNode(
  file: string | undefined,
  url: string | undefined,
  subject: ExplainSubject,
): Promise<AskedNode> {
  const openReport = async (path: string) =>
    (await import('./asked-report.ts')).askedReport(path, file !== undefined)
  if (file !== undefined) return openReport(file)
  if (url !== undefined) return nodeAt(url)
  const lastRun = lastRunPath('.')
  const hasFailures = existsSync(lastRun)
  const advice = `name it with --url${hasFailures ? '' : '; this folder keeps no failed test'}`
  if ('hash' in subject || !hasFailures) return nodeAt(await usualUrl(advice), false)
  const running = await firstRunning(DEFAULT_URLS)
  if (running === undefined) return openReport(lastRun)
  const node = nodeAt(running, false)
  const isKept =
    'id' in subject && subject.id !== undefined
      ? (await explainedFailure(subject.id, node)) !== null
      : (await newestFailures(node, 1)).length > 0
  return isKept ? node : openReport(lastRun)
}

/** A transaction by its hash or the beginning of it, a failure by its id, the newest failure, or a list of the newest. */
type ExplainSubject =
  | { readonly hash: string }
  | { readonly id: number | undefined }
  | { readonly last: number }

function readSubject(word = 'nothing'): ExplainSubject {
  if (/^0x[0-9a-f]{1,64}$/i.test(word)) return { hash: word.toLowerCase() }
  if (/^[1-9]\d{0,14}$/.test(word)) return { id: Number(word) }
  return refuseOption(
    'DN-VALUE',
    `explain: expected the hash of a transaction, its beginning, the id of a failure, or --last, got ${word}`,
  )
}

/** The node checks the number. */
const readLast = (flags: Flags): ExplainSubject =>
  flags['last'] === true
    ? { id: undefined }
    : { last: Number(readFlag(flags, 'last', 'a whole number', readWhole)) }

/** Failures that are read in the search for those of failed tests. */
const MAX_READ = 100

/**
 * The newest failures of a node, newest first. If a runner has told which tests failed, only the failures that caused them are
 * listed unless all are wanted: the others were expected. @throws NodeError 'invalidOption' if the node cannot be asked
 */
export async function newestFailures(
  node: AskedNode,
  count: number,
  isAll = false,
): Promise<readonly FailureResult[]> {
  const rows = await node.ask(
    ['dev_failures', isAll ? count : Math.max(count, MAX_READ)],
    list(failureObject),
  )
  const ofTests = rows.filter(({ id, test }) => test !== undefined && (test.failure ?? id) === id)
  return (isAll || ofTests.length === 0 ? rows : ofTests).slice(0, count)
}

/** The explanation of a failure by its id or hash; null if the node does not keep it. @throws NodeError 'invalidOption' if the node cannot be asked */
export const explainedFailure = (
  wanted: number | string,
  node: AskedNode,
): Promise<ExplanationResult | null> => node.ask(['dev_explainFailure', wanted], explanationObject.nullable())

/**
 * Names of accounts in failures, by address; only names that no revert changes. @throws NodeError 'invalidOption' if the node
 * cannot be asked
 */
export async function namesInFailures(
  failures: readonly FailureResult[],
  node: AskedNode,
): Promise<Readonly<Record<string, string>>> {
  const addresses = addressesIn(JSON.stringify(failures)).slice(0, MAX_NAMED)
  const { names } = await node.ask(['dev_nameAddresses', addresses], accountNames)
  return Object.fromEntries(Object.entries(names).filter(([, name]) => LASTING_NAME.test(name)))
}

/** Explains a failure by its id, or the newest failure. Returns a sentence for the user if the node does not keep it. */
export async function ofFailure(
  id: number | undefined,
  node: AskedNode,
): Promise<ExplanationResult | string> {
  const wanted = id ?? (await newestFailures(node, 1))[0]?.id
  if (wanted === undefined) return `${node.name} keeps no failure`
  return (await explainedFailure(wanted, node)) ?? `${node.name} keeps no failure ${wanted}`
}

/** Explains a transaction by its hash or the first digits of its hash, or returns a sentence for the user. @throws NodeError 'invalidOption' if several hashes have these digits */
export async function ofHash(
  given: string,
  node: AskedNode,
  flame?: string,
): Promise<ExplanationResult | string> {
  const hashes =
    given.length === HASH_LENGTH ? [given] : await node.ask(['dev_findTransactions', given], list(hashText))
  if (hashes.length > 1) {
    refuseOption('DN-VALUE', `several transactions begin with ${given}:\n  ${hashes.join('\n  ')}`)
  }
  const [hash] = hashes
  const explanation =
    hash &&
    ((await node.ask(['dev_explainTransaction', hash], explanationObject.nullable())) ??
      (await explainedFailure(hash, node)))
  if (hash === undefined || !explanation) return `${node.name} has no mined transaction ${given}`
  if (flame !== undefined) await writeCallPaths(flame, node, hash)
  return explanation
}

/** Writes the gas of a transaction by call path, as tools for flame graphs read it. @throws NodeError 'invalidOption' if the file cannot be written */
async function writeCallPaths(path: string, node: AskedNode, hash: string): Promise<void> {
  const profile = await node.ask(['dev_profile', hash], gasProfileObject.nullable())
  if (profile === null) return
  await writeFile(path, profile.folded).catch((cause: unknown) =>
    refuseOption('DN-VALUE', `--flame: cannot write ${path}: ${reasonOf(cause)}`, cause),
  )
}
