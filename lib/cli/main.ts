/** Runs the command: reads the command line, starts the server, prints, and waits for a signal. bin ends the process. */

import type { ChalkInstance } from 'chalk'
import parser from 'yargs-parser'
import { refuseOption } from '../base/errors.ts'
import { releaseClaims } from '../base/file-claim.ts'
import { realHost } from '../base/host.ts'
import { findPackage } from '../config/package.ts'
import type { NodeHooks } from '../config/request-log.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { OPTION_LIST, type AllOptions } from '../modules/options.ts'
import { resolveOptions } from '../modules/resolve-options.ts'
import type { RunningServer } from '../server/start.ts'
import { banner, listeningLine, readyLine } from './banner.ts'
import {
  COMMAND_FLAGS,
  hint,
  refuseBare,
  refuseExtra,
  type CommandFlag,
  type CommandLine,
  type Flags,
} from './command-flags.ts'
import { jsonLine, paintOn, printError, type Io, type CommandResult } from './io.ts'
import { RequestLog } from './log.ts'

/** Exit code of a program that was interrupted (128 + SIGINT). */
const INTERRUPTED = 130

/** Exit code of `gas-diff` if the comparison cannot be made. 1 means a difference. */
const INVALID_INPUT = 2

/** Exit code of a node that ends because of an error. */
const CRASHED = 1

export async function main(io: Io): Promise<number> {
  try {
    const command = readCommand(io.argv)
    if (typeof command === 'object') {
      const options = resolveOptions({ flags: command.options, env: io.env })
      return await serve(io, withCacheFolder(options, io.env))
    }
    const { text, code } = await command(io)
    io.stdout.write(text)
    return code
  } catch (error) {
    printError(io, error)
    return io.argv.includes('gas-diff') ? INVALID_INPUT : 1
  }
}

/**
 * Serves until a signal or an unhandled error. A signal during the start and a second signal end the node at once, an error after
 * `LAST_WRITE_MS`.
 */
async function serve(io: Io, options: AllOptions): Promise<number> {
  let stop = (_code: number): void => undefined
  let end = (_code: number): void => undefined
  const stopped = new Promise<number>((resolve) => (stop = resolve))
  const ended = new Promise<number>((resolve) => (end = resolve))
  let onSignal = (): void => {
    // Until the start has ended, nothing can be lost.
    releaseClaims()
    end(INTERRUPTED)
  }
  const onStarted = (): void => {
    onSignal = () => {
      onSignal = () => end(INTERRUPTED)
      stop(0)
    }
  }
  const release = io.signals(() => onSignal())
  const releaseCrashes = io.crashes((error) => {
    printError(io, error, 'the node ends because of an error that nothing handled: ')
    stop(CRASHED)
    realHost.schedule(LAST_WRITE_MS, () => end(CRASHED))
  })
  try {
    return await Promise.race([run(io, options, { onStarted, stop: stopped }), ended])
  } finally {
    release()
    releaseCrashes()
  }
}

/** Milliseconds that a node has to write its state file after an unhandled error. */
const LAST_WRITE_MS = 10_000

interface RunEvents {
  readonly onStarted: () => void
  /** Resolves with the exit code. */
  readonly stop: Promise<number>
}

/** Serves until `stop` resolves, and returns its exit code. */
async function run(io: Io, options: AllOptions, { onStarted, stop }: RunEvents): Promise<number> {
  const paint = paintOn(io)
  const write = (text: string): void => void io.stdout.write(text)
  const log = new RequestLog({ write, isTty: io.isTTY, isVerbose: options.verbose, paint })
  const onFault = (error: unknown, reference?: string): void =>
    printError(io, error, reference && `internal error, reference ${reference}: `)
  const onNotice = (sentence: string): void => void io.stderr.write(`dev-node: ${sentence}\n`)
  const hooks = options.quiet ? {} : { onNotice, ...hooksFor(options, log, write) }
  const server = await io.start(options, { onFault, ...hooks })
  onStarted()
  for (const sentence of server.findings) io.stderr.write(`dev-node: ${sentence}\n`)
  write(await readyText(server, options, { paint, pid: io.pid }))
  const code = await stop
  log.flush()
  // `close` closes connections within a second. Writing a state file has no time limit.
  await server.close()
  write(await reportsOutput(server, options, paint))
  const file = options.state ?? options.dumpState
  if (code === CRASHED && file !== undefined)
    io.stderr.write(`dev-node: the state file ${file} was written before the end\n`)
  return code
}

/** With --json, requests are printed only with --verbose, console output always. */
function hooksFor(options: AllOptions, log: RequestLog, write: (text: string) => void): NodeHooks {
  if (!options.json) return { onRequest: (entry) => log.add(entry), onBlock: (entry) => log.addBlock(entry) }
  return {
    onRequest: (entry) => {
      if (options.verbose) write(jsonLine('request', entry))
      else if (entry.console !== undefined) {
        const { method, world, console } = entry
        write(jsonLine('console', { method, world, console }))
      }
    },
    onBlock: (entry) => {
      if (options.verbose || entry.console.length > 0) write(jsonLine('console', entry))
    },
  }
}

async function reportsOutput(
  { closingText, closingEvents }: RunningServer,
  options: AllOptions,
  paint: ChalkInstance,
): Promise<string> {
  if (options.json) return (await closingEvents()).map(([name, report]) => jsonLine(name, report)).join('')
  const text = options.quiet ? '' : await closingText(paint)
  return text === '' ? '' : `\n${text}`
}

async function readyText(
  server: RunningServer,
  options: AllOptions,
  { paint, pid }: { paint: ChalkInstance; pid: number },
): Promise<string> {
  if (options.json) return readyLine(server, pid)
  if (options.quiet) return listeningLine(server)
  return `${banner(server, await server.findArtifacts(), options, paint)}\n`
}

/** Runs a command. Resolves to its last output and the exit code. */
type CommandRun = (io: Io) => Promise<CommandResult>

/** Loads the parts of a command when it runs, because yargs takes longer to load than the rest of the command. */
const COMMANDS: ReadonlyMap<string, () => Promise<(line: CommandLine, io: Io) => Promise<CommandResult>>> =
  new Map([
    ['exec', async () => (await import('./exec-command.ts')).runExecCommand],
    ['watch', async () => (await import('./watch-command.ts')).runWatchCommand],
    ['init', async () => (await import('./init-command.ts')).runInitCommand],
    ['explain', async () => (await import('./explain-command.ts')).runExplainCommand],
    ['show', async () => (await import('./show-command.ts')).runShowCommand],
    ['mcp', async () => (await import('./mcp-command.ts')).runMcpCommand],
    ['debug-adapter', async () => (await import('./debug-adapter-command.ts')).runDebugAdapterCommand],
    ['gas-diff', async () => (await import('./gas-diff-command.ts')).runGasDiffCommand],
    ['cache', async () => (await import('./cache-command.ts')).runCacheCommand],
  ])

const SWITCHES = [
  ...OPTION_LIST.filter(({ form }) => form === 'switch' || form === 'off-switch'),
  ...Object.values<readonly CommandFlag[]>(COMMAND_FLAGS).flatMap((flags) =>
    flags.filter(({ isSwitch }) => isSwitch === true),
  ),
].map(({ flag }) => flag)

/** How a command line is parsed. Only the help (help.ts) uses yargs itself, which loads Unicode tables at its start. */
const FORM: parser.Options = {
  alias: { help: ['h'], port: ['p'] },
  narg: Object.fromEntries(['help', 'version', ...SWITCHES].map((flag) => [flag, 0])),
  configuration: {
    'boolean-negation': false,
    'camel-case-expansion': false,
    'dot-notation': false,
    'parse-numbers': false,
    'parse-positional-numbers': false,
    'populate--': true,
    'strip-aliased': true,
  },
}

/**
 * Reads the command line: the function that runs the command, or the options of the node to start.
 * @throws NodeError 'invalidOption' for an unknown command or an invalid form of a flag
 */
function readCommand(argv: readonly string[]): CommandRun | { readonly options: Flags } {
  const { argv: read, error } = parser.detailed([...argv], FORM)
  if (error !== null) refuseOption('DN-VALUE', error.message, error)
  const { _: given, '--': behind = [], ...flags } = read
  const [name = 'start', ...before] = given.map(String)
  const program = behind.map(String)
  const words = name === 'exec' || name === 'watch' ? before : [...before, ...program]
  if (name === 'help' && words[0] !== undefined && !/^dn-/i.test(words[0])) refuseUnknownCommand(words[0])
  if (flags['help'] === true || name === 'help') return showHelp(name === 'help' ? words[0] : given[0])
  if (flags['version'] === true) return async () => ({ text: `${findPackage().version}\n`, code: 0 })
  const load = COMMANDS.get(name)
  if (load !== undefined) return async (io) => (await load())({ words, flags, program }, io)
  if (given.length > 0) refuseUnquotedHeader(flags)
  refuseUnknownCommand(name)
  refuseExtra(words[0])
  refuseBare(flags)
  return { options: flags }
}

const showHelp = (command: unknown) => async () => ({
  text: await (await import('./help.ts')).helpText(String(command)),
  code: 0,
})

function refuseUnknownCommand(name: string): void {
  const known = ['start', ...COMMANDS.keys()]
  if (!known.includes(name)) refuseOption('DN-FLAG', `unknown command ${name}${hint(name, known)}`)
}

/** Refuses `--fork-header name: value` without quotes. The error does not show the value, because it may be a key. */
function refuseUnquotedHeader(flags: Flags): void {
  if ([flags['fork-header']].flat().some((header) => typeof header === 'string' && header.endsWith(':')))
    refuseOption('DN-VALUE', '--fork-header: write the header in quotes, as "name: value"')
}
