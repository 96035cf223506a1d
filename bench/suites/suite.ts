/** A test suite that runs against a node in a process of its own. */

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ROOT } from '../folders.ts'
import type { Measurement, Session } from '../session.ts'

/** Hardhat project of this project's own tests. */
export const HARDHAT_SUITE = join(ROOT, 'test', 'clients', 'hardhat')

/** Its tests of contracts, by their paths in the project. The other tests need nodes of their own. */
export async function contractTests(): Promise<readonly string[]> {
  const names = await readdir(join(HARDHAT_SUITE, 'test')).catch(() => [])
  return names
    .filter((name) => !['fixtures.js', 'network-helpers.js'].includes(name))
    .map((name) => `test/${name}`)
}

/** Longest time of a command. */
const LIMIT_MS = 60_000

/** A command line with its folder and variables. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Longest time in milliseconds; a minute unless given. */
  readonly limitMs?: number
}

/** Runs a command to its end, whatever its exit code is. Answers everything it printed. */
export function run({ file, args, cwd = ROOT, env = {}, limitMs = LIMIT_MS }: Command): Promise<string> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      timeout: limitMs,
      maxBuffer: 2 ** 26,
    }
    execFile(file, [...args], options, (_error, output, errors) => resolve(output + errors))
  })
}

/**
 * Cost of a suite to the node, and the time the whole suite takes. A suite of which less than half passes was not
 * measured; one with a few failures says so.
 */
export async function measureSuite(
  { running }: Session,
  command: Command,
  resultOf: (output: string) => { readonly passed: number; readonly failed: number },
): Promise<Measurement> {
  const before = running.use()
  const startedAt = performance.now()
  const output = await run(command)
  const wallMs = performance.now() - startedAt
  const cpuMs = running.use().cpuMs - before.cpuMs
  const { passed, failed } = resultOf(output)
  const tests = `${passed} of ${passed + failed} tests pass`
  if (passed <= failed)
    throw new Error(passed + failed === 0 ? `no result after ${Math.round(wallMs / 1000)} s` : tests)
  return failed === 0 ? { cpuMs, wallMs } : { cpuMs, wallMs, note: tests }
}

/** The number before a word in a text, such as `3 passing`; 0 if there is none. */
export const numberBefore = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)
