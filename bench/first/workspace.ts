/** The temporary folder of a run: small projects with their packages, the packed node, and a newer Node. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ROOT } from '../folders.ts'
import { anvilProgram } from '../nodes/anvil.ts'
import { devNodeCommand } from '../nodes/dev-node.ts'
import { temporaryHome } from '../nodes/node.ts'
import { nodeProgram } from '../nodes/program.ts'

/** A small project in bench/first/projects. */
export type ProjectName = 'hardhat2' | 'hardhat3' | 'viem'

/** The newer Node, beside the one that runs the benchmark. */
const NEWER_NODE = { name: `node-${process.platform}-${process.arch}`, version: '24.21.0' }

const SOURCES = join(ROOT, 'bench', 'first', 'projects')

const SOLC = join(ROOT, 'node_modules', 'solc')

const INSTALL = [
  'install',
  '--prefix',
  '.',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--prefer-offline',
]

/** Command line of Hardhat inside a project, by its major version. */
export const HARDHAT = {
  2: join('node_modules', 'hardhat', 'internal', 'cli', 'cli.js'),
  3: join('node_modules', 'hardhat', 'dist', 'src', 'cli.js'),
}

/** The folder, which is removed when this process ends. What it has is made at the first use. */
export class Workspace {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dev-node-bench-first-'))
  readonly #projects = new Set<ProjectName>()
  /** Variables of the programs that are measured. */
  readonly env: Readonly<Record<string, string>> = {
    ...temporaryHome(this.#folder),
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    ANVIL: anvilProgram() ?? '',
    SOLC: join(SOLC, 'soljson.js'),
    SOLC_PACKAGE: SOLC,
    SOLC_VERSION: JSON.parse(readFileSync(join(SOLC, 'package.json'), 'utf8')).version,
  }

  constructor() {
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 }))
  }

  /** This program of Node, and a newer one unless this is as new. */
  programs(): readonly string[] {
    if (Number.parseInt(process.versions.node, 10) >= Number.parseInt(NEWER_NODE.version, 10))
      return [process.execPath]
    const folder = join(this.#folder, 'newer-node')
    this.#npm(folder, [...INSTALL, `${NEWER_NODE.name}@${NEWER_NODE.version}`])
    return [process.execPath, join(folder, 'node_modules', NEWER_NODE.name, 'bin', 'node')]
  }

  /** Folder of a project, with its packages, the packed node and compiled contracts. */
  project(name: ProjectName): string {
    const folder = join(this.#folder, name)
    if (this.#projects.has(name)) return folder
    for (const source of ['common', name]) cpSync(join(SOURCES, source), folder, { recursive: true })
    this.#npm(folder, [...INSTALL, this.#package()])
    this.#npm(folder, ['run', 'compile'])
    this.#projects.add(name)
    return folder
  }

  /** The packed node, whose build `--command` chooses. */
  #package(): string {
    const root = dirname(dirname(realpathSync(devNodeCommand())))
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', this.#folder, root]
    return join(this.#folder, this.#npm(this.#folder, args).trim())
  }

  /** npm on the measured Node, for which it chooses binaries. */
  #npm(folder: string, args: readonly string[]): string {
    mkdirSync(folder, { recursive: true })
    const PATH = [dirname(nodeProgram()), process.env['PATH']].join(delimiter)
    // A home of its own would have no settings and no cache of npm.
    const env = { ...this.env, ...process.env, PATH }
    return execFileSync('npm', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })
  }
}
