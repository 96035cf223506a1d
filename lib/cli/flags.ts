/** Reads the command line. Values are read and checked by config/resolve-options.ts. */

import parser from 'yargs-parser'
import { NodeError, refuseOption } from '../base/errors.ts'
import { OPTION_LIST } from '../modules/options.ts'
import { findPackage } from '../config/package.ts'
import { hint, refuseBare, refuseExtra, type CommandLine, type Flags } from './command-flags.ts'
import type { CommandResult, Io } from './io.ts'

/** Runs a command; resolves to what is still to be printed, and the exit code. */
type CommandRun = (io: Io) => Promise<CommandResult>

/** Loads the parts of a command when it runs: yargs takes longer to load than the rest of the command. */
const COMMANDS: ReadonlyMap<string, () => Promise<(line: CommandLine, io: Io) => Promise<CommandResult>>> =
  new Map([
    ['exec', async () => (await import('./exec-command.ts')).runExecCommand],
    ['init', async () => (await import('./init-command.ts')).runInitCommand],
    ['explain', async () => (await import('./explain-command.ts')).runExplainCommand],
    ['debug-adapter', async () => (await import('./debug-adapter-command.ts')).runDebugAdapterCommand],
    ['gas-diff', async () => (await import('./gas-diff-command.ts')).runGasDiffCommand],
    ['cache', async () => (await import('./cache-command.ts')).runCacheCommand],
  ])

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
    'populate--': true,
  },
}

/**
 * Reads the command line: the function that runs the command, or the options of the node to start.
 * @throws NodeError 'invalidOption' for an unknown command or an invalid form of a flag
 */
export function readCommand(argv: readonly string[]): CommandRun | { readonly options: Flags } {
  const { argv: read, error } = parser.detailed([...argv], FORM)
  if (error !== null) throw new NodeError('invalidOption', error.message, { cause: error })
  const { _: given, '--': behind = [], ...flags } = read
  const [name = 'start', ...before] = given.map(String)
  const program = behind.map(String)
  const words = name === 'exec' ? before : [...before, ...program]
  if (flags['help'] === true)
    return async () => ({ text: await (await import('./help.ts')).helpText(String(given[0])), code: 0 })
  if (flags['version'] === true) return async () => ({ text: `${findPackage().version}\n`, code: 0 })
  const load = COMMANDS.get(name)
  if (load !== undefined) return async (io) => (await load())({ words, flags, program }, io)
  if (given.length > 0) refuseUnquotedHeader(flags)
  if (name !== 'start') refuseOption(`unknown command ${name}${hint(name, ['start', ...COMMANDS.keys()])}`)
  refuseExtra(words[0])
  refuseBare(flags)
  return { options: flags }
}

/** Refuses `--fork-header name: value` without quotes. The value may be a key, so it is not shown as an unknown command is. */
function refuseUnquotedHeader(flags: Flags): void {
  if ([flags['fork-header']].flat().some((header) => typeof header === 'string' && header.endsWith(':')))
    refuseOption('--fork-header: write the header in quotes, as "name: value"')
}
