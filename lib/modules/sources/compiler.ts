/** Compiles downloaded sources with a solc on this machine, and checks that they give the code on the chain. */

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { toHex } from '../../base/hex.ts'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { isSameCode, readCode } from '../../insight/artifacts/code.ts'
import { JsonValue } from '../../insight/artifacts/json-file.ts'
import { SourceFault, compilerOutput, readAnswer } from './found-source.ts'
import type { CompilerInput, CompilerOutput, FoundSource, StoredBuild } from './found-source.ts'

const execute = promisify(execFile)

/** A compiler is ended after this many milliseconds or bytes of output. */
const [MAX_MS, MAX_OUTPUT] = [60_000, 256 * 1024 * 1024]

/** Outputs needed for lines, names and variables. */
const OUTPUTS = ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode']

/** A build, and a remark about it. Without a build the sources are not used. */
interface CheckedBuild {
  readonly build?: StoredBuild
  readonly fault?: string | undefined
}

export class Compilers {
  readonly #places: readonly string[]
  readonly #closing = new AbortController()

  /** Without places, the folders of Hardhat and Foundry are used. */
  constructor(places: readonly string[]) {
    // The compilers run in another folder, so paths become absolute.
    this.#places = (places.length === 0 ? defaultPlaces() : places).map((place) => resolve(place))
  }

  /** Compiles the sources if the machine has their compiler. Otherwise the build contains what the provider knows, without ASTs. */
  async checkedBuild(source: FoundSource, code: Uint8Array): Promise<CheckedBuild> {
    const { name, compiler, input } = source
    const common = { _format: 'dev-node-sources-1', solcLongVersion: compiler, name, input } as const
    const compiled = await this.#compile(source).catch((error: unknown) => reasonOf(error))
    if (typeof compiled === 'object')
      return hasCode(compiled, name, code)
        ? { build: { ...common, output: compiled } }
        : { fault: `solc ${compiler} makes another code of them` }
    const version = compiler.replace(/\+.*$/s, '')
    const hint =
      input.language === 'Solidity' ? `name a folder that has solc ${version} with --solc` : undefined
    return { build: { ...common, output: withoutCompiler(source, code), hint }, fault: compiled }
  }

  /** Compiles a source with its own compiler, with ASTs; undefined without that compiler. @throws SourceFault */
  async #compile({ name, compiler, input }: FoundSource): Promise<CompilerOutput | undefined> {
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
      for (const file of await readdir(place, { recursive: true, withFileTypes: true }).catch(() => []))
        if (file.isFile() && name.test(file.name)) return join(file.parentPath, file.name)
    }
    return undefined
  }

  /** What a program prints about its version; nothing for a folder. */
  async #versionOf(place: string): Promise<string> {
    const limits = { timeout: MAX_MS, env: {}, signal: this.#closing.signal }
    const printed = await execute(place, ['--version'], limits).catch(() => undefined)
    return printed?.stdout ?? ''
  }

  async #run(program: string, input: string): Promise<string> {
    const limits = { timeout: MAX_MS, maxBuffer: MAX_OUTPUT, signal: this.#closing.signal }
    // An empty folder, so that the compiler finds no file to import.
    const cwd = await mkdtemp(join(tmpdir(), 'dev-node-solc-'))
    try {
      const running = execute(program, ['--standard-json'], { cwd, env: {}, ...limits })
      // A program may end before it has read everything.
      running.child.stdin?.on('error', () => undefined)
      running.child.stdin?.end(input)
      return (await running).stdout
    } catch (error) {
      throw new SourceFault(`${program} failed: ${reasonOf(error).slice(0, 200)}`)
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
  }
}

const isError = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isJsonObject(value) && value['severity'] === 'error'

const literal = (text: string): string => text.replaceAll('.', '\\.')

/** The input with only the outputs that are read: the contract's, and the ASTs. */
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

const hasCode = ({ contracts }: CompilerOutput, name: string, code: Uint8Array): boolean =>
  Object.values(contracts).some((inFile) => {
    const object = new JsonValue(() => inFile[name]).at('evm').at('deployedBytecode').at('object').value
    const compiled = readCode(object, 'runtime')
    return compiled !== undefined && isSameCode(code, compiled)
  })

/** A contract's names and texts. Its code is that on the chain; the provider says that both belong together. */
function withoutCompiler({ name, input, abi }: FoundSource, code: Uint8Array): CompilerOutput {
  const paths = Object.keys(input.sources)
  const declaration = new RegExp(`\\b(contract|library)\\s+${name.replaceAll(/\W/g, '')}\\b`)
  const path =
    paths.find((candidate) => declaration.test(input.sources[candidate]?.content ?? '')) ?? paths[0] ?? name
  return {
    sources: Object.fromEntries(paths.map((sourcePath, id) => [sourcePath, { id }])),
    contracts: { [path]: { [name]: { abi, evm: { deployedBytecode: { object: toHex(code) } } } } },
  }
}
