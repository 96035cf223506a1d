/** Contracts as solc compiled them: kept in fixtures/compiled, so that `npm test` needs no compiler. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Standard JSON input of solc. */
export interface SolcInput {
  readonly language: string
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly settings: { readonly outputSelection: object; readonly [name: string]: unknown }
}

/** A fixture: what was compiled, by which version, and the result. */
export interface Compiled {
  readonly version: string
  readonly input: SolcInput
  readonly output: any
}

interface Solc {
  readonly compile: (input: string, callbacks: object) => string
}

const folder = join(import.meta.dirname, '../../fixtures/compiled')
const require = createRequire(import.meta.url)
/** The newest version, and the one that Hardhat installs. */
const INSTALLED = [require, createRequire(require.resolve('hardhat/package.json'))]

/** The version of the compiler unless another is named. */
export const NEWEST = '0.8.37'
export const VERSION_OF_HARDHAT = '0.8.26'

const CODE = ['object', 'sourceMap', 'linkReferences', 'generatedSources']

/** The outputs that artifacts of the tools contain and tests use. */
export const OUTPUTS = [
  'abi',
  'metadata',
  'storageLayout',
  'evm.methodIdentifiers',
  ...CODE.map((part) => `evm.bytecode.${part}`),
  ...[...CODE, 'immutableReferences'].map((part) => `evm.deployedBytecode.${part}`),
]

/** The output for an input, from the fixtures. `npm run fixtures` compiles what is missing there. */
export function compiled(input: SolcInput, version = NEWEST): any {
  const file = join(folder, fileOf(input, version))
  if (existsSync(file)) return readFixture(file).output
  if (process.env['DEV_NODE_FIXTURES'] !== 'write')
    throw new Error(`${basename(file)} is not in fixtures/compiled: npm run fixtures compiles it`)
  const output = compileNow(input, installedSolc(version))
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, gzipSync(JSON.stringify({ version, input, output }), { level: 9 }))
  return output
}

/** Every fixture by its file. */
export function allCompiled(): readonly (readonly [file: string, fixture: Compiled])[] {
  return readdirSync(folder).map((file) => [file, readFixture(join(folder, file))])
}

/** Name of the file of an input: its first source, and a hash that changes with everything that is compiled. */
export function fileOf(input: SolcInput, version: string): string {
  const hash = createHash('sha256').update(version).update(JSON.stringify(input)).digest('hex').slice(0, 12)
  const [first = ''] = Object.keys(input.sources)
  return `${basename(first).replace(/\.\w+$/, '')}-${hash}.json.gz`
}

/** Compiles; an error of the compiler is thrown. */
export function compileNow(input: SolcInput, solc: Solc): any {
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const errors = (output.errors ?? []).filter(({ severity }: any) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((one: any) => one.formattedMessage).join('\n'))
  return output
}

/** A version that is installed with the dependencies. */
export function installedSolc(version: string): Solc {
  const found = INSTALLED.find((from) => from('solc/package.json').version === version)
  if (found === undefined) throw new Error(`solc ${version} is not installed`)
  return found('solc')
}

const readFixture = (file: string): Compiled => JSON.parse(gunzipSync(readFileSync(file)).toString())

/** Answers an import such as `@openzeppelin/contracts/access/Ownable.sol` from the installed package. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}
