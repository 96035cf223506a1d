/** Runs `dev-node explain`: asks a running node to explain transactions and failures, and prints the explanation. */

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { ChalkInstance } from 'chalk'
import { refuseOption } from '../base/errors.ts'
import { getOrAdd } from '../base/once.ts'
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
  { words, flags }: CommandLine,
  io: Pick<Io, 'env' | 'isTTY'>,
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
    refuseOption('--flame: expected the hash of a transaction with it')
  const node = await askedNode(file, readUrl(flags, io.env), subject)
  const output = { isJson: isJson === true, isAll: flags['all'] === true, flame, paint: paintOn(io) }
  return explained(node, subject, output)
}

interface Output {
  readonly isJson: boolean
  /** Whether failures are listed that tests expected. */
  readonly isAll: boolean
  /** Path of a flame graph to draw. */
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

/** A file of failures is named by its ending: a word without it is a hash or an id. */
export const isReportFile = (word: string | undefined): word is string => word?.endsWith('.dnr') === true

/** What is asked: a file, a node by its URL, a node on a usual port, or the last run of this folder, which has ended. */
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

/** Failures that are read, among which those of failed tests are looked for. */
const MAX_READ = 100

/**
 * The newest failures of a node, newest first. Where a runner has told which tests failed, they are those by which they did, unless all
 * are wanted: the others were expected. @throws NodeError 'invalidOption' if the node cannot be asked
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

/** Names of accounts in failures that no revert changes, by address. @throws NodeError 'invalidOption' if the node cannot be asked */
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
    refuseOption(`several transactions begin with ${given}:\n  ${hashes.join('\n  ')}`)
  }
  const [hash] = hashes
  const explanation =
    hash &&
    ((await node.ask(['dev_explainTransaction', hash], explanationObject.nullable())) ??
      (await explainedFailure(hash, node)))
  if (hash === undefined || !explanation) return `${node.name} has no mined transaction ${given}`
  if (flame !== undefined) await drawFlameGraph(flame, node, hash)
  return explanation
}

/** Draws the gas of a transaction by call path into a file. @throws NodeError 'invalidOption' if it cannot be written */
async function drawFlameGraph(path: string, node: AskedNode, hash: string): Promise<void> {
  const profile = await node.ask(['dev_profile', hash], gasProfileObject.nullable())
  if (profile === null) return
  const { gasUsed, refund, folded } = profile
  const refunded = refund === 0 ? '' : ` after a refund of ${refund}`
  const graph = flameGraph(folded, `transaction ${hash}: ${gasUsed} gas${refunded}`)
  await writeFile(path, graph).catch((cause: unknown) =>
    refuseOption(`--flame: cannot write ${path}: ${reasonOf(cause)}`, cause),
  )
}

/** A box: a function, with the functions that it calls. */
interface Box {
  readonly name: string
  gas: number
  readonly children: Map<string, Box>
}

/** Pixels. */
const WIDTH = 1200
const MARGIN = 10
const ROW = 18
const HEADER = 34
const CHARACTER = 6.7
/** Narrower boxes are left out. */
const MIN_WIDTH = 0.1

/** A flame graph in SVG of call paths in the folded form, `A.f;B.g 123` in each line. Callers are below what they call. */
export function flameGraph(folded: string, title: string): string {
  const root = readPaths(folded)
  const height = HEADER + depthOf(root) * ROW + MARGIN
  const boxes = [...drawn(root, { x: MARGIN, y: height - MARGIN - ROW, total: root.gas })]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 ${WIDTH + 2 * MARGIN} ${height}">`,
    '<style>text { font: 11px monospace; fill: #222 } rect { stroke: #fff; stroke-width: 0.5 }</style>',
    `<rect x="0" y="0" width="100%" height="100%" fill="#fff"/>`,
    `<text x="${MARGIN}" y="22">${escaped(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n')
}

function readPaths(folded: string): Box {
  const root = boxOf('all')
  for (const line of folded.split('\n')) {
    const [, path = '', digits] = /^(.*) (\d+)$/.exec(line) ?? []
    if (digits === undefined) continue
    const gas = Number(digits)
    root.gas += gas
    let box = root
    for (const name of path.split(';')) {
      box = getOrAdd(box.children, name, () => boxOf(name))
      box.gas += gas
    }
  }
  return root
}

const boxOf = (name: string): Box => ({ name, gas: 0, children: new Map() })

const depthOf = ({ children }: Box): number => 1 + Math.max(0, ...Array.from(children.values(), depthOf))

/** Where a box is drawn, and the gas that the whole width stands for. */
interface BoxPlace {
  readonly x: number
  readonly y: number
  readonly total: number
}

function* drawn(box: Box, { x, y, total }: BoxPlace): Generator<string> {
  const width = total === 0 ? WIDTH : (WIDTH * box.gas) / total
  if (width < MIN_WIDTH) return
  const percent = total === 0 ? '0.00' : ((100 * box.gas) / total).toFixed(2)
  const label = labelIn(box.name, width)
  yield [
    `<g><title>${escaped(box.name)}: ${box.gas} gas, ${percent}%</title>`,
    `<rect x="${decimal(x)}" y="${y}" width="${decimal(width)}" height="${ROW}" fill="${colourOf(box.name)}"/>`,
    label === '' ? '' : `<text x="${decimal(x + 3)}" y="${y + 13}">${escaped(label)}</text>`,
    '</g>',
  ].join('')
  let left = x
  for (const child of box.children.values()) {
    yield* drawn(child, { x: left, y: y - ROW, total })
    left += (WIDTH * child.gas) / total
  }
}

/** A number without needless digits. */
const decimal = (value: number): string => String(Math.round(value * 1000) / 1000)

/** As much of a name as a box has room for; empty if that is too little to read. */
function labelIn(name: string, width: number): string {
  const room = Math.floor((width - 6) / CHARACTER)
  const characters = Array.from(name)
  if (characters.length <= room) return name
  return room < 5 ? '' : `${characters.slice(0, room - 2).join('')}..`
}

/** Functions of one contract have the same colour; other boxes are grey. */
function colourOf(name: string): string {
  const [contract = ''] = name.split('.')
  if (contract === name) return '#ccc'
  let hash = 0
  for (const character of contract) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360
  return `hsl(${hash}, 70%, 75%)`
}

/** Names are the input of strangers: they must not end an element, or make the file no XML. */
const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
