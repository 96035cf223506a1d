/** Reads the command line. Values are read and checked by config/resolve-options.ts. */

import parser from 'yargs-parser'
import { NodeError, refuseOption } from '../base/errors.ts'
import { OPTION_LIST } from '../node/options.ts'
import { findPackage } from '../config/package.ts'
import { hint, readCacheCommand, readExplainCommand, readGasDiffCommand } from './command-flags.ts'
import { readDebugAdapterCommand, readInitCommand, refuseExtra } from './command-flags.ts'
import type { ExecCommand, Flags } from './command-flags.ts'
import type { CommandResult, Io } from './io.ts'

/** Runs a command; resolves to what is still to be printed, and the exit code. */
type CommandRun = (io: Io) => Promise<CommandResult>

const COMMANDS = ['start', 'exec', 'init', 'explain', 'debug-adapter', 'gas-diff', 'cache']

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

/**
 * Reads the command line: the function that runs the command, or the options of the node to start.
 * @throws NodeError 'invalidOption' for an unknown command or an invalid form of a flag
 */
export function readCommand(argv: readonly string[]): CommandRun | { readonly options: Flags } {
  const end = argv[0] === 'exec' ? argv.indexOf('--') : -1
  const { argv: read, error } = parser.detailed(end < 0 ? [...argv] : argv.slice(0, end), FORM)
  if (error !== null) throw new NodeError('invalidOption', error.message, { cause: error })
  const { _: given, ...flags } = read
  const [name = 'start', ...words] = given.map(String)
  if (flags['help'] === true)
    return async () => ({ text: await (await import('./help.ts')).helpText(String(given[0])), code: 0 })
  if (flags['version'] === true) return async () => ({ text: `${findPackage().version}\n`, code: 0 })
  // The parts of a command are loaded when it runs: yargs takes longer to load than the rest of the command.
  switch (name) {
    case 'exec': {
      const command = readExec(words, flags, end < 0 ? [] : argv.slice(end + 1))
      return async (io) => (await import('./exec-command.ts')).runExecCommand(command, io)
    }
    case 'init': {
      const command = readInitCommand(words, flags)
      return async ({ ask }) =>
        (await import('./init-command.ts')).runInitCommand(command, { folder: '.', ask })
    }
    case 'explain': {
      const command = readExplainCommand(words, flags)
      return async (io) => (await import('./explain-command.ts')).runExplainCommand(command, io)
    }
    case 'debug-adapter': {
      const command = readDebugAdapterCommand(words, flags)
      return async (io) => (await import('./debug-adapter-command.ts')).runDebugAdapterCommand(command, io)
    }
    case 'gas-diff': {
      const command = readGasDiffCommand(words, flags)
      return async () => (await import('./gas-diff-command.ts')).runGasDiffCommand(command)
    }
    case 'cache': {
      const command = readCacheCommand(words, flags)
      return async ({ env }) => (await import('./cache-command.ts')).runCacheCommand(command, env)
    }
  }
  if (given.length > 0) refuseUnquotedHeader(flags)
  if (name !== 'start') refuseOption(`unknown command ${name}${hint(name, COMMANDS)}`)
  refuseExtra(words[0])
  refuseBare(flags)
  return { options: flags }
}

/** Reads `dev-node exec [options] -- program arguments`. @throws NodeError 'invalidOption' */
function readExec(
  [word]: readonly string[],
  { hold, ...flags }: Flags,
  [program, ...given]: readonly string[],
): ExecCommand {
  if (program === undefined || word !== undefined)
    return refuseOption('exec: expected a command behind --, such as dev-node exec -- npx hardhat test')
  refuseBare(flags)
  return { command: [program, ...given], flags, isHeld: hold === true }
}

/** Refuses `--fork-header name: value` without quotes. The value may be a key, so it is not shown as an unknown command is. */
function refuseUnquotedHeader(flags: Flags): void {
  if ([flags['fork-header']].flat().some((header) => typeof header === 'string' && header.endsWith(':')))
    refuseOption('--fork-header: write the header in quotes, as "name: value"')
}

/** Refuses flags without their value, which arrive as true. */
function refuseBare(flags: Flags): void {
  const bare = OPTION_LIST.find(
    ({ form, flag }) => (form === 'value' || form === 'list') && flags[flag] === true,
  )
  if (bare !== undefined) refuseOption(`--${bare.flag}: expected a value behind it`)
}
