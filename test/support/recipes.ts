/** Extracts and runs code of the documents, and reads the requests that a node received. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from '../../site/anchor.ts'
import { request } from './packed-command.ts'
import type { RunningNode } from './packed-command.ts'

const root = join(import.meta.dirname, '..', '..')

/** Address of the node in the documents. */
const DOCUMENTED_HOST = '127.0.0.1:4444'

/** A code block of a document. */
export interface CodeBlock {
  /** File and heading, as links name them: `docs/hardhat.md#hardhat-3`. */
  readonly place: string
  readonly language: string
  readonly code: string
}

/** Every code block of a document, in order. */
export function codeBlocks(file: string): readonly CodeBlock[] {
  let place = file
  const parts = readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.*)$|^```(\w+)\n([^]*?)^```$/gm)
  return [...parts].flatMap(([, heading, language, code]) => {
    if (language !== undefined && code !== undefined) return [{ place, language, code }]
    if (heading !== undefined) place = `${file}#${anchorOf(heading)}`
    return []
  })
}

/** The headings of a document, as links name them. */
export function headings(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => `${file}#${anchorOf(heading)}`)
}

/** The code blocks of one language below a heading, up to the next one, for the node at a URL. */
export function recipe(place: string, language: string, nodeUrl: string): readonly string[] {
  const [file = ''] = place.split('#')
  const blocks = codeBlocks(file).filter((block) => block.place === place && block.language === language)
  if (blocks.length === 0) throw new Error(`${place} has no ${language} code`)
  return blocks.map(({ code }) => code.replaceAll(DOCUMENTED_HOST, new URL(nodeUrl).host))
}

/** A request that a node received, as `--json --verbose` prints it. */
export interface ReceivedRequest {
  readonly method: string
  /** Id of the isolated chain; absent for the default chain. */
  readonly world?: string
}

/** The requests that a node started with `--verbose` received since a length of its output, all that it has answered. */
export async function receivedRequests(node: RunningNode, since = 0): Promise<readonly ReceivedRequest[]> {
  // What a node prints arrives later than its answers: a last request is printed after the others.
  const last = `dev_noMethod${randomUUID()}`
  await request(node.url, last).catch(() => undefined)
  while (!node.stdout().includes(last)) await new Promise(setImmediate)
  return printedRequests(node, since).filter(({ method }) => !method.startsWith('dev_noMethod'))
}

/** Those that it has printed so far. */
export function printedRequests(node: RunningNode, since = 0): readonly ReceivedRequest[] {
  const lines = node.stdout().slice(since).split('\n')
  return lines
    .filter((line) => line.startsWith('{"event":"request"') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as ReceivedRequest)
}

/** Number of requests for a method by id of the chain; the default chain is ''. */
export function countByWorld(requests: readonly ReceivedRequest[], method: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { world = '', method: received } of requests) {
    if (received === method) counts[world] = (counts[world] ?? 0) + 1
  }
  return counts
}

/** Exit code of a command and everything it printed. */
export interface CommandResult {
  readonly exitCode: unknown
  readonly output: string
}

/** Finds the command as npx does, in half a second less. */
const NPX = 'npx() { PATH="$PWD/node_modules/.bin:$PATH" command "$@"; }'

/** Runs a line of a shell in a folder. Commands of this project's packages are found, as `npx` finds them. */
export function runShell(line: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['-c', `${NPX}\n${line}`],
      { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 16 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, output: stdout + stderr }),
    )
  })
}
