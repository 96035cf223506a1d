/** Writes the table of EIPs of docs/configuration.md. */

import { EIPS, HARDFORK_EIPS } from '../lib/config/eips.ts'
import type { Eip } from '../lib/config/eip-changes.ts'

/** The table of the EIPs that a preset can name, in the order of their numbers. */
export function eipsMarkdown(): string {
  const rows = Object.entries(EIPS).map(([number, eip]) => [
    number,
    `${eip.title}${additions(eip)}`,
    hardforkOf(Number(number)),
    (eip.requires ?? []).join(', '),
  ])
  const lines = [['EIP', 'what it brings', 'part of', 'requires'], ['---', '---', '---', '---'], ...rows]
  return lines.map((columns) => `| ${columns.join(' | ')} |`).join('\n')
}

const hardforkOf = (eip: number): string =>
  Object.entries(HARDFORK_EIPS).find(([, numbers]) => numbers.includes(eip))?.[0] ?? ''

/** The named parts of an EIP: instructions, precompiles, header fields, system contracts and its transaction type. */
function additions(eip: Eip): string {
  const { instructions = [], precompiles = [], headerFields = [], systemContracts = [] } = eip
  const parts = [
    ...named('instruction', instructions),
    ...named('precompile', precompiles),
    ...named('header field', headerFields),
    ...named('system contract', systemContracts),
    ...(eip.transactionType === undefined ? [] : [`transaction type ${eip.transactionType}`]),
  ]
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`
}

const named = (kind: string, names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [`${kind}${names.length === 1 ? '' : 's'} ${names.map((name) => `\`${name}\``).join(', ')}`]
