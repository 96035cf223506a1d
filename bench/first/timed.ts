/** Runs tests, and measures their processor time together with that of all processes they start. */

import { performance } from 'node:perf_hooks'
import type { Measurement } from '../session.ts'
import { numberBefore, run } from '../suites/suite.ts'
import type { Command } from '../suites/suite.ts'

/** The shell waits for the command, which waits for its own children, and prints user and system seconds as the last line. */
const SCRIPT = 'TIMEFORMAT="%U %S"; { time "$0" "$@" 2>&1; } 2>&1'

/** Longest time of a suite. */
const LIMIT_MS = 30 * 60_000

/** What a suite has to print. */
interface Expected {
  readonly passed: number
  readonly failed: number
  /** Part of the output. */
  readonly text: string
}

/** Runs a suite to its end. Throws unless most of its tests pass, or if it does not print what is expected. */
export async function timedTests(
  { file, args, ...rest }: Command,
  expected?: Expected,
): Promise<Measurement> {
  const startedAt = performance.now()
  const output = await run({ limitMs: LIMIT_MS, ...rest, file: 'bash', args: ['-c', SCRIPT, file, ...args] })
  const wallMs = performance.now() - startedAt
  const [, user, system] = /([\d.]+) ([\d.]+)\n$/.exec(output) ?? []
  const passed = numberBefore(output, /(?:^|Tests)\s+(\d+) pass(?:ing|ed)/m)
  const failed = numberBefore(output, /^\s+(\d+) failing/m)
  const isExpected =
    expected === undefined ||
    (passed === expected.passed && failed === expected.failed && output.includes(expected.text))
  if (user === undefined || passed <= failed || !isExpected)
    throw new Error(`${passed} tests pass and ${failed} fail: ${output.slice(-4000)}`)
  const cpuMs = 1000 * (Number(user) + Number(system))
  if (failed === (expected?.failed ?? 0)) return { cpuMs, wallMs }
  return { cpuMs, wallMs, note: `${passed} of ${passed + failed} tests pass` }
}
