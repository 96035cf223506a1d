/** Starts the packed and installed command in its own process. run-installs.ts packs it. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { PackageSet } from './packages.ts'

/** The line that `dev-node start --json` prints when it accepts requests. */
export interface ReadyLine {
  readonly event: 'ready'
  readonly url: string
  readonly port: number
  readonly chainId: number
  readonly network: string
  readonly accounts: readonly string[]
  readonly version: string
  readonly pid: number
}

/** A running node and how to stop it. */
export interface RunningNode {
  readonly url: string
  readonly ready: ReadyLine
  /** Everything printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Exit code, once the process has ended by itself. */
  readonly exited: Promise<number>
  /** Ends the process with SIGTERM and returns its exit code. */
  readonly stop: () => Promise<number>
}

/**
 * Starts `dev-node start --port 0 --json` with more arguments, also another port, and variables, in a folder, and waits until it is
 * ready; the installed command unless another is given. Every mined block is cross-checked, so that a difference fails a request.
 * With DEV_NODE_TEST_URL nothing is started: that node is used, and left running.
 */
export async function startDevNode(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
  command?: string,
): Promise<RunningNode> {
  const external = process.env['DEV_NODE_TEST_URL']
  if (external !== undefined) return useRunningNode(external)
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = spawn(command ?? (await commandPath()), ['start', ...port, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { DEV_NODE_CROSS_CHECK: 'true', ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text))
  const exitCode = exitCodeOf(child)
  const ready = await Promise.race([readyLine(child.stdout), exitCode])
  if (typeof ready === 'number')
    throw new Error(`dev-node exited with ${ready}\n${printed.stdout}\n${printed.stderr}`)
  return {
    url: ready.url,
    ready,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    exited: exitCode,
    stop: () => {
      child.kill('SIGTERM')
      return exitCode
    },
  }
}

/** The same URL with an error dialect. */
export function withDialect(url: string, dialect: 'node33' | 'hardhat' | 'ethereum'): string {
  const asked = new URL(url)
  asked.searchParams.set('dialect', dialect)
  return asked.href
}

/** Path of the installed command; the package it belongs to can be resolved from there. */
export const commandPath = (): Promise<string> => installed('')

/** Folder in which a set of packages is installed for the run. Nothing may change it. */
export const packagesFolder = (set: PackageSet): Promise<string> =>
  installed(`?packages=${encodeURIComponent(JSON.stringify(set))}`)

/** Address of the browser that the run starts once, with the program of a path. */
export const sharedBrowser = (program: string): Promise<string> =>
  installed(`?browser=${encodeURIComponent(program)}`)

async function installed(query: string): Promise<string> {
  const url = process.env['DEV_NODE_PACK_URL']
  if (url === undefined)
    throw new Error('jest.config.js must name test/support/runner/global-setup.js as globalSetup')
  // A kept connection may close while it is used again.
  const response = await fetch(`${url}${query}`, { headers: { connection: 'close' } })
  const text = await response.text()
  if (!response.ok) throw new Error(`the installation failed: ${text}`)
  return text
}

function readyLine(stdout: NodeJS.ReadableStream): Promise<ReadyLine> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdout })
    lines.on('line', (line) => {
      if (!line.startsWith('{"event":"ready"')) return
      resolve(JSON.parse(line) as ReadyLine)
    })
  })
}

/** Shells count a death by signal as 128 and the number of the signal; here it is 128. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  })
}

async function useRunningNode(url: string): Promise<RunningNode> {
  const chainId = Number(await request<string>(url, 'eth_chainId'))
  const accounts = await request<string[]>(url, 'eth_accounts')
  const network = `network-${await request<string>(url, 'net_version')}`
  const version = await request<string>(url, 'web3_clientVersion')
  const port = Number(new URL(url).port)
  return {
    url,
    ready: { event: 'ready', url, port, chainId, network, accounts, version, pid: 0 },
    stdout: () => '',
    stderr: () => '',
    exited: new Promise(() => undefined),
    stop: async () => 0,
  }
}

/** Sends a JSON-RPC request; throws the error of the response. */
export async function request<Result>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result: Result; error?: { code: number; message: string } }
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`)
  return answer.result
}
