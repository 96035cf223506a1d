/** The index of the site, loaded when the search is used first. */

import MiniSearch from 'minisearch'
import type { Section } from '../sections.ts'

/** The sections of all pages, which the build writes in its place. */
declare const SECTIONS: readonly Section[]

/** A section that a search found, with the words by which it did. */
export interface Hit extends Section {
  readonly terms: readonly string[]
}

declare global {
  /** Finds sections with all words, also as the beginnings of longer ones; the best first. Absent until the index is loaded. */
  var findSections: ((words: string) => readonly Hit[]) | undefined
}

const index = new MiniSearch<Section>({
  fields: ['heading', 'page', 'text'],
  searchOptions: {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    boost: { heading: 4, page: 0.5 },
  },
})
index.addAll(SECTIONS)
const sections = new Map(SECTIONS.map((section) => [section.id, section]))

globalThis.findSections = (words) =>
  index.search(words).flatMap(({ id, terms }) => {
    const section = sections.get(String(id))
    return section === undefined ? [] : [{ ...section, terms }]
  })
