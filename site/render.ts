/** Turns the Markdown of a document into the HTML of its page. Links lead to pages, or name files that are not on the site. */

import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { Marked } from 'marked'
import type { RendererObject, Tokens } from 'marked'
import Prism from 'prismjs'
import loadLanguages from 'prismjs/components/index.js'
import { anchorOf } from './anchor.ts'

/** A heading, and its name in links. */
export interface Heading {
  readonly depth: number
  readonly title: string
  readonly anchor: string
}

/** A link to a page: `docs/gas.md#by-line`, `docs/gas.md#`. */
export interface PageLink {
  readonly target: string
  /** The heading of the second level that it is below. */
  readonly section: string | undefined
}

/** A document as a page shows it. */
export interface Rendered {
  readonly file: string
  readonly html: string
  /** In their order; the first is the title of the page. */
  readonly headings: readonly Heading[]
  readonly links: readonly PageLink[]
}

/** The languages of code in the documents by what Prism calls them; others stay without colours. */
const GRAMMARS: Readonly<Record<string, string>> = {
  js: 'javascript',
  json: 'json',
  jsonc: 'json',
  lua: 'lua',
  sh: 'bash',
  solidity: 'solidity',
  toml: 'toml',
  ts: 'typescript',
  yaml: 'yaml',
}

/** Tags that documents may have. What looks like another one should be code. */
const TAGS = /<\/?(?:img|picture|source|sup)\b[^>]*>/g

loadLanguages.silent = true
loadLanguages([...new Set(Object.values(GRAMMARS))])

/** The file of the page that shows a document, in the folder of the site. */
export const pageOf = (document: string): string =>
  document.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')

/** The page of a document. `isOnSite` tells which files of the repository are on the site. */
export function rendered(file: string, markdown: string, isOnSite: (file: string) => boolean): Rendered {
  const headings: Heading[] = []
  const links: PageLink[] = []
  const renderer: RendererObject = {
    heading({ depth, text, tokens }) {
      const anchor = unused(anchorOf(text), headings)
      const html = this.parser.parseInline(tokens)
      const title = textOf(html)
      headings.push({ depth, title, anchor })
      const permalink = `<a class="permalink" href="#${anchor}" aria-label="Link to ${escaped(title)}">#</a>`
      return `<h${depth} id="${anchor}">${html}${depth === 1 ? '' : permalink}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const html = this.parser.parseInline(tokens)
      if (/^[a-z]+:/.test(href)) return `<a href="${href}">${html}</a>`
      const [path = '', anchor = ''] = href.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(target)) throw new Error(`${file}: the link to ${href} leads nowhere`)
      if (!isOnSite(target)) return `<span title="In the repository: ${target}">${html}</span>`
      const section = headings.findLast(({ depth }) => depth === 2)?.title
      links.push({ target: `${target}#${anchor}`, section })
      const page = relative(dirname(file), pageOf(target))
      return `<a href="${page}${anchor && `#${anchor}`}">${html}</a>`
    },
    html({ text }) {
      const rest = text.replaceAll(/<!--[^]*?-->/g, '')
      if (/<[/a-z]/i.test(rest.replaceAll(TAGS, '')))
        throw new Error(`${file}: ${text.trim()} is not shown; write it as code`)
      return rest
    },
    code({ text, lang = '' }: Tokens.Code) {
      return `<pre tabindex="0"><code>${coloured(text, lang)}</code></pre>\n`
    },
  }
  const html = new Marked({ renderer }).parse(markdown, { async: false })
  // Wide tables scroll in a frame of their own, by the keyboard too.
  const framed = html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    // A cell without a text heads nothing.
    .replaceAll(/<th( [^>]*)?><\/th>/g, '<td></td>')
  return { file, html: framed, headings, links }
}

/** The text of a piece of HTML. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<a class="permalink".*?<\/a>|<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A text in HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Headings with the same text have a number from the second on. */
function unused(anchor: string, headings: readonly Heading[]): string {
  const isTaken = (name: string): boolean => headings.some((heading) => heading.anchor === name)
  let name = anchor
  for (let count = 1; isTaken(name); count += 1) name = `${anchor}-${count}`
  return name
}

function coloured(code: string, language: string): string {
  const grammar = Prism.languages[GRAMMARS[language] ?? '']
  return grammar === undefined ? escaped(code) : Prism.highlight(code, grammar, language)
}
