/** Writes the generated parts of README.md: the tables of methods and of options. A test fails while they are not current. */

import { readFileSync, writeFileSync } from 'node:fs'
import { optionsMarkdown } from '../lib/cli/help-table.ts'
import { methodsMarkdown } from '../lib/rpc/markdown.ts'
import { allMethods } from '../lib/rpc/methods/all.ts'

/** The README with its generated parts renewed. Each stands between two comments that name it. */
export function renewed(readme: string): string {
  return replaced(replaced(readme, 'methods', methodsMarkdown(allMethods)), 'options', optionsMarkdown())
}

function replaced(text: string, part: string, content: string): string {
  const [start, end] = [`<!-- generated: ${part} -->`, `<!-- end of ${part} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`README.md has no generated part "${part}"`)
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`
}

if (process.argv.includes('--write')) {
  writeFileSync('README.md', renewed(readFileSync('README.md', 'utf8')))
}
