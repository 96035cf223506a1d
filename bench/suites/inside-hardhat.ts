/** Test suites inside a process of Hardhat 2: on its own chain (EDR), and on this node by the line of the plugin. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, extname, join, relative } from 'node:path'
import { pluginPath } from '../nodes/dev-node.ts'
import { HARDHAT_SUITE, contractTests, numberBefore, run } from './suite.ts'
import type { Command } from './suite.ts'

/** Longest time of a suite. */
const LIMIT_MS = 30 * 60_000

/** A process that ran a suite, from its start to its end. */
export interface SuiteRun {
  readonly passed: number
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly megabytes: number
}

/** The rounds of a suite with one version of Node. */
export interface SuiteResult {
  readonly suite: string
  readonly nodeVersion: string
  readonly edr: readonly SuiteRun[]
  readonly devNode: readonly SuiteRun[]
}

/** What is measured. */
export interface SuiteSettings {
  /** Folder of a Hardhat 2 project whose packages are installed; this project's own suite unless given. */
  readonly project: string | undefined
  /** Parts of the paths of test files, with commas between them; all files unless given. */
  readonly only: string | undefined
  /** Programs of Node. */
  readonly programs: readonly string[]
  readonly rounds: number
}

/** Runs the suite alternately on both chains, `rounds` times each. */
export async function measureSuites(settings: SuiteSettings): Promise<readonly SuiteResult[]> {
  const { project = HARDHAT_SUITE, only, programs, rounds } = settings
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-bench-suite-'))
  const config = await writeConfig(project)
  try {
    const preload = join(folder, 'use.cjs')
    writeFileSync(
      preload,
      `process.on('exit', () => require('fs').writeFileSync(process.env.USE_FILE, ${USE}))`,
    )
    const files = await testFiles(project, only?.split(','))
    const hardhat = join(
      dirname(createRequire(join(project, 'package.json')).resolve('hardhat/package.json')),
      CLI,
    )
    const results: SuiteResult[] = []
    for (const program of programs) {
      const command = (...args: readonly string[]): Command => ({
        file: program,
        args: ['--require', preload, hardhat, ...args],
        cwd: project,
        env: { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', USE_FILE: join(folder, 'use.json') },
        limitMs: LIMIT_MS,
      })
      await run(command('compile'))
      const test = ['test', '--no-compile', ...files]
      const edr: SuiteRun[] = []
      const devNode: SuiteRun[] = []
      for (let round = 0; round < rounds; round++) {
        edr.push(await measure(command(...test)))
        devNode.push(await measure(command('--config', config, ...test)))
      }
      results.push({
        suite: nameOf(project, only),
        nodeVersion: (await run({ file: program, args: ['--version'] })).trim(),
        edr,
        devNode,
      })
    }
    return results
  } finally {
    rmSync(config)
    await rm(folder, { recursive: true })
  }
}

const CLI = join('internal', 'cli', 'cli.js')

/** What a process says of itself when it ends, as code. `maxRSS` is in kilobytes. */
const USE = 'JSON.stringify(process.resourceUsage())'

async function measure(command: Command): Promise<SuiteRun> {
  const startedAt = performance.now()
  const output = await run(command)
  const wallSeconds = (performance.now() - startedAt) / 1000
  const passed = numberBefore(output, /(\d+) passing/)
  if (passed === 0) throw new Error(`no test passed:\n${output.slice(-2000)}`)
  const use = JSON.parse(readFileSync(command.env!['USE_FILE']!, 'utf8')) as NodeJS.ResourceUsage
  return {
    passed,
    wallSeconds,
    cpuSeconds: (use.userCPUTime + use.systemCPUTime) / 1e6,
    megabytes: use.maxRSS / 1024,
  }
}

/** Writes a config beside that of a project, which differs from it by the line of the plugin. Returns its path. */
async function writeConfig(project: string): Promise<string> {
  const names = await readdir(project)
  const own = names.find((name) => /^hardhat\.config\.(ts|cjs|js)$/.test(name))
  if (own === undefined) throw new Error(`${project} has no config of Hardhat 2`)
  const file = join(project, `hardhat-on-dev-node.config${extname(own)}`)
  const code = [
    `require(${JSON.stringify(pluginPath())})`,
    `const config = require('./${own}')`,
    'module.exports = config.default ?? config',
  ]
  writeFileSync(file, code.join('\n'))
  return file
}

/** Test files whose paths contain one of the texts; no file stands for all. */
async function testFiles(project: string, parts?: readonly string[]): Promise<readonly string[]> {
  if (parts === undefined) return project === HARDHAT_SUITE ? contractTests() : []
  const entries = await readdir(join(project, 'test'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(js|cjs|ts)$/.test(entry.name))
    .map(({ parentPath, name }) => relative(project, join(parentPath, name)))
    .filter((path) => parts.some((part) => path.includes(part)))
  if (files.length === 0) throw new Error(`no test file of ${project} has ${parts.join(' or ')} in its path`)
  return files.sort()
}

function nameOf(project: string, only: string | undefined): string {
  if (project === HARDHAT_SUITE) return 'OpenZeppelin contracts, suite of this project'
  const { name, version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version?: string
  }
  return [
    `${name} ${version ?? ''}`.trim(),
    ...(only === undefined ? [] : [only.split(',').join(', ')]),
  ].join(': ')
}
