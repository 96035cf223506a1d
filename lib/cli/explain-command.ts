/** Runs `dev-node explain`: asks a running node to explain transactions and failures, and prints the explanation. */

import { writeFile } from 'node:fs/promises'
import { refuseOption } from '../base/errors.ts'
import { getOrAdd } from '../base/once.ts'
import { addressesIn } from '../base/named-text.ts'
import { reasonOf } from '../base/system-errors.ts'
import { ask, usualUrl } from '../client/node-client.ts'
import { readWhole } from '../config/values.ts'
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
  const urlFlag = readFlag(flags, 'url', 'a URL such as http://127.0.0.1:4444/', readUrl)
  const url = urlFlag ?? (io.env['DEV_NODE_URL'] || (await usualUrl('name it with --url')))
  const paint = paintOn(io)
  const output = (answer: object, lines: readonly string[]): CommandResult => ({
    text: isJson === true ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`,
    code: 0,
  })
  if ('last' in subject) {
    const failures = await newestFailures(url, subject.last)
    if (isJson === true) return output(failures, [])
    const at = urlFlag === undefined ? '' : ` --url ${url}`
    const names = await namesInFailures(failures, url)
    const lines = groupAlike(failures).flatMap((alike) => [
      ...failureLines(alike, { names, paint }, `dev-node explain ${alike[0].id}${at}`),
      '',
    ])
    return output(failures, failures.length === 0 ? ['no execution has failed'] : lines.slice(0, -1))
  }
  const explanation =
    'id' in subject ? await ofFailure(subject.id, url) : await ofHash(subject.hash, url, flame)
  if (typeof explanation === 'string') return { text: `${explanation}\n`, code: UNKNOWN }
  return output(explanation, explanationLines(explanation, paint))
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

const readUrl = (text: string): string | undefined =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined

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
  start: string,
  url: string,
  flame: string | undefined,
): Promise<ExplanationResult | string> {
  const hashes =
    start.length === HASH_LENGTH ? [start] : await ask(url, ['dev_findTransactions', start], list(hashText))
  if (hashes.length > 1) {
    refuseOption(`several transactions begin with ${start}:\n  ${hashes.join('\n  ')}`)
  }
  const [hash] = hashes
  const explanation =
    hash &&
    ((await ask(url, ['dev_explainTransaction', hash], explanationObject.nullable())) ??
      (await explainedFailure(hash, url)))
  if (hash === undefined || !explanation) return `the node at ${url} has no mined transaction ${start}`
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
