/** Reads the command line. Values are read and checked by config/resolve-options.ts. */

import parser from 'yargs-parser'
import { NodeError } from '../base/errors.ts'
import { OPTION_LIST } from '../config/options.ts'
import { hint, readExplainCommand, readGasDiffCommand } from './command-flags.ts'
import { readInitCommand, refuse, refuseExtra } from './command-flags.ts'
import type { ExplainCommand, GasDiffCommand, InitCommand } from './command-flags.ts'

/** The command that a command line contains. */
export type Command =
  | { readonly kind: 'help'; readonly of: HelpSubject }
  | { readonly kind: 'version' }
  | { readonly kind: 'start'; readonly flags: Readonly<Record<string, unknown>> }
  | { readonly kind: 'init'; readonly init: InitCommand }
  | { readonly kind: 'explain'; readonly explain: ExplainCommand }
  | { readonly kind: 'gas-diff'; readonly gasDiff: GasDiffCommand }
  | { readonly kind: 'exec'; readonly exec: ExecCommand }

/** A command line of `dev-node exec`. */
export interface ExecCommand {
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]]
  /** Options of the node. */
  readonly flags: Readonly<Record<string, unknown>>
  /** Whether the node stays after the command until a signal. */
  readonly isHeld: boolean
}

/** The output of a command that ends at once, and its exit code. */
export interface CommandResult {
  readonly text: string
  readonly code: number
}

/** The command that a help describes. */
export type HelpSubject = (typeof COMMANDS)[number]

const COMMANDS = ['start', 'exec', 'init', 'explain', 'gas-diff'] as const

/** Flags that take no value. */
const SWITCHES = OPTION_LIST.filter(({ form }) => form === 'switch' || form === 'off-switch').map(
  ({ flag }) => flag,
)

/** The form of a command line. Only the help (help.ts) uses yargs itself, which loads tables of Unicode at its start. */
const FORM: parser.Options = {
  alias: { help: ['h'] },
  narg: Object.fromEntries(['help', 'version', 'yes', 'hold', ...SWITCHES].map((flag) => [flag, 0])),
  configuration: {
    'boolean-negation': false,
    'camel-case-expansion': false,
    'dot-notation': false,
    'parse-numbers': false,
    'parse-positional-numbers': false,
  },
}

/** Reads the command line. @throws NodeError 'invalidOption' for an unknown command or an invalid form of a flag */
export function readCommand(argv: readonly string[]): Command {
  const end = argv[0] === 'exec' ? argv.indexOf('--') : -1
  const { argv: read, error } = parser.detailed(end < 0 ? [...argv] : argv.slice(0, end), FORM)
  if (error !== null) throw new NodeError('invalidOption', error.message, { cause: error })
  const { _: given, ...parsed } = read
  const [command, ...words] = given.map(String)
  if (parsed['help'] === true) return { kind: 'help', of: COMMANDS.find((one) => one === command) ?? 'start' }
  if (parsed['version'] === true) return { kind: 'version' }
  if (command === 'init') return { kind: 'init', init: readInitCommand(words, parsed) }
  if (command === 'explain') return { kind: 'explain', explain: readExplainCommand(words, parsed) }
  if (command === 'gas-diff') return { kind: 'gas-diff', gasDiff: readGasDiffCommand(words, parsed) }
  if (command === 'exec')
    return { kind: 'exec', exec: readExec(words, parsed, end < 0 ? [] : argv.slice(end + 1)) }
  refuseUnquotedHeader(given, parsed)
  refuseUnknown(command, words[0])
  refuseBare(parsed)
  return { kind: 'start', flags: parsed }
}

/** Reads `dev-node exec [options] -- program arguments`. @throws NodeError 'invalidOption' */
function readExec(
  [word]: readonly string[],
  { hold, ...flags }: Readonly<Record<string, unknown>>,
  [program, ...given]: readonly string[],
): ExecCommand {
  if (program === undefined || word !== undefined)
    return refuse('exec: expected a command behind --, such as dev-node exec -- npx hardhat test')
  refuseBare(flags)
  return { command: [program, ...given], flags, isHeld: hold === true }
}

/** Refuses `--fork-header name: value` without quotes. The value may be a key, so it is not shown as an unknown command is. */
function refuseUnquotedHeader(words: readonly unknown[], flags: Readonly<Record<string, unknown>>): void {
  const headers = [flags['fork-header']].flat()
  if (words.length === 0 || !headers.some((header) => typeof header === 'string' && header.endsWith(':')))
    return
  refuse('--fork-header: write the header in quotes, as "name: value"')
}

function refuseUnknown(command = 'start', extra?: string): void {
  if (!COMMANDS.some((one) => one === command)) refuse(`unknown command ${command}${hint(command, COMMANDS)}`)
  refuseExtra(extra)
}

/** Refuses flags without their value, which arrive as true. */
function refuseBare(flags: Readonly<Record<string, unknown>>): void {
  const bare = OPTION_LIST.find(
    ({ form, flag }) => (form === 'value' || form === 'list') && flags[flag] === true,
  )
  if (bare !== undefined) refuse(`--${bare.flag}: expected a value behind it`)
}
