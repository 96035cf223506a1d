/**
 * Builds the site of the documents into site/dist: the pages of what llms.txt lists, with search, beside their Markdown and llms.txt. Its
 * pages load nothing from elsewhere. Fails on a link that leads nowhere.
 */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { build } from 'esbuild'
import { present } from '../lib/base/invariant.ts'
import { writeLicences } from '../scripts/licences.js'
import { beginningOf, packedDocuments } from '../scripts/llms-text.ts'
import { contentsOf, entryOf } from './contents.ts'
import { pageHtml } from './page.ts'
import { pageOf, rendered } from './render.ts'
import type { Rendered } from './render.ts'
import { sectionsOf } from './sections.ts'

const SITE = 'site/dist'

/** Pages that the contents do not name. */
const FOOT = ['docs/README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'SECURITY.md']

const documents = Object.values(packedDocuments()).flat()

/** Pictures and the files that guides use are in docs. */
const isOnSite = (file: string): boolean =>
  documents.includes(file) || (/^docs\/(?!internal\/)/.test(file) && !file.endsWith('.md'))

const pages = new Map(documents.map((file) => [file, rendered(file, readFileSync(file, 'utf8'), isOnSite)]))
const page = (file: string): Rendered => present(pages.get(file), file)

const places = new Set(
  [...pages.values()].flatMap(({ file, headings }) => headings.map(({ anchor }) => `${file}#${anchor}`)),
)
const dead = [...pages.values()].flatMap(({ file, links }) =>
  links
    .filter(({ target }) => !target.endsWith('#') && !places.has(target))
    .map(({ target }) => `${file}: the link to ${target} leads nowhere`),
)
if (dead.length > 0) throw new Error(dead.join('\n'))

rmSync(SITE, { recursive: true, force: true })
cpSync('docs', join(SITE, 'docs'), { recursive: true, filter: (file) => !file.startsWith('docs/internal') })
const frame = {
  contents: contentsOf(page('docs/README.md'), pages),
  foot: FOOT.map((file) => entryOf(page(file))),
}
for (const file of documents) {
  mkdirSync(join(SITE, dirname(file)), { recursive: true })
  cpSync(file, join(SITE, file))
  writeFileSync(join(SITE, pageOf(file)), pageHtml(page(file), beginningOf(file).sentence, frame))
}
cpSync('llms.txt', join(SITE, 'llms.txt'))

const sections = [...pages.values()].flatMap(sectionsOf)
const { metafile } = await build({
  entryPoints: ['site/browser/page.ts', 'site/browser/search.ts', 'site/style.css'],
  outdir: SITE,
  entryNames: '[name]',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  define: { SECTIONS: JSON.stringify(sections) },
  metafile: true,
  logLevel: 'warning',
})
await writeLicences(join(SITE, 'THIRD-PARTY-LICENSES.txt'), Object.keys(metafile.inputs))
console.log(`${SITE}: ${pages.size} pages`)
