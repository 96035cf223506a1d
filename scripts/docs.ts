/**
 * Writes what is generated from declarations: in README.md the tables of methods, of the specification's methods and of
 * options; the table of other nodes' methods; and the types of params and results. A test fails while they are not current.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { optionsMarkdown } from '../lib/cli/help-table.ts'
import { methodsMarkdown, peerMarkdown, specMarkdown } from '../lib/rpc/markdown.ts'
import type { PeerMethod, SpecMethod } from '../lib/rpc/markdown.ts'
import { allMethods } from '../lib/rpc/methods/all.ts'
import { rpcTypes } from './rpc-types.ts'

const specMethods = JSON.parse(readFileSync('fixtures/spec-methods.json', 'utf8')) as readonly SpecMethod[]

const peerMethods = JSON.parse(readFileSync('fixtures/peer-methods.json', 'utf8')) as {
  readonly methods: readonly PeerMethod[]
}

/** The README with its generated parts renewed. Each stands between two comments that name it. */
export function renewed(readme: string): string {
  const parts = {
    methods: methodsMarkdown(allMethods),
    'spec-methods': specMarkdown(specMethods, allMethods),
    options: optionsMarkdown(),
  }
  return Object.entries(parts).reduce((text, [part, content]) => replaced(text, part, content), readme)
}

/** Where the methods of other nodes are compared. */
export const PEERS_FILE = 'docs/peer-methods.md'

/** That document with its table renewed. */
export function renewedPeers(document: string): string {
  return replaced(document, 'peer-methods', peerMarkdown(peerMethods.methods, allMethods))
}

/** Where the types of params and results are. */
export const TYPES_FILE = 'lib/embedded/rpc-types.ts'

/** The types of params and results, formatted. */
export async function renewedTypes(): Promise<string> {
  return format(rpcTypes(allMethods), { ...(await resolveConfig(TYPES_FILE)), parser: 'typescript' })
}

function replaced(text: string, part: string, content: string): string {
  const [start, end] = [`<!-- generated: ${part} -->`, `<!-- end of ${part} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the document has no generated part "${part}"`)
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`
}

if (process.argv.includes('--write')) {
  writeFileSync('README.md', renewed(readFileSync('README.md', 'utf8')))
  writeFileSync(PEERS_FILE, renewedPeers(readFileSync(PEERS_FILE, 'utf8')))
  writeFileSync(TYPES_FILE, await renewedTypes())
}
