/** `dev-node gas-diff` with reports in files. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import type { GasReport } from '../../lib/modules/gas-report/results.ts'
import { fakeProcess } from './fake-server.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gas-diff-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(...argv: readonly string[]) {
  const { io, written } = fakeProcess(['gas-diff', ...argv])
  const code = await main(io)
  return { code, ...written }
}

/** Writes a file, and returns its path. */
async function written(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const used = (mean: number, count = 2) => ({ count, least: mean, mean, median: mean, most: mean })

/** A report with the mean gas of `move()`, and its number of transactions. */
const reportOf = (mean: number, more: GasReport['contracts'][number]['functions'] = []): GasReport => ({
  version: 1,
  contracts: [
    {
      contract: 'a.sol:A',
      deployments: { ...used(90_000, 1), failed: 0 },
      functions: [{ function: 'move()', transactions: { ...used(mean), failed: 0 } }, ...more],
    },
  ],
})

describe('dev-node gas-diff', () => {
  test.each([
    [50_000, [], 0],
    [49_000, [], 0],
    [50_001, [], 1],
    [50_500, ['--threshold', '1%'], 0],
    [50_501, ['--threshold', '1%'], 1],
    [50_501, ['--threshold', '1.5'], 0],
  ])('from a mean of 50000 to %i with %j has exit code %i', async (mean, flags, expected) => {
    const [before, after] = [
      await written('a.json', reportOf(50_000)),
      await written('b.json', reportOf(mean)),
    ]
    const { code, stderr } = await run(before, after, ...flags)
    expect([code, stderr]).toEqual([expected, ''])
  })

  test('prints what has changed, the largest increase first', async () => {
    const before = await written('a.json', reportOf(50_000, [{ function: 'old()', calls: used(23_000) }]))
    const more = [
      { function: 'new()', calls: used(24_000, 1) },
      { function: 'failing()', transactions: { count: 0, failed: 3 } },
    ]
    const after = await written('b.json', reportOf(51_000, more))
    expect((await run(before, after)).stdout).toBe(`\
| function          |         kind | count |          mean | change |        median |
| ----------------- | -----------: | ----: | ------------: | -----: | ------------: |
| a.sol:A move()    | transactions |     2 | 50000 → 51000 | +2.00% | 50000 → 51000 |
| a.sol:A old()     |        calls | 2 → - |     23000 → - |        |     23000 → - |
| a.sol:A new()     |        calls | - → 1 |     - → 24000 |        |     - → 24000 |
| a.sol:A failing() | transactions | - → 0 |             - |        |             - |

Functions whose mean increased by more than 0%: 1
`)
    const { stdout, code } = await run(before, after, '--json', '--threshold', '5%')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      thresholdPercent: 5,
      exceeding: 0,
      changes: [{ function: 'move()', kind: 'transactions', percent: 2 }, {}, {}, {}],
    })
  })

  test('says that nothing has changed', async () => {
    const path = await written('a.json', reportOf(50_000))
    expect((await run(path, path)).stdout).toContain('No function has changed.\n')
  })

  test.each([
    ['{"version":1,', /: cannot read .*JSON/],
    ['{"version":2,"contracts":[]}', /b\.json is not a gas report: version: /],
    [reportOf(-1), /b\.json is not a gas report: contracts\[0\]\.functions\[0\]\.transactions\.least: /],
  ])('refuses %j with exit code 2', async (content, message) => {
    const [before, after] = [await written('a.json', reportOf(1)), await written('b.json', content)]
    const { code, stdout, stderr } = await run(before, after)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test('refuses reports without transactions and calls, also two of them', async () => {
    const [full, empty] = [
      await written('full.json', reportOf(1)),
      await written('empty.json', { version: 1, contracts: [] }),
    ]
    for (const paths of [
      [full, empty],
      [empty, full],
      [empty, empty],
    ]) {
      const { code, stdout, stderr } = await run(...paths)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(`${empty} has no transactions and no calls`)
    }
  })

  test.each([
    [['/nowhere/a.json', 'b.json'], 'gas-diff: cannot read /nowhere/a.json: ENOENT'],
    [[], 'gas-diff: expected two files, got nothing'],
    [['a.json'], 'gas-diff: expected two files, got a.json'],
    [['a', 'b', 'c'], 'unexpected argument c'],
    [['a', 'b', '--treshold', '1'], 'gas-diff has no flag --treshold; did you mean --threshold?'],
    [['a', 'b', '--threshold', 'much'], '--threshold: expected a percentage such as 1%, got "much"'],
    [['a', 'b', '--threshold'], '--threshold: expected a value behind it'],
  ])('refuses %j with exit code 2 and names the fault', async (argv, message) => {
    const { code, stderr } = await run(...argv)
    expect(code).toBe(2)
    expect(stderr).toContain(`dev-node: ${message}`)
  })

  test('has a help', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    expect(stdout).toContain('dev-node gas-diff <before.json> <after.json> [options]')
    expect(stdout).toContain('--threshold')
  })
})
