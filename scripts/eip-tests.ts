/** Writes the tables of docs/internal/eips.md: each EIP, the tests that name it, and what of it a development chain leaves out. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { EIPS, HARDFORK_EIPS } from '../lib/config/eips.ts'
import { MERGED_MINING_EIPS } from '../lib/modules/network-33/network-kind.ts'
import { EARLIER_EIPS, LEFT_OUT, NOT_COVERED, OUTSIDE, PROPOSALS, VECTOR_FOLDERS } from './eip-facts.ts'
import type { EarlierEip } from './eip-facts.ts'

const VECTORS = 'fixtures/vectors'

/** The tables. @throws Error if an EIP or a proposal has no test */
export function eipTestsMarkdown(): string {
  const tests = testsByEip(testTexts())
  return [
    '## EIPs and their tests',
    table(['EIP', 'what it brings', 'hard fork', 'tests', 'different here'], eipRows(tests)),
    '## EIPs of amsterdam that are not covered',
    table(['EIP', 'what it would bring'], Object.entries(NOT_COVERED)),
    '## EIPs without an effect',
    table(
      ['hard fork', 'EIPs', 'reason'],
      OUTSIDE.map(([fork, eips, reason]) => [fork, eips.join(', '), reason]),
    ),
    '## Network 33',
    `Of the EIPs since London, network 33 has ${MERGED_MINING_EIPS.toSorted((one, other) => one - other).join(', ')}. Proposals of its own:`,
    table(
      ['proposal', 'what it brings', 'tests'],
      PROPOSALS.map(({ number, title, tests: paths }) => [`IP-${number}`, title, shown(paths)]),
    ),
  ].join('\n\n')
}

/** All EIPs that change the rules here, the oldest hard fork first. */
export const ACCOUNTED: readonly EarlierEip[] = [
  ...EARLIER_EIPS,
  ...Object.entries(HARDFORK_EIPS).flatMap(([hardfork, eips]) =>
    eips.map((eip) => ({ eip, hardfork, title: EIPS[eip]?.title ?? '' })),
  ),
]

const eipRows = (tests: ReadonlyMap<number, readonly string[]>): string[][] =>
  ACCOUNTED.map(({ eip, title, hardfork }) => {
    const paths = [...(tests.get(eip) ?? []), ...vectorFolders(eip)]
    if (paths.length === 0) throw new Error(`EIP-${eip} has no test: name it in the title of one`)
    return [String(eip), title, hardfork, shown(paths), LEFT_OUT[eip] ?? '']
  })

/** Test files by the EIPs that their titles name, as in `EIP-7002, 7251 and 6110`. Comments do not count. */
export function testsByEip(texts: ReadonlyMap<string, string>): ReadonlyMap<number, readonly string[]> {
  const tests = new Map<number, Set<string>>()
  for (const [path, text] of texts) {
    const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
    for (const [named] of code.matchAll(/\bEIP-\d+(, \d+)*( and \d+)?/g))
      for (const [number] of named.matchAll(/\d+/g))
        tests.set(Number(number), (tests.get(Number(number)) ?? new Set()).add(path))
  }
  return new Map([...tests].map(([eip, paths]) => [eip, [...paths]]))
}

/** The texts of all test files by path. */
function testTexts(): ReadonlyMap<string, string> {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  )
  const paths = files.map((file) => `test/${file.split(sep).join('/')}`).sort()
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

/** Folders of public tests: those that have the number of the EIP in their names, and others that cover it. */
function vectorFolders(eip: number): readonly string[] {
  const kinds = ['BlockchainTests', 'GeneralStateTests', 'TransactionTests']
  const folders = kinds.flatMap((kind) => readdirSync(join(VECTORS, kind)).map((name) => `${kind}/${name}`))
  const named = folders.filter((folder) => new RegExp(`EIP${eip}(?!\\d)`).test(folder))
  return [...new Set([...named, ...(VECTOR_FOLDERS[eip] ?? [])])].map((folder) => `${VECTORS}/${folder}`)
}

/** Paths as code. @throws Error if one does not exist */
function shown(paths: readonly string[]): string {
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) throw new Error(`${missing} does not exist`)
  return paths.map((path) => `\`${path}\``).join(', ')
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((columns) => `| ${columns.join(' | ')} |`).join('\n')
