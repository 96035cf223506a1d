/** A copy of a Hardhat 2 project, with the packed dev-node, whose runs tell which files are affected and which ones fail. */

import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'

/** The files of a run, relative to the project. */
export interface LawRun {
  readonly affected: readonly string[]
  readonly failing: readonly string[]
}

/** What hook.cjs writes. A hook outside of all files fails for all of them. */
interface Results {
  readonly tested: readonly string[]
  readonly failing: readonly (string | null)[]
}

const LAW = 'dev-node-law'

const INSTALL = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--prefer-offline']

/** No run of tests takes so long, unless a change lets it loop. */
const MAX_RUN_MS = 600_000

export class ProjectCopy {
  readonly #root: string
  readonly #arguments: readonly string[]

  /** Copies the project. `args` are more words for `hardhat test`. */
  constructor(project: string, args: readonly string[]) {
    // Paths that Hardhat reports are real ones.
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'dev-node-affected-')))
    this.#arguments = args
    process.once('exit', () => rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 }))
    cpSync(project, this.#root, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.test(relative(project, path).replaceAll(sep, '/')),
    })
    this.#install()
    this.#addHook()
  }

  /** Runs all tests for the first time, which notes on what they depend. Returns how many files have tests. */
  firstRun(): number {
    const { output, results } = this.#test()
    if (results === undefined || results.failing.length > 0)
      throw new Error(`the tests of the project fail before any change: ${output}`)
    writeFileSync(join(this.#root, LAW, 'affected.json'), '[]')
    return results.tested.length
  }

  /** Runs all tests with another text of a source. Undefined if it does not compile. */
  runWith(source: string, text: string): LawRun | undefined {
    const file = join(this.#root, source)
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, text)
    const { output, results } = this.#test()
    writeFileSync(file, before)
    if (results === undefined) {
      if (/HH600|Compilation failed/.test(output)) return undefined
      throw new Error(`no result of ${source}: ${output}`)
    }
    const affected: readonly string[] = JSON.parse(
      readFileSync(join(this.#root, LAW, 'affected.json'), 'utf8'),
    )
    const failing = results.failing.flatMap((path) => path ?? results.tested)
    return { affected: this.#relative(affected), failing: this.#relative(failing) }
  }

  /** Sources below a folder, relative to the project. */
  sources(folder: string): readonly string[] {
    return readdirSync(join(this.#root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sol'))
      .map((name) => join(folder, name))
      .toSorted()
  }

  read(source: string): string {
    return readFileSync(join(this.#root, source), 'utf8')
  }

  #install(): void {
    const npm = (...args: readonly string[]): string =>
      execFileSync('npm', args, { cwd: this.#root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    // The command runs in the checkout.
    const packed = npm('pack', '--ignore-scripts', '--silent', process.cwd()).trim()
    npm(...INSTALL, `./${packed}`)
    rmSync(join(this.#root, packed))
  }

  #addHook(): void {
    const config = CONFIGS.find((name) => existsSync(join(this.#root, name)))
    if (config === undefined) throw new Error(`the project has none of ${CONFIGS.join(', ')}`)
    cpSync(join(process.cwd(), 'fuzz', 'affected', 'hook.cjs'), join(this.#root, LAW, 'hook.cjs'))
    appendFileSync(join(this.#root, config), `\n;require('./${LAW}/hook.cjs')\n`)
  }

  #test(): { readonly output: string; readonly results: Results | undefined } {
    const file = join(this.#root, LAW, 'results.json')
    rmSync(file, { force: true })
    const { stdout, stderr } = spawnSync(process.execPath, [HARDHAT, 'test', ...this.#arguments], {
      cwd: this.#root,
      env: { ...process.env, DEV_NODE_AFFECTED: 'true', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
      encoding: 'utf8',
      maxBuffer: Infinity,
      timeout: MAX_RUN_MS,
    })
    const results: Results | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    return { output: `${stdout}${stderr}`.slice(-5000), results }
  }

  #relative(files: readonly string[]): readonly string[] {
    return [...new Set(files)].map((file) => relative(this.#root, file))
  }
}

const LEFT_OUT = /^(?:\.git|node_modules\/\.cache|artifacts|cache)(?:\/|$)/

/** The command line of Hardhat 2. */
const HARDHAT = join('node_modules', 'hardhat', 'internal', 'cli', 'cli.js')

const CONFIGS = ['hardhat.config.ts', 'hardhat.config.js', 'hardhat.config.cjs', 'hardhat.config.cts']
