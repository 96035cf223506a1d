/** The contents at the side of each page: what docs/README.md links to, by kind. */

import { present } from '../lib/base/invariant.ts'
import type { Rendered } from './render.ts'

/** A page in the contents. */
export interface Entry {
  readonly file: string
  readonly title: string
}

/** The pages of each kind, in the order of docs/README.md. */
export type Contents = ReadonlyMap<string, readonly Entry[]>

/** The entry of a page. */
export const entryOf = ({ file, headings }: Rendered): Entry => ({
  file,
  title: present(headings[0], file).title,
})

/** The contents by the page of docs/README.md. */
export function contentsOf(overview: Rendered, pages: ReadonlyMap<string, Rendered>): Contents {
  const kinds = overview.headings.filter(({ depth }) => depth === 2).map(({ title }) => title)
  return new Map(
    kinds.map((kind) => {
      const files = overview.links
        .filter(({ section }) => section === kind)
        .map(({ target }) => target.split('#')[0])
      return [kind, [...new Set(files)].map((file = '') => entryOf(present(pages.get(file), file)))]
    }),
  )
}
