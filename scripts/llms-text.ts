/** Makes llms.txt (llmstxt.org), by which coding agents find the documents that the package carries. */

import { readFileSync, readdirSync } from 'node:fs'

/** A document: its title, and the paragraph that it begins with. */
interface Beginning {
  readonly title: string
  readonly paragraph: string
}

/** Folders whose documents the package carries, in the order in which a new user reads them. */
const FOLDERS = ['docs/start', 'docs/how-to', 'docs']

/** The text: a link to each document, with the sentence that it begins with. */
export function llmsText(): string {
  const { title, paragraph } = beginningOf('README.md')
  const sections = [
    `# ${title}`,
    `> ${paragraph.replace(/:$/, '.')}`,
    '## Documents',
    links(['README.md', ...FOLDERS.flatMap(documentsIn)]),
    '## Examples',
    links(['examples/README.md', ...examples()]),
    // By the convention, agents that need a short context skip this section.
    '## Optional',
    links(['CHANGELOG.md', 'ARCHITECTURE.md', 'SECURITY.md']),
  ]
  return `${sections.join('\n\n')}\n`
}

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
      const { title, paragraph } = beginningOf(file)
      const sentence = /^.*?[.?](?= |$)/.exec(paragraph)?.[0] ?? paragraph
      return `- [${title}](${file}): ${sentence}`
    })
    .join('\n')

function beginningOf(file: string): Beginning {
  const [, title, lines] = /^# (.+)\n\n((?!#|```)[^]+?)\n\n/.exec(readFileSync(file, 'utf8')) ?? []
  if (title === undefined || lines === undefined)
    throw new Error(`${file}: begin with a paragraph below the title, which llms.txt shows`)
  const withoutLinks = lines.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return { title, paragraph: withoutLinks.replaceAll('\n', ' ') }
}
