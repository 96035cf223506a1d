/** Reads the command line with yargs. Values are read and checked by config/resolve-options.ts. */

import yargs from 'yargs'
import { NodeError } from '../base/errors.ts'
import { nearest } from '../config/nearest.ts'
import { OPTION_LIST } from '../config/option-list.ts'
import type { OptionEntry } from '../config/option-list.ts'
import { GROUPS } from '../config/option-facts.ts'

/** The command that a command line gives. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'start'; readonly flags: Readonly<Record<string, unknown>> }

const COMMANDS = ['start']

const USAGE = `dev-node [start] [options]

Starts a local development chain and answers JSON-RPC over HTTP, WebSocket and, with --ipc, a local socket.`

const EPILOGUE = `Every option can also be set by an environment variable: --block-time is DEV_NODE_BLOCK_TIME. A flag wins over a variable.

Examples:
  dev-node                                    network 33 on port 4444
  dev-node --network ethereum --port 8545     the newest Ethereum rules
  dev-node --block-time 2                     a block every two seconds
  dev-node --private-key 0x... --balance 50   one account of your own`

/** Columns of the help text. */
const WIDTH = 100

/**
 * Reads the command line.
 * @throws NodeError 'invalidOption' for an unknown command or an invalid form of a flag.
 */
export function readCommand(argv: readonly string[]): Command {
  const { _: words, ...parsed } = program().parseSync([...argv])
  if (parsed['help'] === true) return { kind: 'help' }
  if (parsed['version'] === true) return { kind: 'version' }
  refuseUnknown(words.map(String))
  // In `$0` yargs gives the name of the program.
  const flags = Object.fromEntries(Object.entries(parsed).filter(([name]) => name !== '$0'))
  refuseBare(flags)
  return { kind: 'start', flags }
}

/** The text of `--help`, without colours. */
export async function helpText(): Promise<string> {
  return `${await program().getHelp()}\n`
}

function refuseUnknown([command, extra]: readonly string[]): void {
  if (command === undefined) return
  if (!COMMANDS.includes(command)) {
    const meant = nearest(command, COMMANDS)
    const hint = meant === undefined ? `; the only one is ${COMMANDS.join(', ')}` : `; did you mean ${meant}?`
    throw new NodeError('invalidOption', `unknown command ${command}${hint}`)
  }
  if (extra !== undefined) throw new NodeError('invalidOption', `unexpected argument ${extra}`)
}

/** Refuses flags without their value, which arrive as true. */
function refuseBare(flags: Readonly<Record<string, unknown>>): void {
  const bare = OPTION_LIST.find(
    ({ form, flag }) => (form === 'value' || form === 'list') && flags[flag] === true,
  )
  if (bare !== undefined) throw new NodeError('invalidOption', `--${bare.flag}: expected a value behind it`)
}

function program() {
  const parser = yargs()
    .scriptName('dev-node')
    .locale('en')
    .usage(USAGE)
    .epilogue(EPILOGUE)
    .wrap(WIDTH)
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail((message: string | null, error?: Error) => {
      throw new NodeError('invalidOption', message ?? error?.message ?? 'unreadable command line', {
        cause: error,
      })
    })
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
  for (const group of GROUPS) {
    for (const entry of OPTION_LIST) if (entry.group === group) parser.option(entry.flag, describe(entry))
  }
  return parser
    .option('help', { group: 'General', nargs: 0, alias: 'h', describe: 'Show this text.' })
    .option('version', { group: 'General', nargs: 0, describe: 'Show the version.' })
}

function describe(entry: OptionEntry) {
  const isAlone = entry.form === 'switch' || entry.form === 'off-switch'
  return {
    group: entry.group,
    describe: entry.summary,
    ...(isAlone ? { nargs: 0 } : {}),
    ...(entry.fallback === undefined ? {} : { defaultDescription: entry.fallback }),
  }
}
