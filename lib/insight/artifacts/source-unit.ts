/** Compilations and their sources, whose text and AST are read at first use, and the lines of a text. */

import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { bisect } from '../../base/bisect.ts'
import { toHex } from '../../base/hex.ts'
import { lazyMembers, oncePer } from '../../base/once.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { ListedSource } from '../../schema/report-results.ts'
import { isAstNode, type AstNode } from './ast-node.ts'
import { isVyper } from './code.ts'
import type { Compilation, CompilerLanguage, SourceUnit } from './compilation.ts'
import { readSettings, type ContractMetadata } from './schemas.ts'

/** A source whose text and AST are not read yet. */
export interface SourceRecord extends Pick<SourceUnit, 'id' | 'path'> {
  readonly content: () => string | undefined
  readonly ast: () => unknown
}

const sourceOf = ({ id, path, content, ast }: SourceRecord): SourceUnit =>
  lazyMembers<SourceUnit>({ id: () => id, path: () => path, content, ast: () => astOrNone(ast()) })

const astOrNone = (ast: unknown): AstNode | undefined => (isAstNode(ast) ? ast : undefined)

interface CompilationRecord extends Pick<ContractMetadata, 'compiler' | 'language'> {
  /** From the compiler's input or the metadata. */
  readonly settings?: unknown
  readonly sources: readonly SourceRecord[]
}

export function compilationOf({ compiler, language, settings, sources }: CompilationRecord): Compilation {
  const units = sources.map(sourceOf)
  const byId = new Map(units.map((unit) => [unit.id, unit]))
  return {
    compiler: versionIn(compiler?.version ?? ''),
    language: language === 'Yul' ? language : languageOf(language, units),
    settings: readSettings(settings),
    source: (id) => byId.get(id),
    sources: units,
  }
}

const languageOf = (language: string | undefined, sources: readonly SourceUnit[]): CompilerLanguage =>
  language === 'Vyper' || sources.some(({ path }) => isVyper(path)) ? 'Vyper' : 'Solidity'

/** The version without build suffixes, such as `.Emscripten.clang`. */
const versionIn = (text: string): string =>
  /\d+\.\d+\.\d+(-[\w.]+)?(\+commit\.[0-9a-f]+)?/.exec(text)?.[0] ?? ''

/** Project folders where import paths may begin. */
const IMPORT_FOLDERS = ['.', 'node_modules', 'lib']

/**
 * The text of a source on disk, from the first folder that has it. If a hash is given, a different text is ignored, because the
 * file has changed since it was compiled.
 */
export function textOnDisk(path: string, folders: readonly string[], hash?: string): string | undefined {
  const roots = IMPORT_FOLDERS.flatMap((imports) => folders.map((folder) => join(folder, imports)))
  const paths = isAbsolute(path) ? [path] : roots.map((root) => join(root, path))
  for (const candidate of paths) {
    const bytes = bytesIfReadable(candidate)
    if (bytes !== undefined && (hash === undefined || hash === toHex(keccak256(bytes)))) {
      return bytes.toString('utf8')
    }
  }
  return undefined
}

export const hashOfText = (text: string): string => toHex(keccak256(Buffer.from(text, 'utf8')))

function bytesIfReadable(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

const LINE_FEED = 0x0a

export class SourceLines {
  readonly #bytes: Buffer
  /** Position of the first byte of each line. */
  readonly #starts: readonly number[]

  constructor(content: string) {
    this.#bytes = Buffer.from(content)
    const starts = [0]
    for (let at = this.#bytes.indexOf(LINE_FEED); at >= 0; at = this.#bytes.indexOf(LINE_FEED, at + 1))
      starts.push(at + 1)
    this.#starts = starts
  }

  /** Line and column of a byte, from 1; the column is in UTF-16 units. Positions beyond the end give the end. */
  positionOf(offset: number) {
    const line = bisect(this.#starts.length, (index) => (this.#starts[index] ?? 0) <= offset)
    const start = this.#starts[line - 1] ?? 0
    return { line, column: this.#bytes.toString('utf8', start, offset).length + 1 }
  }

  textOf(line: number): string {
    const start = this.#starts[line - 1]
    if (start === undefined) return ''
    return this.#bytes.toString('utf8', start, this.#starts[line] ?? this.#bytes.length).replace(/\r?\n$/, '')
  }

  excerpt(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }
}

/** The lines of a source, read at the first call; undefined if its text is unknown. */
export const linesOf = oncePer(({ content }: SourceUnit) =>
  content === undefined ? undefined : new SourceLines(content),
)

const ID_DIGITS = 18

export const listedSource = oncePer(({ path, content }: SourceUnit): ListedSource => {
  const id = hashOfText(`${path}\n${content ?? ''}`).slice(0, ID_DIGITS)
  return { id, path, content }
})

/** Maximum number of characters of all texts in an answer. */
const MAX_TEXT = 8_000_000

/** The distinct sources. Texts beyond eight million characters are left out. */
export function listedSources(units: Iterable<SourceUnit>): readonly ListedSource[] {
  const byId = new Map<string, ListedSource>()
  let length = 0
  for (const unit of units) {
    const source = listedSource(unit)
    if (byId.has(source.id)) continue
    length += source.content?.length ?? 0
    byId.set(source.id, length > MAX_TEXT ? { ...source, content: undefined } : source)
  }
  return [...byId.values()]
}
