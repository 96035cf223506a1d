/** Writes the texts of `--help` with yargs. */

import yargs from 'yargs'
import { GROUPS } from '../config/option-description.ts'
import { OPTION_LIST } from '../config/options.ts'
import type { OptionEntry } from '../config/options.ts'
import { COMMAND_FLAGS } from './command-flags.ts'
import type { CommandFlag } from './command-flags.ts'

const USAGE = `dev-node [start] [options]
dev-node exec [options] -- <command>
dev-node init [options]
dev-node explain <hash | id> [options]
dev-node debug-adapter [options]
dev-node gas-diff <before.json> <after.json> [options]
dev-node cache <export | import> [options]

Starts a local development chain and answers JSON-RPC over HTTP, WebSocket and, with --ipc, a local socket. \`dev-node exec --help\` describes a node for one command, \`dev-node init --help\` the set-up of a project, \`dev-node explain --help\` the explanation of a transaction, \`dev-node debug-adapter --help\` the debugger for editors, \`dev-node gas-diff --help\` the comparison of gas reports, \`dev-node cache --help\` the files of the fork cache.`

/** How each command besides `start` is used. */
const USAGES: Readonly<Record<keyof typeof COMMAND_FLAGS, string>> = {
  init: `dev-node init [options]

Sets up the project in this folder: finds Hardhat, Vitest, Jest or Foundry, shows the change of its config and the script for package.json, writes them after a yes, and says what to type next. Configs of another form stay as they are; then it prints the lines to add.`,
  exec: `dev-node exec [options] -- <command>

Runs a command, such as npx hardhat test, beside a node of its own, and ends with its exit code. The node has port 8545, or any free one if that is taken. The command finds it in DEV_NODE_URL, Foundry in ETH_RPC_URL, Hardhat on port 8545 as its network localhost. Without --dialect, the node has the errors of Hardhat, and at the URL of Foundry those of geth. If the command fails, the newest failed executions are printed with their lines of Solidity. The options of the node are those of dev-node start, such as --network ethereum, --coverage coverage and --gas-report.`,
  explain: `dev-node explain <hash | id> [options]
dev-node explain --last [n] [options]

Explains a mined transaction of a running node by its hash or the beginning of it, or a failed transaction, call or estimate by its id, also after a revert: the reason of a failure with its place in the sources, calls, events, changes. The node reads the sources from the folders of its option --artifacts.`,
  'debug-adapter': `dev-node debug-adapter [options]

Serves editors that speak the Debug Adapter Protocol, such as VS Code and Neovim, over the standard streams or a port. They step through a transaction, a failure or a call of a running node line by line, forwards and backwards, or attach to it and stop its clients, such as a suite of tests, at breakpoints in Solidity. The editor names the node with \`url\`; without it, it is that of DEV_NODE_URL, or that on port 4444 or 8545 of this machine.`,
  'gas-diff': `dev-node gas-diff <before.json> <after.json> [options]

Compares two reports that --gas-report wrote, and prints the functions whose gas has changed. The exit code is 1 if the mean gas of a function has increased by more than the threshold, 2 if a report cannot be read, else 0.`,
  cache: `dev-node cache export <file> [--chain-id <id>] [--block <number | hash>] [options]
dev-node cache import <file>... [options]

Writes what is known of one block to a file, or adds the facts of such files to the cache, so that a node with --fork-cache-only runs without its remote. A cache with one fork needs no flags for the export. An import checks all files before it writes; a fact that the cache has stays, and the import says how many of the file differ.`,
}

const EPILOGUE = `Every option can also be set by an environment variable: --block-time is DEV_NODE_BLOCK_TIME. A flag wins over a variable.

Examples:
  dev-node                                    network 33 on port 4444
  dev-node --network ethereum --port 8545     the newest Ethereum rules
  dev-node --block-time 2                     a block every two seconds
  dev-node --private-key 0x... --balance 50   one account of your own`

/** Columns of the help text. */
const WIDTH = 100

/** The text of `--help` of a command, without colours: that of `start` for any other word. */
export const helpText = async (command: string): Promise<string> =>
  `${await (hasFlags(command) ? commandHelp(command) : program()).getHelp()}\n`

const hasFlags = (command: string): command is keyof typeof COMMAND_FLAGS =>
  Object.hasOwn(COMMAND_FLAGS, command)

function commandHelp(command: keyof typeof COMMAND_FLAGS) {
  const parser = emptyProgram(USAGES[command])
  const flags: readonly CommandFlag[] = COMMAND_FLAGS[command]
  for (const { flag, isSwitch, summary: describe } of flags)
    parser.option(flag, isSwitch === true ? { describe, nargs: 0 } : { describe })
  return parser.option('help', { nargs: 0, alias: 'h', describe: 'Show this text.' })
}

const emptyProgram = (usage: string) =>
  yargs().scriptName('dev-node').locale('en').usage(usage).wrap(WIDTH).help(false).version(false)

function program() {
  const parser = emptyProgram(USAGE).epilogue(EPILOGUE)
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
