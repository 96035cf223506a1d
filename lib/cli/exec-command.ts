/** Runs `dev-node exec`: runs a command, such as a test suite, against its own node, and prints what failed on the node. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NodeError, seeHelp } from '../base/errors.ts'
import type { AllOptions } from '../modules/options.ts'
import { findPackage } from '../config/package.ts'
import { nodeAt, type AskedNode } from '../client/node-client.ts'
import { waitLine } from '../config/request-log.ts'
import { resolveOptions } from '../modules/resolve-options.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { groupAlike } from '../schema/alike-failures.ts'
import type { FailureResult } from '../schema/explanation-results.ts'
import type { RunningServer } from '../server/start.ts'
import { explainedFailure, namesInFailures, newestFailures } from './explain-command.ts'
import { failureLines } from './explanation-lines.ts'
import { asksForExplorer, explorerLine } from '../embed/testing/run-options.ts'
import { programOf, refuseBare, type CommandLine } from './command-flags.ts'
import { jsonLine, paintOn, printError, type CommandResult, type Io } from './io.ts'

/** Hardhat's `localhost` network and Foundry use this port by default, so they find the node without a setting. */
const USUAL_PORT = 8545

/** Maximum number of failures that are read, and of distinct ones that are printed. */
const MAX_READ = 100
const MAX_PRINTED = 10

/** A program that was ended by a signal has the exit code 128 plus the signal's number; so does one that cannot be started. */
const SIGNALLED = 128
const NOT_FOUND = 127

/** Runs the command; returns its exit code. @throws NodeError 'invalidOption', 'addressInUse' */
export async function runExecCommand(line: CommandLine, io: Io): Promise<CommandResult> {
  const program = programOf('exec', line)
  refuseBare(line.flags)
  const given = withCacheFolder(resolveOptions({ flags: line.flags, env: io.env }), io.env)
  // The URL of Hardhat's network localhost chooses no dialect.
  const options: AllOptions = { ...given, dialect: given.dialect ?? (given.faithful ? 'node33' : 'hardhat') }
  const server = await startServer(io, options)
  const url = [server.url, ...options.apiKeys.slice(0, 1)].join('/')
  const foundryUrl = given.dialect === undefined ? `${url}?dialect=ethereum` : url
  const node = nodeAt(url)
  const say = (line: string): void => void io.stdout.write(`${line}\n`)
  let received = 0
  let release = (): void => undefined
  try {
    if (server.port !== USUAL_PORT && options.port === undefined)
      io.stderr.write(
        `dev-node: port ${USUAL_PORT} is taken: this node is at ${server.url}, and Hardhat's network localhost is another\n`,
      )
    if (asksForExplorer({}, io.env)) io.stderr.write(`${explorerLine([server.explorer ?? server.url])}\n`)
    if (server.waitsFor !== undefined) io.stderr.write(`${waitLine(server.waitsFor, url)}\n`)
    const names = {
      ETH_RPC_URL: foundryUrl,
      DEV_NODE_URL: url,
      NODE_OPTIONS: withHooks(io.env['NODE_OPTIONS']),
    }
    if (options.affected) {
      const { begin } = await import('../embed/affected/parts.ts')
      const asked = { root: resolve(), affected: true, artifacts: options.artifacts }
      await begin({ ...asked, chains: 'program' }, names)
    }
    const hardhat = server.port === USUAL_PORT ? { HARDHAT_NETWORK: 'localhost' } : {}
    const code = await runProgram(program, { ...hardhat, ...io.env, ...names }, io)
    // The exit code of the command counts, also if the node does not answer.
    const newest = code === 0 ? undefined : await newestFailures(node, MAX_READ).catch(() => undefined)
    // The output of the command may end without a line break.
    if (options.json) io.stdout.write(`\n${jsonLine('ended', { code, failures: newest ?? [] })}`)
    // Mocha ends with the number of its failures, which may be this code, too.
    else if (newest !== undefined && (code !== NOT_FOUND || newest.length > 0))
      await printFailures(newest, node, options.hold, io)
    if (options.hold) {
      say(`\ndev-node: ${server.explorer ?? server.url} stays until Ctrl-C`)
      await new Promise<void>((resolve) => (release = io.signals(() => received++ === 0 && resolve())))
    }
    return { text: '', code }
  } finally {
    release()
    await server.close()
    const reports = await server.closingText(paintOn(io))
    if (reports !== '') say(`\n${reports.trimEnd()}`)
  }
}

/** NODE_OPTIONS for the program, with the hooks that explain failed tests. */
function withHooks(given = ''): string {
  const hooks = join(findPackage().folder, 'dist', 'exec-hooks.js')
  return existsSync(hooks) ? `${given} --import ${pathToFileURL(hooks).href}`.trim() : given
}

/** Starts the node on the usual port, or on another one if that is taken. */
async function startServer(io: Io, options: AllOptions): Promise<RunningServer> {
  const onConsole = (text: string): void => void io.stderr.write(`${text}\n`)
  const onNotice = (sentence: string): void => void io.stderr.write(`dev-node: ${sentence}\n`)
  const onFault = (error: unknown): void => printError(io, error)
  const hooks = { onFault, endsWithRun: !options.hold, ...(options.quiet ? {} : { onConsole, onNotice }) }
  if (options.port !== undefined) return io.start(options, hooks)
  return io.start({ ...options, port: USUAL_PORT }, hooks).catch((error: unknown) => {
    if (!(error instanceof NodeError) || error.kind !== 'addressInUse') throw error
    return io.start({ ...options, port: 0 }, hooks)
  })
}

/** Runs a program with the streams of this process; a signal to this process ends it too. Returns its exit code. */
export function runProgram(
  [program, ...args]: readonly [string, ...(readonly string[])],
  env: NodeJS.ProcessEnv,
  io: Io,
): Promise<number> {
  // On Windows `npx` is not a program, so only the shell finds it.
  const child = spawn(program, args, { stdio: 'inherit', env, shell: platform() === 'win32' })
  let isEnding = false
  const release = io.signals((signal) => {
    // The terminal has sent Ctrl-C to the program too.
    if (isEnding || signal !== 'SIGINT' || !io.isTTY) child.kill(isEnding ? 'SIGKILL' : signal)
    isEnding = true
  })
  return new Promise<number>((resolve) => {
    child.once('error', ({ message }) => {
      io.stderr.write(`dev-node: ${program} cannot be started: ${message}${seeHelp('DN-EXEC')}\n`)
      resolve(NOT_FOUND)
    })
    child.once('exit', (code, signal) =>
      resolve(code ?? SIGNALLED + (signal === null ? 0 : constants.signals[signal])),
    )
  }).finally(release)
}

/** Prints the newest failures after a command that failed, the newest last. If a suite passed, its failures were expected. */
async function printFailures(
  newest: readonly FailureResult[],
  node: AskedNode,
  isHeld: boolean,
  io: Io,
): Promise<void> {
  const say = (line: string): void => void io.stdout.write(`${line}\n`)
  if (newest.length === 0)
    return say(
      '\ndev-node: no execution failed on the node of this command; tests that start a node of their own do not use it',
    )
  // The runner shows why its tests failed; other failures were expected.
  if (newest.some(({ test }) => test !== undefined)) return
  const names = await namesInFailures(newest, node).catch(() => ({}))
  const paint = paintOn(io)
  say(paint.bold(`\nThe newest failed executions, also expected ones, the last one at the end:`))
  for (const alike of groupAlike(newest).slice(0, MAX_PRINTED).reverse()) {
    const [{ id, place }] = alike
    const stack = place && (await explainedFailure(id, node).catch(() => null))?.stack
    const command = isHeld ? node.commandFor(id) : undefined
    say(['', ...failureLines(alike, { names, paint, stack }, command)].join('\n'))
  }
  if (!isHeld) say('\ndev-node: --hold keeps the node, for its explorer and dev-node explain')
}
