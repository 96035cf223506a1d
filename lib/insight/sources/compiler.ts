/** Compiles downloaded sources with a solc that the machine has. The node downloads none. */

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { SourceFault, compilerOutput, readAnswer } from './found-source.ts'
import type { CompilerInput, CompilerOutput, FoundSource } from './found-source.ts'

/** Milliseconds and bytes of output after which a compiler is ended. */
const [MAX_MS, MAX_OUTPUT] = [60_000, 256 * 1024 * 1024]

/** What lines, names and variables need. */
const OUTPUTS = ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode']

/** Compilers of the machine. */
export class Compilers {
  readonly #places: readonly string[]
  readonly #closing = new AbortController()

  /** Without places, the folders of Hardhat and Foundry are used. */
  constructor(places: readonly string[]) {
    // The compilers run in another folder.
    this.#places = (places.length === 0 ? defaultPlaces() : places).map((place) => resolve(place))
  }

  /** What the compiler of a source makes of it, with ASTs; undefined without that compiler. @throws SourceFault */
  async compile({ name, compiler, input }: FoundSource): Promise<CompilerOutput | undefined> {
    const program = input.language === 'Solidity' ? await this.#find(compiler) : undefined
    if (program === undefined) return undefined
    const printed = await this.#run(program, JSON.stringify(inputFor(input, name)))
    const json = jsonValue(printed)
    const errors: unknown = isJsonObject(json) ? json['errors'] : undefined
    const first: unknown = Array.isArray(errors) ? errors.find(isError) : undefined
    if (isError(first)) throw new SourceFault(`solc ${compiler}: ${String(first['message']).slice(0, 200)}`)
    return readAnswer(compilerOutput, json)
  }

  /** Ends the compilers that run. */
  close(): void {
    this.#closing.abort()
  }

  async #find(compiler: string): Promise<string | undefined> {
    const [, version, commit] = /^(\d+\.\d+\.\d+)\+(commit\.[0-9a-f]{8})/.exec(compiler) ?? []
    if (version === undefined || commit === undefined) return undefined
    const name = new RegExp(`^solc-([a-z0-9-]+-)?v?${literal(version)}(\\+${literal(commit)})?(\\.exe)?$`)
    for (const place of this.#places) {
      if (name.test(basename(place)) || (await this.#versionOf(place)).includes(compiler)) return place
      for (const found of await readdir(place, { recursive: true, withFileTypes: true }).catch(() => []))
        if (found.isFile() && name.test(found.name)) return join(found.parentPath, found.name)
    }
    return undefined
  }

  /** What a program of any name prints about its version; nothing for a folder. */
  #versionOf(place: string): Promise<string> {
    return new Promise((done) => {
      const limits = { timeout: MAX_MS, env: {}, signal: this.#closing.signal }
      execFile(place, ['--version'], limits, (error, stdout) => done(error === null ? stdout : ''))
    })
  }

  async #run(program: string, input: string): Promise<string> {
    const limits = { timeout: MAX_MS, maxBuffer: MAX_OUTPUT, signal: this.#closing.signal }
    // An empty folder, in which a compiler finds no file to import.
    const cwd = await mkdtemp(join(tmpdir(), 'dev-node-solc-'))
    const running = new Promise<string>((done, reject) => {
      const child = execFile(program, ['--standard-json'], { cwd, env: {}, ...limits }, (error, stdout) => {
        if (error === null) done(stdout)
        else reject(new SourceFault(`${program} failed: ${reasonOf(error).slice(0, 200)}`))
      })
      // A program that ends before it has read everything.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
    })
    try {
      return await running
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
  }
}

const isError = (one: unknown): one is Readonly<Record<string, unknown>> =>
  isJsonObject(one) && one['severity'] === 'error'

const literal = (text: string): string => text.replaceAll('.', '\\.')

/** The input with the outputs that are read: those of the contract, and the ASTs. */
const inputFor = ({ language, sources, settings }: CompilerInput, name: string) => ({
  language,
  sources,
  settings: {
    ...settings,
    outputSelection: { '*': { '': ['ast'], [name]: OUTPUTS } },
  },
})

/** Where Hardhat and Foundry keep versions of solc. */
function defaultPlaces(): readonly string[] {
  const home = homedir()
  const caches = [join(home, '.cache'), join(home, 'Library', 'Caches'), join(home, 'AppData', 'Local')]
  const data = [home, join(home, '.local', 'share'), join(home, 'Library', 'Application Support')]
  return [
    ...caches.map((folder) => join(folder, 'hardhat-nodejs')),
    ...['.svm', 'svm'].flatMap((name) => data.map((folder) => join(folder, name))),
  ]
}
