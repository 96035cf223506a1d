#!/usr/bin/env node
/* eslint-disable no-restricted-globals -- the one file that touches the process */
/** The command `dev-node`: hands the process to lib/cli/main.ts and ends it with the code that answers. */

import { lazyPart } from '../lib/base/lazy-part.ts'
import { main } from '../lib/cli/main.ts'

// Loaded late: --help and a mistyped flag need no chain.
const loadNode = lazyPart('the node', () => import('../lib/index.ts'))

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

// Whoever read the output may go, as `head` does. That is a signal to end (below), and no fault.
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
    // Once: what fails to be written while the node ends must not cut that short.
    process.stdout.once('error', listener)
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener)
      process.stdout.off('error', listener)
    }
  },
  crashes: (listener) => {
    const heard = (error: unknown): void => {
      // Also if nothing is left to wait for.
      process.exitCode = 1
      listener(error)
    }
    // Rejections that nothing handles come here, too.
    process.on('uncaughtException', heard)
    return () => process.off('uncaughtException', heard)
  },
  start: async (options, hooks) => {
    const { startServer } = await loadNode()
    return startServer(options, hooks)
  },
})
// What is still open, as a socket of a client, must not keep a command that has ended.
void code.then((exitCode) => process.exit(exitCode))
