/** The sections of a page, which its search finds one by one. */

import { entryOf } from './contents.ts'
import { pageOf, textOf } from './render.ts'
import type { Rendered } from './render.ts'

/** A heading with the text up to the next one. */
export interface Section {
  /** Address in the site: `docs/gas.html#by-line`. */
  readonly id: string
  /** Title of the page. */
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** The sections of a page in their order. */
export function sectionsOf(page: Rendered): readonly Section[] {
  const texts = page.html.split(/<h\d id=.*<\/h\d>\n/).slice(1)
  return page.headings.map(({ title, anchor, depth }, index) => ({
    id: `${pageOf(page.file)}${depth === 1 ? '' : `#${anchor}`}`,
    page: entryOf(page).title,
    heading: title,
    text: textOf(texts[index] ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }))
}
