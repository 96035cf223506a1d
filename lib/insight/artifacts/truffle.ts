/** Reads artifacts of Truffle (`build/contracts/<contract>.json`), which contain one source each. */

import { basename } from 'node:path'
import type { Compilation } from './compilation.ts'
import { projectPath, type ArtifactFolder, type ContractRecord } from './build-info.ts'
import type { CodeKind } from './code.ts'
import { JsonValue, type JsonFile } from './json-file.ts'
import { once } from '../../base/once.ts'
import { readAst, readMetadata, type SourceAst } from './schemas.ts'
import { compilationOf, hashOfText, type SourceRecord } from './source-unit.ts'

/** Members with the code, its source map, and the sources that the compiler added. */
const MEMBERS: Readonly<Record<CodeKind, readonly string[]>> = {
  creation: ['bytecode', 'sourceMap', 'generatedSources'],
  runtime: ['deployedBytecode', 'deployedSourceMap', 'deployedGeneratedSources'],
}

/** Names of the members for code, its source map, and the compiler's own sources. */
export function truffleContract(file: JsonFile, folder: ArtifactFolder): ContractRecord | undefined {
  const { root } = file
  const name = root.at('contractName').text
  if (name === undefined || !root.at('schemaVersion').isPresent) return undefined
  const metadata = once(() => readMetadata(root.at('metadata').text))
  const code = (kind: CodeKind): JsonValue =>
    new JsonValue(() => {
      const [object, sourceMap, generatedSources] = MEMBERS[kind].map((member) => root.at(member).value)
      return { object, sourceMap, generatedSources }
    })
  return {
    get path() {
      return pathOf(Object.keys(metadata().settings?.compilationTarget ?? {})[0] ?? '')
    },
    name,
    abi: root.at('abi'),
    code,
    compilation: () => compilationIn(file, folder),
  }
}

/** Truffle names sources `project:/contracts/Token.sol`; before version 5.1 it used their path on disk. */
function pathOf(path: string): string {
  const [, inPackage, inProject] = /\/node_modules\/(.*)$|^\/.*\/(contracts\/.*)$/.exec(path) ?? []
  return inPackage ?? inProject ?? projectPath(path)
}

/** A contract's sources are in its own artifact and in the artifacts of contracts it imports. */
function compilationIn(file: JsonFile, folder: ArtifactFolder): Compilation {
  const metadata = readMetadata(file.root.at('metadata').text)
  const own = astOf(file)
  const records = Object.entries(metadata.sources ?? {}).flatMap(([path, { keccak256 }]) => {
    const isSource = (other: JsonFile): boolean => hasSource(other, pathOf(path), keccak256)
    const isInRun = (other: JsonFile): boolean => isSource(other) && isSameRun(own, astOf(other))
    const from = isSource(file) ? file : folder.artifactsOf(basename(path)).find(isInRun)
    return from === undefined ? [] : sourceIn(from, pathOf(path))
  })
  return compilationOf({ ...metadata, sources: records })
}

function hasSource({ root }: JsonFile, path: string, hash: string | undefined): boolean {
  if (root.at('sourcePath').text?.replaceAll('\\', '/').endsWith(`/${path}`) !== true) return false
  const text = root.at('source').text
  return text !== undefined && (hash === undefined || hashOfText(text) === hash)
}

const astOf = ({ root }: JsonFile): SourceAst | undefined => readAst(root.at('ast').value)

/**
 * Whether source ids mean the same in two artifacts: Truffle compiles changed files only, and each compiler run numbers sources and
 * AST nodes anew. Artifacts of one run name the same nodes.
 */
function isSameRun(one: SourceAst | undefined, other: SourceAst | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const symbols = Object.entries(other.exportedSymbols)
  return symbols.every(([name, ids]) => (one.exportedSymbols[name]?.join() ?? ids.join()) === ids.join())
}

function sourceIn(file: JsonFile, path: string): readonly SourceRecord[] {
  const id = Number(astOf(file)?.src.split(':')[2])
  if (!Number.isInteger(id)) return []
  const { root } = file
  return [{ id, path, content: () => root.at('source').text, ast: () => root.at('ast').value }]
}
