/** The part of docs/troubleshooting.md that is generated from fixtures/troubles.json. */

import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** What can go wrong, and the real text of an example. */
const trouble = z.strictObject({
  title: z.string(),
  cause: z.string(),
  cure: z.string(),
  /** Arguments with which the command prints the text. */
  type: z.array(z.string()).optional(),
  /** The text without its end. Without arguments, what differs between runs is in braces. */
  prints: z.string(),
})

export type Trouble = z.output<typeof trouble>

const groups = z.record(z.string(), z.record(z.string().regex(/^DN-[A-Z]+(-[A-Z]+)*$/), trouble))

/** By group and code. */
export const TROUBLES = groups.parse(JSON.parse(readFileSync('fixtures/troubles.json', 'utf8')))

export const troublesMarkdown = (): string =>
  [contents(), ...Object.entries(TROUBLES).map(section)].join('\n\n')

function contents(): string {
  const rows = Object.values(TROUBLES).flatMap((group) =>
    Object.entries(group).map(([code, { title }]) => `| [${code}](#${code.toLowerCase()}) | ${title} |`),
  )
  return ['| code | what happened |', '| --- | --- |', ...rows].join('\n')
}

/** What differs between runs. Braces of code have a space behind them. */
export const VARYING = /\{(?! )([^{}]*)\}/g

const section = ([group, troubles]: readonly [string, Readonly<Record<string, Trouble>>]): string =>
  [`## ${group}`, ...Object.entries(troubles).map(entry)].join('\n\n')

function entry([code, { title, cause, cure, type, prints }]: readonly [string, Trouble]): string {
  const text = type === undefined ? prints.replace(VARYING, '$1') : prints
  const command = type === undefined ? [] : [`$ npx dev-node ${type.join(' ')}`]
  const printed = [...command, `dev-node: ${text} (see: npx dev-node help ${code})`].join('\n')
  return `### ${code}\n\n**${title}.** ${cause}\n\n\`\`\`text\n${printed}\n\`\`\`\n\n${cure}`
}
