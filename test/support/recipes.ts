/** Recipes of the README: their code, and the requests that a node received while they ran. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningNode } from './packed-command.ts'

const readme = join(import.meta.dirname, '..', '..', 'README.md')

/** Where the recipes of the README expect the node. */
const README_HOST = '127.0.0.1:4444'

/** The code blocks of one language below a heading (`**Hardhat 2**`, `## Networks`), up to the next heading, for a node. */
export function recipe(heading: string, language: string, nodeUrl: string): readonly string[] {
  const text = readFileSync(readme, 'utf8')
  const start = text.indexOf(`\n${heading}`)
  if (start < 0) throw new Error(`README.md has no heading ${heading}`)
  const rest = text.slice(start + 1 + heading.length)
  const section = rest.slice(0, /\n(\*\*\w[^\n]*|#+ )/.exec(withoutCode(rest))?.index)
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, kind]) => kind === language)
  if (blocks.length === 0) throw new Error(`README.md has no ${language} code below ${heading}`)
  return blocks.map(([, , code]) => code!.replaceAll(README_HOST, new URL(nodeUrl).host))
}

/** The text with every line of code blanked, at the same positions: comments of a shell look like headings. */
function withoutCode(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
}

/** A request that reached a node, as `--json --verbose` prints it. */
export interface ReceivedRequest {
  readonly method: string
  /** Id of the isolated chain; absent for the default chain. */
  readonly world?: string
}

/** The requests that a node started with `--verbose` received since a length of its output. */
export function receivedRequests(node: RunningNode, since = 0): readonly ReceivedRequest[] {
  const lines = node.stdout().slice(since).split('\n')
  return lines
    .filter((line) => line.startsWith('{"event":"request"'))
    .map((line) => JSON.parse(line) as ReceivedRequest)
}

/** How many requests for a method each chain received, by the id of the chain; the default chain is ''. */
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

/** Runs a line of a shell in a folder. Commands of this project's packages are found, as `npx` finds them. */
export function runShell(line: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['-c', line],
      { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 16 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, output: stdout + stderr }),
    )
  })
}
