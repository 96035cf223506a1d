/** A node that can be measured, and how its process is started and ended. */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../client.ts'
import type { Call } from '../client.ts'
import { useOf } from '../process-tree.ts'
import type { Use } from '../process-tree.ts'

/** A kind of node: a column of the table. */
export interface BenchNode {
  readonly id: string
  /** Heading of its column. */
  readonly title: string
  /** What it is started with, for the document. */
  readonly settings: string
  /** Why it cannot run here; undefined if it can. */
  readonly missing: () => string | undefined
  readonly launch: (run: RunFolder) => Launch
  /** What is asked of it before it is measured. */
  readonly prepare?: (call: Call) => Promise<unknown>
}

/** Where a process runs. */
export interface RunFolder {
  /** Temporary folder of this process, which is deleted after it. */
  readonly folder: string
  readonly port: number
  /** Whether transactions will be traced step by step. */
  readonly stepTraces: boolean
}

/** A command line. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A process that is measured. */
export interface MeasuredProcess {
  /** From the start of the process to its first answer. */
  readonly start: { readonly cpuMs: number; readonly wallMs: number }
  readonly use: () => Use
}

/** A running process of a node. */
export interface RunningNode extends MeasuredProcess {
  readonly node: BenchNode
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Milliseconds that a node has to answer its first request. */
const START_LIMIT_MS = 60_000

/** Milliseconds that a node has to end after SIGTERM. */
const END_LIMIT_MS = 10_000

/** Processes with their folders. */
const started = new Map<ChildProcess, string>()

// A run that is broken off leaves no process and no file behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.on('exit', () => {
  for (const [child, folder] of started) {
    child.kill('SIGKILL')
    remove(folder)
  }
})

/** A process that was killed may still be writing. */
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** Starts a process of a node, with home and temporary files in a folder of its own, and waits for its first answer. */
export async function startNode(node: BenchNode, { stepTraces = false } = {}): Promise<RunningNode> {
  const folder = mkdtempSync(join(tmpdir(), 'dev-node-bench-'))
  const port = await freePort()
  const { command, args, cwd = folder, env = {} } = node.launch({ folder, port, stepTraces })
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...temporaryHome(folder), ...env },
  })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => (complaints = (complaints + text.toString()).slice(-2000)))
  started.set(child, folder)
  const stop = async () => {
    await end(child)
    remove(folder)
    started.delete(child)
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await firstAnswer(url, child)
    const wallMs = performance.now() - startedAt
    const { cpuMs } = useOf(child.pid!)
    const { call, disconnect } = connect(url)
    await node.prepare?.(call)
    disconnect()
    return { node, url, start: { cpuMs, wallMs }, use: () => useOf(child.pid!), stop }
  } catch (error) {
    await stop()
    throw new Error(`${node.title} did not start: ${String(error)}\n${complaints}`, { cause: error })
  }
}

/** Variables by which a program writes nothing outside of a folder. */
export function temporaryHome(folder: string): Readonly<Record<string, string>> {
  return {
    HOME: folder,
    TMPDIR: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_CACHE_HOME: join(folder, '.cache'),
    XDG_DATA_HOME: join(folder, '.local'),
  }
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS
  for (;;) {
    const { call, disconnect } = connect(url)
    try {
      await call('eth_chainId')
      return
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`, { cause: error })
      if (performance.now() > deadline) throw error
    } finally {
      disconnect()
    }
    await pause(3)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
    await exit
    clearTimeout(timer)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
