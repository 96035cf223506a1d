/**
 * Writes the parts of docs/ that are generated: tables of methods, options, EIPs and their tests, the methods of the specification and of
 * other nodes, the errors that clients show, the causes and cures of errors, what differs from the reference node, and contracts of examples. Also writes llms.txt. A test
 * fails while they are outdated.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { present } from '../lib/base/invariant.ts'
import { optionsMarkdown } from './options-table.ts'
import { methodsMarkdown, peerMarkdown, specMarkdown } from './methods-tables.ts'
import type { PeerMethod, SpecMethod } from './methods-tables.ts'
import { allMethods } from './all-methods.ts'
import { clientErrorsMarkdown } from './client-errors-table.ts'
import type { ClientErrors } from './client-errors-table.ts'
import { differencesMarkdown } from './reference-table.ts'
import { ROWS } from './reference-differences.ts'
import { eipTestsMarkdown } from './eip-tests.ts'
import { eipsMarkdown } from './eips-table.ts'
import { llmsText } from './llms-text.ts'
import { troublesMarkdown } from './troubles-text.ts'

const specMethods = JSON.parse(readFileSync('fixtures/spec-methods.json', 'utf8')) as readonly SpecMethod[]

const peerMethods = JSON.parse(readFileSync('fixtures/peer-methods.json', 'utf8')) as {
  readonly methods: readonly PeerMethod[]
}

const clientErrors = JSON.parse(
  readFileSync('fixtures/client-errors.json', 'utf8'),
) as readonly ClientErrors[]

/** Contracts of an example as one block of code, without the lines with which each file begins. */
const solidityOf = (folder: string, names: readonly string[]): string => {
  const contracts = names.map((name) =>
    readFileSync(`${folder}/${name}.sol`, 'utf8').replace(/^[^]*?(?=\/\/\/)/, ''),
  )
  return `\`\`\`solidity\n${contracts.join('\n')}\`\`\``
}

const differences = (isGone: boolean) => () =>
  differencesMarkdown(ROWS.filter(({ isGoneWithFaithful }) => isGoneWithFaithful === isGone))

/** The documents with generated parts: the content of each part by its name. */
export const GENERATED: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/methods.md': { methods: () => methodsMarkdown(allMethods) },
  'docs/configuration.md': { eips: eipsMarkdown },
  'docs/internal/eips.md': { 'eip-tests': eipTestsMarkdown },
  'docs/options.md': { options: optionsMarkdown },
  'docs/requests.md': { 'client-errors': () => clientErrorsMarkdown(clientErrors) },
  'docs/specification.md': {
    'default-differences': differences(true),
    'all-differences': differences(false),
    'spec-methods': () => specMarkdown(specMethods, allMethods),
  },
  'docs/troubleshooting.md': { troubles: troublesMarkdown },
  'docs/two-chains.md': {
    contracts: () => solidityOf('examples/two-chains/contracts', ['Locker', 'Minted']),
  },
  'docs/peer-methods.md': { 'peer-methods': () => peerMarkdown(peerMethods.methods, allMethods) },
}

/** The text of a document with its generated parts replaced. A part is between two comments that name it. */
export function renewed(file: string): string {
  const parts = Object.entries(present(GENERATED[file], file))
  return parts.reduce((text, [part, content]) => replaced(text, part, content()), readFileSync(file, 'utf8'))
}

function replaced(text: string, part: string, content: string): string {
  const [start, end] = [`<!-- generated: ${part} -->`, `<!-- end of ${part} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the document has no generated part "${part}"`)
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`
}

if (process.argv.includes('--write')) {
  for (const file of Object.keys(GENERATED)) writeFileSync(file, renewed(file))
  writeFileSync('llms.txt', llmsText())
}
