/** Writes the texts of `--help` with yargs. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import yargs from 'yargs'
import * as z from 'zod'
import { refuseOption } from '../base/errors.ts'
import { GROUPS } from '../config/option-description.ts'
import { findPackage } from '../config/package.ts'
import { OPTION_LIST, type OptionEntry } from '../modules/options.ts'
import { COMMAND_FLAGS, hint, type CommandFlag } from './command-flags.ts'

const SUMMARIES: Readonly<Record<'start' | keyof typeof COMMAND_FLAGS, string>> = {
  start: 'Start a development chain (the default command).',
  exec: 'Run a command, such as a test suite, beside a node of its own.',
  watch: 'Run the tests that a change affects, after each change.',
  init: 'Set up the project in this folder.',
  explain: 'Show why a transaction or a test failed, with the lines of Solidity.',
  show: 'Show the failed tests of the last run, with the debugger.',
  mcp: 'Serve coding agents over the Model Context Protocol (MCP).',
  'debug-adapter': 'Serve the debugger for editors.',
  'gas-diff': 'Compare two gas reports.',
  cache: 'Move the cache of a fork between machines.',
}

/** The flags of `start` that `dev-node --help` shows. */
const MOST_USED = ['network', 'port', 'accounts', 'block-time', 'fork-url', 'state']

const START = `dev-node [start] [options]

Starts a local development chain and answers JSON-RPC over HTTP, WebSocket and, with --ipc, a local socket.`

const USAGES: Readonly<Record<keyof typeof COMMAND_FLAGS, string>> = {
  init: `dev-node init [options]
dev-node init --example <name> [folder]

Sets up the project in this folder: finds Hardhat, Vitest, Jest, Mocha or Foundry, shows the change of its config and the script for package.json, writes them after a yes, and says what to type next. Configs of another form stay as they are; then it prints the lines to add.`,
  exec: `dev-node exec [options] -- <command>

Runs a command, such as npx hardhat test, beside a node of its own, and ends with its exit code. The node has port 8545, or any free one if that is taken. The command finds it in DEV_NODE_URL, Foundry in ETH_RPC_URL, Hardhat on port 8545 as its network localhost. Without --dialect, the node has the errors of Hardhat, and at the URL of Foundry those of geth. If the command fails, the newest failed executions are printed with their lines of Solidity. The options of the node are those of dev-node start, such as --network ethereum, --coverage coverage, --gas-report and --hold.`,
  watch: `dev-node watch -- <command>

Runs a command that runs tests, such as npx hardhat test, and runs it again after each change of contracts and tests: the files of tests that the change affects, failed ones first. The plugins for Hardhat and the set-ups of Mocha, Vitest and Jest leave out the others. Keys: a runs all files, Enter runs again, o opens the failures in the browser, q ends.`,
  explain: `dev-node explain <hash | id> [options]
dev-node explain --last [n] [options]
dev-node explain <file.dnr> [id] [options]

Explains a mined transaction of a running node by its hash or the beginning of it, or a failed transaction, call or estimate by its id, also after a revert: the reason of a failure with its place in the sources, calls, events, changes. The node reads the sources from the folders of its option --artifacts. If no node runs, or it does not keep the failure, it is looked for among the failed tests of the last run of this folder. A file of failures needs neither the project nor a node.`,
  show: `dev-node show [file.dnr] [options]

Opens the failed tests of the last run of this folder, or of a file of failures, in the browser: the reason of each with its lines of Solidity, calls, changes, and the debugger, forwards and backwards. The page needs neither the project nor a node.`,
  mcp: `dev-node mcp [file.dnr] [options]

Serves a coding agent by the Model Context Protocol over the standard streams, with tools that list and explain the failed tests of the last run of this folder, step through them, forwards and backwards, and read and change a running node. A file of failures needs neither the project nor a node.`,
  'debug-adapter': `dev-node debug-adapter [options]

Serves editors that speak the Debug Adapter Protocol, such as VS Code and Neovim, over the standard streams or a port. They step through a transaction, a failure or a call of a running node line by line, forwards and backwards, or attach to it and stop its clients, such as a suite of tests, at breakpoints in Solidity. The editor names the node with \`url\`; without it, it is that of DEV_NODE_URL, or that on port 4444 or 8545 of this machine.`,
  'gas-diff': `dev-node gas-diff <before.json> <after.json> [options]

Compares two reports that --gas-report wrote, and prints the functions whose gas has changed. The exit code is 1 if the mean gas of a function has increased by more than the threshold, 2 if a report cannot be read, else 0.`,
  cache: `dev-node cache export <file> [--chain-id <id>] [--block <number | hash>] [options]
dev-node cache import <file>... [options]

Writes what is known of one block to a file, or adds the facts of such files to the cache, so that a node with --fork-cache-only runs without its remote. A cache with one fork needs no flags for the export. An import checks all files before it writes; a fact that the cache has stays, and the import says how many of the file differ.`,
}

const VARIABLES = `Every option can also be set by an environment variable: --block-time is DEV_NODE_BLOCK_TIME. A flag wins over a variable.`

const OVERVIEW_END = `dev-node help start lists all options, dev-node help <command> those of another command.
dev-node help <code> tells the cause and the fix of an error, as in dev-node help DN-PORT.

Examples:
  dev-node                                    network 33 on port 4444
  dev-node --network ethereum --port 8545     the newest Ethereum rules
  dev-node --fork-url https://... --quiet     a copy of another chain
  dev-node exec --coverage out -- npx mocha   tests with a node of their own, and their coverage
  dev-node explain --last                     why the newest transaction or test failed`

/** Columns of the help text. */
const WIDTH = 100

/** The text of `--help` of a command, without colours; for any other word an overview of the commands. */
export async function helpText(command: string): Promise<string> {
  if (/^dn-/i.test(command)) return troubleText(command.toUpperCase())
  const program = hasFlags(command) ? commandHelp(command) : command === 'start' ? startHelp() : overview()
  return `${await program.getHelp()}\n`
}

/** The texts of codes (base/troubles.ts), by group. */
const troubleFile = z.record(
  z.string(),
  z.record(z.string(), z.object({ title: z.string(), cause: z.string(), cure: z.string() })),
)

/** @throws NodeError 'invalidOption' for an unknown code */
function troubleText(code: string): string {
  const file = readFileSync(join(findPackage().folder, 'fixtures', 'troubles.json'), 'utf8')
  const troubles = new Map(
    Object.values(troubleFile.parse(JSON.parse(file))).flatMap((group) => Object.entries(group)),
  )
  const known =
    troubles.get(code) ?? refuseOption('DN-FLAG', `unknown code ${code}${hint(code, [...troubles.keys()])}`)
  return [`${code}: ${known.title}`, known.cause, known.cure].map(wrapped).join('\n')
}

const wrapped = (text: string): string => text.replace(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n')

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

function overview() {
  const parser = emptyProgram('dev-node [command] [options]').epilogue(OVERVIEW_END)
  for (const [name, summary] of Object.entries(SUMMARIES)) parser.command(name, summary)
  for (const flag of MOST_USED)
    for (const entry of OPTION_LIST)
      if (entry.flag === flag) parser.option(flag, { ...describe(entry), group: 'Most used options:' })
  return withGeneral(parser)
}

function startHelp() {
  const parser = emptyProgram(START).epilogue(VARIABLES)
  for (const group of GROUPS)
    for (const entry of OPTION_LIST) if (entry.group === group) parser.option(entry.flag, describe(entry))
  return withGeneral(parser)
}

const withGeneral = (parser: ReturnType<typeof emptyProgram>) =>
  parser
    .option('help', { group: 'General', nargs: 0, alias: 'h', describe: 'Show this text.' })
    .option('version', { group: 'General', nargs: 0, describe: 'Show the version.' })

function describe(entry: OptionEntry) {
  const isAlone = entry.form === 'switch' || entry.form === 'off-switch'
  return {
    group: entry.group,
    describe: entry.summary,
    ...(entry.flag === 'port' ? { alias: 'p' } : {}),
    ...(isAlone ? { nargs: 0 } : {}),
    ...(entry.fallback === undefined ? {} : { defaultDescription: entry.fallback }),
  }
}
