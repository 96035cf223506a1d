#!/usr/bin/env node
/* eslint-disable no-restricted-globals -- the one file that touches the process */
/** The command `dev-node`: hands the process to lib/cli/main.ts and ends it with the code that answers. */

import { main } from '../lib/cli/main.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

// Whoever read the output has gone, as `head` does: nobody is left to write to.
process.stdout.on('error', () => process.exit(0))

const code = main({
  argv: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  isTTY: process.stdout.isTTY,
  pid: process.pid,
  signals: (listener) => {
    for (const signal of SIGNALS) process.on(signal, listener)
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener)
    }
  },
  // Loaded late: --help and a mistyped flag need no chain.
  start: async (options, hooks) => {
    const { startServer } = await import('../lib/index.ts')
    return startServer(options, hooks)
  },
})
void code.then((exitCode) => process.exit(exitCode))
