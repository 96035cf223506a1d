/** Lines above code: the last failure, gas and executions of the last run. */

import { CodeLens, EventEmitter, Range } from 'vscode'
import type { CodeLensProvider, Command, Disposable, TextDocument } from 'vscode'
import type { GasFigures, TransactionFigures } from '../../lib/modules/gas-report/results.ts'
import { urlSetting } from './configurations.ts'
import { declarationsIn, functionsBySignature } from './declarations.ts'
import { nodeUrls, readFacts } from './node-facts.ts'
import type { NodeFacts } from './node-facts.ts'

/** A lens before VS Code has it. Lines begin at 0. */
interface Note {
  readonly line: number
  readonly command: Command
}

/** The lenses of Solidity files. The node is asked only while such a file is shown. */
export class SolidityLenses implements CodeLensProvider, Disposable {
  readonly #changes = new EventEmitter<void>()
  readonly onDidChangeCodeLenses = this.#changes.event
  #facts: Promise<NodeFacts | undefined> | undefined

  /** Asks the node again for the files that are shown. */
  renew(): void {
    this.#facts = undefined
    this.#changes.fire()
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    const facts = await (this.#facts ??= readFacts(nodeUrls(urlSetting())))
    if (facts === undefined) return []
    const notes = [
      ...failureNotes(document, facts),
      ...gasNotes(document, facts),
      ...runNotes(document, facts),
    ]
    return notes.map(({ line, command }) => new CodeLens(new Range(line, 0, line, 0), command))
  }

  dispose(): void {
    this.#changes.dispose()
  }
}

/** The newest failure of each line that is still as it was. */
function* failureNotes(document: TextDocument, { failures, url }: NodeFacts): Generator<Note> {
  const seen = new Set<number>()
  for (const { id, reason, place } of failures) {
    if (place?.file === undefined || place.line === undefined || !isFile(document, place.file)) continue
    const line = place.line - 1
    const isSame = line < document.lineCount && document.lineAt(line).text.trim() === place.excerpt?.trim()
    if (!isSame || seen.has(line)) continue
    seen.add(line)
    const command = 'dev-node.debugFailure'
    yield {
      line,
      command: { title: 'Debug last failure here', tooltip: reason, command, arguments: [id, url] },
    }
  }
}

/** Gas of the functions and contracts of a file. */
function* gasNotes(document: TextDocument, { gas }: NodeFacts): Generator<Note> {
  const declarations = declarationsIn(document.getText())
  for (const { contract: title, deployments, functions } of gas?.contracts ?? []) {
    const split = title.lastIndexOf(':')
    if (!isFile(document, title.slice(0, split))) continue
    const own = declarations.filter(({ contract }) => contract === title.slice(split + 1))
    const head = own.find((one) => one.function === undefined)
    if (head !== undefined && deployments !== undefined)
      yield* note(head.line, gasText('deployment', deployments))
    const found = functionsBySignature(
      own,
      functions.map((row) => row.function),
    )
    for (const { function: signature, transactions, calls } of functions) {
      const line = found.get(signature)?.line
      if (line === undefined) continue
      if (transactions !== undefined) yield* note(line, gasText('transaction', transactions))
      if (calls !== undefined) yield* note(line, gasText('call', calls))
    }
  }
}

/** `53,800 gas (4 transactions, 1 failed)`; undefined if none succeeded. */
function gasText(kind: string, figures: GasFigures | TransactionFigures): string | undefined {
  const { count, mean } = figures
  if (mean === undefined) return undefined
  const failed = 'failed' in figures && figures.failed > 0 ? `, ${figures.failed} failed` : ''
  return `${mean.toLocaleString('en')} gas (${counted(count, kind)}${failed})`
}

/** Executions of the functions of a file that are still where they were. */
function* runNotes(document: TextDocument, { coverage }: NodeFacts): Generator<Note> {
  for (const { path, fnMap, f } of Object.values(coverage ?? {})) {
    if (!isFile(document, path)) continue
    for (const [key, { name, line }] of Object.entries(fnMap)) {
      const count = f[key]
      const own = name.slice(name.indexOf('.') + 1)
      const isThere = line <= document.lineCount && document.lineAt(line - 1).text.includes(own)
      if (count !== undefined && isThere)
        yield* note(line - 1, count === 0 ? 'not executed' : counted(count, 'run'))
    }
  }
}

/** A text without a command. */
const note = (line: number, title: string | undefined): readonly Note[] =>
  title === undefined ? [] : [{ line, command: { title, command: '' } }]

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** Whether a document is the file that the compiler names by its path in the project. */
const isFile = ({ uri }: TextDocument, file: string): boolean => uri.path.endsWith(`/${file}`)
