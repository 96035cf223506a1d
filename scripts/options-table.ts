/** Makes the tables of docs/options.md. */

import { GROUPS } from '../lib/config/option-description.ts'
import { OPTION_LIST } from '../lib/modules/options.ts'
import type { OptionEntry } from '../lib/modules/options.ts'
import { tableCell } from './table-cell.ts'

const argumentOf = ({ form }: OptionEntry): string =>
  form === 'maybe-value' ? ' [value]' : form === 'value' || form === 'list' ? ' <value>' : ''

function row(entry: OptionEntry): string {
  const flag = `\`--${entry.flag}${argumentOf(entry)}\``
  return `| ${flag} | \`${entry.env}\` | ${tableCell(entry.fallback ?? '')} | ${tableCell(entry.summary)} |`
}

/** All options as Markdown: one table per group with flag, environment variable, default and meaning. */
export function optionsMarkdown(): string {
  const tables = GROUPS.map((group) => {
    const rows = OPTION_LIST.filter((entry) => entry.group === group).map(row)
    return [
      `**${group}**`,
      '',
      '| flag | variable | default | meaning |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  })
  return `${tables.join('\n\n')}\n`
}
