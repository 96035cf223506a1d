/** The frame of a page: its head, the contents at the left, its headings at the right. style.css arranges them. */

import { dirname, relative } from 'node:path/posix'
import { entryOf } from './contents.ts'
import type { Contents, Entry } from './contents.ts'
import { escaped, pageOf } from './render.ts'
import type { Rendered } from './render.ts'

/** What the frames of all pages have. */
export interface Frame {
  readonly contents: Contents
  /** The pages at the foot, which the contents do not name. */
  readonly foot: readonly Entry[]
}

/** The whole text of a page. All its addresses are relative, so that the site can be in any folder, also of a disk. */
export function pageHtml(page: Rendered, description: string, { contents, foot }: Frame): string {
  const { file, html, headings } = page
  const root = relative(dirname(file), '.') || '.'
  const { title } = entryOf(page)
  const link = (to: Entry): string => {
    const current = to.file === file ? ' aria-current="page"' : ''
    return `<a href="${root}/${pageOf(to.file)}"${current}>${escaped(to.title)}</a>`
  }
  const kinds = [...contents].map(
    ([kind, entries]) => `<h2>${escaped(kind)}</h2>\n${list(entries.map(link))}`,
  )
  const outline = headings
    .filter(({ depth }) => depth === 2)
    .map((heading) => `<a href="#${heading.anchor}">${escaped(heading.title)}</a>`)
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(description)}">
<title>${escaped(title === 'dev-node' ? title : `${title} · dev-node`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/style.css">
<script defer src="${root}/page.js"></script>
</head>
<body>
<header>
<a class="skip" href="#content">Skip to the content</a>
<button type="button" popovertarget="contents">Contents</button>
<a class="brand" href="${root}/index.html">dev-node</a>
<search>
<input type="search" placeholder="Search" aria-label="Search the documents" autocomplete="off" spellcheck="false">
<div id="results" hidden></div>
</search>
</header>
<nav id="contents" aria-label="Contents" popover>
${kinds.join('\n')}
</nav>
<main id="content" tabindex="-1">
${html}</main>
${outline.length > 1 ? `<nav id="outline" aria-label="On this page">\n${list(outline)}\n</nav>` : ''}
<footer>
${list([...foot.map(link), `<a href="${root}/llms.txt">llms.txt</a>`])}
</footer>
</body>
</html>
`
}

const list = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`
