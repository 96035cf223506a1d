/* oxlint-disable no-restricted-globals -- this file and dev-node.ts control the process */
/** The command `dev-node`. */

import { trouble } from '../lib/base/errors.ts'
import { lazyPart } from '../lib/base/lazy-part.ts'
import { main } from '../lib/cli/main.ts'

// Loaded on demand: --help and invalid flags need no chain.
const loadNode = lazyPart('the node', () => import('../lib/server/start.ts'))

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Milliseconds between looks at the parent. npx runs the node in a shell, which ends at a signal and does not pass it on. */
const LOOK_MS = 500

/** Runs lib/cli/main.ts with the process, and exits with its code. */
export function run(): void {
  // The reader of the output, such as `head`, may close it. That counts as a signal to end (below), not as a fault.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

  const code = main({
    argv: process.argv.slice(2),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    isTTY: process.stdout.isTTY,
    pid: process.pid,
    signals: (listener) => {
      for (const signal of SIGNALS) process.on(signal, listener)
      // Only once: later write errors must not interrupt the shutdown.
      const onEnd = (): void => listener('SIGTERM')
      process.stdout.once('error', onEnd)
      const parent = process.ppid
      const watch = process.env['npm_command'] === 'exec' ? setInterval(look, LOOK_MS) : undefined
      function look(): void {
        if (process.ppid === parent) return
        clearInterval(watch)
        onEnd()
      }
      return () => {
        clearInterval(watch)
        for (const signal of SIGNALS) process.off(signal, listener)
        process.stdout.off('error', onEnd)
      }
    },
    crashes: (listener) => {
      const onError = (error: unknown): void => {
        // The exit code if the process ends before the command does.
        process.exitCode = 1
        listener(error)
      }
      // Includes unhandled rejections.
      process.on('uncaughtException', onError)
      return () => process.off('uncaughtException', onError)
    },
    ask: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined,
    streams: () => ({ input: process.stdin, output: process.stdout }),
    start: async (options, hooks) => {
      const { startWithOptions } = await loadNode()
      return startWithOptions(options, hooks)
    },
  })
  // Open handles, such as sockets of clients, must not keep the process alive.
  void code.then((exitCode) => process.exit(exitCode))
}

/** Asks in the terminal. @throws NodeError 'invalidOption' if the user ends the input instead */
async function ask(text: string): Promise<string> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  return new Promise((resolve, reject) => {
    // After an answer it changes nothing.
    lines.on('close', () => reject(trouble('DN-INIT', 'no answer; nothing was changed')))
    lines.question(text, (line) => {
      resolve(line)
      lines.close()
    })
  })
}
