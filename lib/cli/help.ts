/** Writes the text of `--help` with yargs. */

import yargs from 'yargs'
import { GROUPS } from '../config/option-description.ts'
import { OPTION_LIST } from '../config/option-list.ts'
import type { OptionEntry } from '../config/option-list.ts'

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

/** The text of `--help`, without colours. */
export async function helpText(): Promise<string> {
  return `${await program().getHelp()}\n`
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
