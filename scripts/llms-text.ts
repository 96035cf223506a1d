/** Makes llms.txt (llmstxt.org), by which coding agents find the documents that the package carries. */

import { readFileSync, readdirSync } from 'node:fs'

/** A document: its title, the paragraph that it begins with, and the first sentence of it. */
interface Beginning {
  readonly title: string
  readonly paragraph: string
  readonly sentence: string
}

/** Folders whose documents the package carries, in the order in which a new user reads them. */
const FOLDERS = ['docs/start', 'docs/how-to', 'docs']

/** The text: a link to each document, with the sentence that it begins with. */
export function llmsText(): string {
  const { title, paragraph } = beginningOf('README.md')
  const sections = [
    `# ${title}`,
    `> ${paragraph.replace(/:$/, '.')}`,
    ...Object.entries(packedDocuments()).flatMap(([heading, files]) => [`## ${heading}`, links(files)]),
  ]
  return `${sections.join('\n\n')}\n`
}

/** The documents that the package carries, below the headings of llms.txt. */
export const packedDocuments = (): Readonly<Record<string, readonly string[]>> => ({
  Documents: ['README.md', ...FOLDERS.flatMap(documentsIn)],
  Examples: ['examples/README.md', ...examples()],
  // By the convention, agents that need a short context skip this section.
  Optional: ['CHANGELOG.md', 'ARCHITECTURE.md', 'SECURITY.md'],
})

const examples = (): readonly string[] =>
  readdirSync('examples')
    .filter((name) => !name.includes('.'))
    .sort()
    .map((name) => `examples/${name}/README.md`)

const documentsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`)

const links = (files: readonly string[]): string =>
  files
    .map((file) => {
      const { title, sentence } = beginningOf(file)
      return `- [${title}](${file}): ${sentence}`
    })
    .join('\n')

/** What a document begins with. */
export function beginningOf(file: string): Beginning {
  const [, title, lines] = /^# (.+)\n\n((?!#|```)[^]+?)\n\n/.exec(readFileSync(file, 'utf8')) ?? []
  if (title === undefined || lines === undefined)
    throw new Error(`${file}: begin with a paragraph below the title, which llms.txt shows`)
  const withoutLinks = lines.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const paragraph = withoutLinks.replaceAll('\n', ' ')
  return { title, paragraph, sentence: /^.*?[.?](?= |$)/.exec(paragraph)?.[0] ?? paragraph }
}
