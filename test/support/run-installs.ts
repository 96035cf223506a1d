/** Installs what the workers of a run share: the packed project, and sets of packages. Part of global-setup.ts. */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALWAYS_INSTALLED } from './packages.ts'
import type { PackageSet } from './packages.ts'

const projectFolder = join(import.meta.dirname, '..', '..')

/** The installations of a run, each made once, at its first use. */
export class RunInstalls {
  /** Of the run; everything is installed below it. */
  readonly #folder: string
  #command: Promise<string> | undefined
  /** By the set as JSON. */
  readonly #sets = new Map<string, Promise<string>>()
  #isClosing = false
  #background: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Path of the packed and installed command. */
  command(): Promise<string> {
    return (this.#command ??= installCommand(join(this.#folder, 'packed')))
  }

  /** Folder in which a set of packages is installed; the set is JSON. */
  packages(set: string): Promise<string> {
    const known = this.#sets.get(set)
    if (known !== undefined) return known
    const installed = installPackages(JSON.parse(set) as PackageSet, this.#folder)
    this.#sets.set(set, installed)
    return installed
  }

  /** Installs what a whole run uses, one after another, while the first suites run: much of it is waiting for the network. */
  prepareAll(): void {
    this.#background = this.#prepareAll()
  }

  async #prepareAll(): Promise<void> {
    const tasks = [
      () => this.command(),
      ...ALWAYS_INSTALLED.map((set) => () => this.packages(JSON.stringify(set))),
    ]
    for (const task of tasks) {
      if (this.#isClosing) return
      // The suite that asks for it gets the error.
      await task().catch(() => undefined)
    }
  }

  /** Waits for an installation in the background, and begins no other. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#background
  }
}

/** Packs the project like a release, and installs the package in an empty folder. */
async function installCommand(folder: string): Promise<string> {
  await mkdir(folder)
  await run('npm', projectFolder, ['pack', '--pack-destination', folder])
  // npm describes an installed tree only if its root has a name and a version.
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "version": "1.0.0", "private": true }')
  const packages = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const quick = ['--no-audit', '--no-fund', '--prefer-offline']
  const paths = packages.map((name) => join(folder, name))
  await run('npm', folder, ['install', '--prefix', folder, ...quick, ...paths])
  const command = join(folder, 'node_modules', '.bin', 'dev-node')
  // The command is missing after two simultaneous builds in one checkout: fail here, not at every start.
  await access(command)
  return command
}

async function installPackages({ dependencies, install }: PackageSet, parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'packages-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await run('bash', folder, ['-c', install])
  return folder
}

/** Runs a command. The compiler reports on stdout, so a failure carries both. */
export async function run(command: string, cwd: string, args: readonly string[]): Promise<void> {
  const options = { cwd, maxBuffer: 16 * 1024 * 1024 }
  await new Promise<void>((resolve, reject) => {
    execFile(command, [...args], options, (error, stdout) => {
      if (error === null) resolve()
      else reject(new Error(`${error.message}\n${stdout}`, { cause: error }))
    })
  })
}
