/** The compilations of contracts as build infos: sources, ASTs and source maps of what ran and its imports. */

import { toDigits } from '../../base/hex.ts'
import { getOrAdd } from '../../base/once.ts'
import { isAstNode, listAt, rangeOf, textAt } from '../../insight/artifacts/ast-node.ts'
import type {
  CodeMask,
  Compilation,
  CompiledCode,
  CompiledContract,
  SourceUnit,
} from '../../insight/artifacts/compilation.ts'

/** A compiler run, in the form that the readers of artifacts know. */
export type RecordedBuild = ReturnType<typeof buildOf>

export function buildsOf(contracts: Iterable<CompiledContract>): readonly RecordedBuild[] {
  const byCompilation = new Map<Compilation, CompiledContract[]>()
  for (const contract of contracts) getOrAdd(byCompilation, contract.compilation, () => []).push(contract)
  return Array.from(byCompilation, ([compilation, own]) => buildOf(compilation, own))
}

function buildOf(compilation: Compilation, contracts: readonly CompiledContract[]) {
  const { compiler, language, settings } = compilation
  const starts = startsOf(contracts)
  const units = sourcesOf(compilation, contracts, starts.keys())
  const named: Record<string, Record<string, object>> = {}
  for (const contract of contracts) (named[contract.path] ??= {})[contract.name] = outputOf(contract)
  return {
    solcLongVersion: compiler,
    input: {
      language,
      // Unknown settings stay unknown.
      settings: settings.isKnown
        ? { optimizer: { enabled: settings.isOptimized }, viaIR: settings.viaIr }
        : [],
      sources: Object.fromEntries(units.map(({ path, content = '' }) => [path, { content }])),
    },
    output: {
      contracts: named,
      sources: Object.fromEntries(
        units.map(({ id, path, ast }) => [path, { id, ast: usedPart(ast, starts.get(id)) }]),
      ),
    },
  }
}

/** Members of ASTs that dev-node does not read. */
const UNREAD =
  /^(argumentTypes|exportedSymbols|isConstant|isLValue|lValueRequested|memberLocation|nameLocations?|nativeSrc|overloadedDeclarations|scope)$/

/** An AST without these members, and without functions that are in no code. A third of its text remains. */
function usedPart(ast: unknown, starts: ReadonlySet<number> = new Set()): unknown {
  const all = [...starts]
  const isIdle = (value: unknown): boolean => {
    if (!isAstNode(value) || value['kind'] !== 'function' || !isAstNode(value['body'])) return false
    const { start: begin, end } = rangeOf(value)
    return !all.some((start) => start >= begin && start < end)
  }
  const used = (name: string, value: unknown): unknown => {
    if (UNREAD.test(name) || isIdle(value)) return undefined
    // A struct's comment may define where it is stored.
    if (!isAstNode(value) || value.nodeType === 'StructDefinition') return value
    const id = DECLARATION.test(value.nodeType) ? value['id'] : undefined
    return { ...value, id, documentation: undefined }
  }
  return ast && JSON.parse(JSON.stringify(ast, used))
}

/** Nodes that others refer to by their id. */
const DECLARATION = /Definition|Declaration/

/** The sources of contracts with everything they import. Without ASTs, only those that the source maps name. */
function sourcesOf(
  compilation: Compilation,
  contracts: readonly CompiledContract[],
  idsInMaps: Iterable<number>,
): readonly SourceUnit[] {
  const byPath = new Map(compilation.sources.map((unit) => [unit.path, unit]))
  const found = new Set<SourceUnit>()
  const add = (unit: SourceUnit | undefined): void => {
    if (unit === undefined || found.has(unit)) return
    found.add(unit)
    if (unit.ast === undefined) return
    for (const node of listAt(unit.ast, 'nodes')) {
      const path = node.nodeType === 'ImportDirective' ? textAt(node, 'absolutePath') : undefined
      if (path !== undefined)
        add(byPath.get(path) ?? compilation.sources.find((one) => path.endsWith(one.path)))
    }
  }
  for (const { path } of contracts) add(byPath.get(path))
  for (const id of idsInMaps) add(compilation.source(id))
  return [...found]
}

/** Where the source parts that code comes from begin, by source id. An entry of a map omits what equals the previous entry. */
function startsOf(contracts: readonly CompiledContract[]): ReadonlyMap<number, ReadonlySet<number>> {
  const starts = new Map<number, Set<number>>()
  for (const map of contracts.flatMap(({ creation, runtime }) => [creation?.sourceMap, runtime?.sourceMap])) {
    let [start, file] = ['', '']
    for (const entry of map?.split(';') ?? []) {
      const [ownStart, , ownFile] = entry.split(':')
      ;[start, file] = [ownStart || start, ownFile || file]
      getOrAdd(starts, Number(file), () => new Set()).add(Number(start))
    }
  }
  return starts
}

const outputOf = ({ abi, creation, runtime }: CompiledContract): object => ({
  abi,
  evm: { bytecode: codeOf(creation), deployedBytecode: codeOf(runtime) },
})

const codeOf = (code: CompiledCode | undefined): object | undefined =>
  code && {
    object: withPlaceholders(code),
    sourceMap: code.sourceMap,
    generatedSources: Array.from(code.generatedFiles, (id) => ({ id })),
    immutableReferences: Object.fromEntries(
      Array.from(code.immutables, ([id, start]) => [id, [{ start, length: 32 }]]),
    ),
  }

/** Length of an address, and its placeholder in the hex text of unlinked code. */
const ADDRESS = 20
const PLACEHOLDER = `__$${'0'.repeat(34)}$__`

/** The hex text with placeholders for linked libraries. A library contains its own address after its first byte. */
function withPlaceholders({ bytes, masks }: CompiledCode): string {
  const isLink = ({ start, length }: CodeMask): boolean => length === ADDRESS && start !== 1
  let text = toDigits(bytes)
  for (const { start } of masks.filter(isLink))
    text = `${text.slice(0, 2 * start)}${PLACEHOLDER}${text.slice(2 * (start + ADDRESS))}`
  return text
}
