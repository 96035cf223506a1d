/** The temporary folder of a run: small projects with their packages, the packed node, and a newer Node. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { HARDHAT_3, VITEST } from '../../test/support/packages.ts'
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

const INSTALL = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline']

const versionsIn = (versions: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, versions[name]]))

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Packages of a project. Those of Hardhat 2 and viem have the versions of this project. */
function dependenciesOf(project: ProjectName): Readonly<Record<string, string | undefined>> {
  const own: Readonly<Record<string, string>> = manifestOf(ROOT).devDependencies
  switch (project) {
    case 'hardhat2':
      return versionsIn(own, ['hardhat', 'ethers', 'chai', ...HARDHAT_2_PLUGINS])
    case 'hardhat3':
      return {
        ...versionsIn(HARDHAT_3.dependencies, ['hardhat', '@nomicfoundation/hardhat-mocha', 'chai', 'mocha']),
        ...HARDHAT_3_PLUGINS,
        ethers: own['ethers'],
      }
    case 'viem':
      return { ...VITEST.dependencies, viem: own['viem'] }
  }
}

const HARDHAT_2_PLUGINS = [
  '@nomicfoundation/hardhat-chai-matchers',
  '@nomicfoundation/hardhat-ethers',
  '@nomicfoundation/hardhat-network-helpers',
]

const HARDHAT_3_PLUGINS = {
  '@nomicfoundation/hardhat-ethers': '4.2.0',
  '@nomicfoundation/hardhat-ethers-chai-matchers': '3.0.11',
  '@nomicfoundation/hardhat-network-helpers': '3.0.11',
}

/** Command line of Hardhat inside a project, by its major version. */
export const HARDHAT = {
  2: join('node_modules', 'hardhat', 'internal', 'cli', 'cli.js'),
  3: join('node_modules', 'hardhat', 'dist', 'src', 'cli.js'),
}

const COMPILE: Readonly<Record<ProjectName, readonly string[]>> = {
  hardhat2: [HARDHAT[2], 'compile'],
  hardhat3: [HARDHAT[3], 'compile'],
  viem: ['compile.cjs'],
}

/** The folder, which is removed when this process ends. What it has is made at the first use. */
export class Workspace {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dev-node-bench-first-'))
  readonly #projects = new Map<ProjectName, string>()
  #packed: string | undefined
  /** Variables of the programs that are measured. */
  readonly env: Readonly<Record<string, string>> = {
    ...temporaryHome(this.#folder),
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    ANVIL: anvilProgram() ?? '',
    SOLC: join(SOLC, 'soljson.js'),
    SOLC_PACKAGE: SOLC,
    SOLC_VERSION: manifestOf(SOLC).version,
  }

  constructor() {
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 }))
  }

  /** This program of Node, and a newer one unless this is as new. */
  programs(): readonly string[] {
    const { name, version } = NEWER_NODE
    if (Number.parseInt(process.versions.node, 10) >= Number.parseInt(version, 10)) return [process.execPath]
    const folder = this.#install('newer-node', { [name]: version })
    return [process.execPath, join(folder, 'node_modules', name, 'bin', 'node')]
  }

  /** Folder of a project, with its packages and compiled contracts. */
  project(name: ProjectName): string {
    const made = this.#projects.get(name)
    if (made !== undefined) return made
    const folder = this.#install(name, { 'dev-node': `file:${this.#package()}`, ...dependenciesOf(name) })
    for (const source of ['common', name]) cpSync(join(SOURCES, source), folder, { recursive: true })
    const env = { ...process.env, ...this.env }
    execFileSync(nodeProgram(), [...COMPILE[name]], { cwd: folder, env, stdio: 'ignore' })
    this.#projects.set(name, folder)
    return folder
  }

  #install(name: string, dependencies: object): string {
    const folder = join(this.#folder, name)
    mkdirSync(folder)
    const manifest = { private: true, type: name === 'hardhat2' ? 'commonjs' : 'module', dependencies }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    // npm chooses binaries by the Node it runs on.
    const PATH = [dirname(nodeProgram()), process.env['PATH']].join(delimiter)
    execFileSync('npm', INSTALL, { cwd: folder, env: { ...process.env, PATH }, stdio: 'ignore' })
    return folder
  }

  /** The packed node, whose build `--command` chooses. */
  #package(): string {
    if (this.#packed !== undefined) return this.#packed
    const root = dirname(dirname(realpathSync(devNodeCommand())))
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', this.#folder, root]
    this.#packed = join(this.#folder, execFileSync('npm', args, { encoding: 'utf8' }).trim())
    return this.#packed
  }
}
