/** Every citation of the reference node names a section of docs/reference. */

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '..')

/** Folders with comments and documents that cite. */
const CITING = ['assembly', 'bench', 'bin', 'docs', 'explorer', 'fuzz', 'lib', 'scripts', 'test']

/** The notes on the reference node. */
const DOCUMENTS = ['node-chain', 'node-rpc', 'node-next']

/** A citation, as in "node-chain 6.6", "node-chain 4.3 and 6.8", "node-rpc 5.2, 5.8". */
const CITATION = /\bnode-(chain|rpc|next) (\d[\d.]*(?:(?:,| and|, and) \d[\d.]*)*)/g

/** A citation that a comment breaks between the name and the number. */
const BREAK = /\n\s*(?:\*|\/\/)?\s*/g

interface Citation {
  readonly place: string
  readonly document: string
  readonly section: string
}

function citationsIn(place: string, text: string): readonly Citation[] {
  return [...text.replace(BREAK, ' ').matchAll(CITATION)].flatMap(([, document, list]) =>
    (list!.match(/\d+(?:\.\d+)*/g) ?? []).map((section) => ({
      place,
      document: `node-${document}`,
      section,
    })),
  )
}

function sectionsOf(document: string): ReadonlySet<string> {
  const text = readFileSync(join(root, 'docs', 'reference', `${document}.md`), 'utf8')
  return new Set(Array.from(text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\b/gm), ([, number]) => number!))
}

const files = CITING.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|js|md)$/.test(file) && statSync(join(root, folder, file)).isFile())
    .map((file) => join(folder, file)),
)

const citations = files.flatMap((file) => citationsIn(file, readFileSync(join(root, file), 'utf8')))

test('citations are found in lists, and across the lines of a comment', () => {
  const text = '/** Rules (node-chain 9.4\n * and 10.1), node-rpc 5.8. */'
  expect(citationsIn('x', text).map(({ document, section }) => `${document} ${section}`)).toEqual([
    'node-chain 9.4',
    'node-chain 10.1',
    'node-rpc 5.8',
  ])
})

test('every cited section exists', () => {
  const sections = new Map(DOCUMENTS.map((document) => [document, sectionsOf(document)]))
  expect(citations.length).toBeGreaterThan(100)
  const missing = citations.filter(({ document, section }) => !sections.get(document)!.has(section))
  expect(missing).toEqual([])
})

test('every section is cited, or belongs to a cited chapter', () => {
  const cited = new Set(citations.map(({ document, section }) => `${document} ${section}`))
  const chapterOf = (section: string) => section.split('.')[0]!
  const isUsed = (document: string, section: string) =>
    cited.has(`${document} ${section}`) ||
    cited.has(`${document} ${chapterOf(section)}`) ||
    (!section.includes('.') && [...cited].some((one) => one.startsWith(`${document} ${section}.`)))
  for (const document of DOCUMENTS)
    expect([...sectionsOf(document)].filter((section) => !isUsed(document, section))).toEqual([])
})
