/** The flags of the commands besides `start`, and how they are read from a command line. */

import { refuseOption } from '../base/errors.ts'
import { didYouMean } from '../config/nearest.ts'
import { OPTION_LIST } from '../modules/options.ts'

/** Networks that `dev-node init` sets up. The first one is the default. */
export const INIT_NETWORKS = ['ethereum', 'network-33'] as const

/** The rules of the chain that `dev-node init` sets up. */
export type InitNetwork = (typeof INIT_NETWORKS)[number]

export interface CommandFlag {
  readonly flag: string
  readonly isSwitch?: boolean
  readonly summary: string
}

const JSON_FLAG = { flag: 'json', isSwitch: true, summary: 'Print JSON on one line, for programs.' }

const URL_FLAG = {
  flag: 'url',
  summary:
    'URL of the node, with the path of a world; if left out, DEV_NODE_URL, or that of the node on port 4444 or 8545 of this machine.',
}

/** The flags of each command, except --help. */
export const COMMAND_FLAGS = {
  init: [
    { flag: 'network', summary: `The rules of the chain: ${INIT_NETWORKS.join(' or ')}; else init asks.` },
    { flag: 'yes', isSwitch: true, summary: 'Write the changes without a question.' },
    {
      flag: 'agents',
      isSwitch: true,
      summary:
        'Create AGENTS.md with a paragraph for coding agents. If there is one, init adds the paragraph without this flag.',
    },
    { flag: 'example', summary: 'Copy a complete project into an empty folder; without a name, list them.' },
  ],
  explain: [
    URL_FLAG,
    {
      flag: 'last',
      summary: 'The newest failure; with a number, a list of so many, newest first, alike ones once.',
    },
    {
      flag: 'all',
      isSwitch: true,
      summary: 'Also list the failures that tests expected.',
    },
    JSON_FLAG,
    {
      flag: 'flame',
      summary: 'Also write the gas by call path to this file, for speedscope or flamegraph.pl.',
    },
  ],
  show: [
    {
      flag: 'html',
      summary: 'Write the page into this folder, as one file that any web server or browser shows.',
    },
    { flag: 'port', summary: 'Port of the page; any that is free if left out.' },
  ],
  mcp: [
    URL_FLAG,
    { flag: 'read-only', isSwitch: true, summary: 'Leave out the tools that change the chain.' },
  ],
  exec: [],
  watch: [],
  'debug-adapter': [
    {
      flag: 'port',
      summary:
        'Port for editors that connect by TCP, 0 for any that is free; the standard streams if left out.',
    },
    { flag: 'host', summary: 'Address of this machine with that port; 127.0.0.1 if left out.' },
  ],
  'gas-diff': [
    {
      flag: 'threshold',
      summary: 'Percent by which the mean gas of a function may increase, such as 1%; 0 if left out.',
    },
    JSON_FLAG,
  ],
  cache: [
    { flag: 'chain-id', summary: 'Export the fork of the chain with this id.' },
    { flag: 'block', summary: 'Export the fork of the block with this number or hash.' },
    {
      flag: 'fork-cache',
      summary: 'Folder of the cache; if left out, that of the option --fork-cache of nodes.',
    },
  ],
} as const satisfies Readonly<Record<string, readonly CommandFlag[]>>

export type Flags = Readonly<Record<string, unknown>>

export interface CommandLine {
  readonly words: readonly string[]
  readonly flags: Flags
  /** Program and arguments after `--`, for `exec` and `watch`. */
  readonly program?: readonly string[]
}

/** The program and the arguments behind `--`. @throws NodeError 'invalidOption' */
export function programOf(command: string, line: CommandLine): readonly [string, ...(readonly string[])] {
  const [program, ...args] = line.program ?? []
  if (program !== undefined && line.words.length === 0) return [program, ...args]
  const example = `dev-node ${command} -- npx hardhat test`
  return refuseOption('DN-MISSING', `${command}: expected a command behind --, such as ${example}`)
}

/** Refuses a word behind the last one that has a meaning. */
export function refuseExtra(word: string | undefined): void {
  if (word !== undefined) refuseOption('DN-FLAG', `unexpected argument ${word}`)
}

/** Ends the error for an unknown word: suggests the word that was meant, or lists all known ones. */
export const hint = (word: string, known: readonly string[]): string =>
  didYouMean(word, known) || `; there are ${known.join(', ')}`

/** Refuses flags that a command does not have. `command` is its name in the error message. */
export function refuseUnknown(flags: Flags, command: string, own: readonly CommandFlag[]): void {
  const known = own.map(({ flag }) => flag)
  const unknown = Object.keys(flags).find((name) => !known.includes(name))
  if (unknown === undefined) return
  refuseOption(
    'DN-FLAG',
    `${command} has no flag --${unknown}${didYouMean(unknown, known, (flag) => `--${flag}`)}`,
  )
}

/** Refuses options without a value, which yargs reads as true. @throws NodeError 'invalidOption' */
export function refuseBare(flags: Flags): void {
  const bare = OPTION_LIST.find(
    ({ form, flag }) => (form === 'value' || form === 'list') && flags[flag] === true,
  )
  if (bare !== undefined) refuseOption('DN-MISSING', `--${bare.flag}: expected a value behind it`)
}

/** The text behind a flag; undefined without the flag. @throws NodeError 'invalidOption' */
export function readText(flags: Flags, flag: string): string | undefined {
  const value = flags[flag]
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  if (Array.isArray(value)) return refuseOption('DN-VALUE', `--${flag}: give it once`)
  return refuseOption('DN-MISSING', `--${flag}: expected a value behind it`)
}

/** The URL of a node from a flag or the environment. @throws NodeError 'invalidOption' */
export const readUrl = (
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined =>
  readFlag(flags, 'url', 'a URL such as http://127.0.0.1:4444/', (given) =>
    URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) ? given : undefined,
  ) ??
  (env['DEV_NODE_URL'] || undefined)

/** Reads a flag's value. `parse` returns undefined for an invalid value. @throws NodeError 'invalidOption' */
export function readFlag<T>(
  flags: Flags,
  flag: string,
  expected: string,
  parse: (text: string) => T | undefined,
): T | undefined {
  const text = readText(flags, flag)
  if (text === undefined) return undefined
  return parse(text) ?? refuseOption('DN-VALUE', `--${flag}: expected ${expected}, got "${text}"`)
}
