#!/usr/bin/env node
/* oxlint-disable no-restricted-globals -- the files of bin control the process */
/** Starts the command `dev-node`. An older Node is refused in a sentence here, before a module is missed. */

import { fileURLToPath } from 'node:url'
import { LOADED_AFTER_MS, limitHeapGrowth } from '../lib/base/heap-growth.ts'
import { runCached } from './cached-script.ts'
import type * as Command from './command.ts'

/** Name of the bundled command. The build sets it; a hash of the content is part of it. */
declare const COMMAND_FILE: string

/** The oldest version of Node that runs the command, as in package.json; Bun and Deno tell the version of Node that they are like. */
const OLDEST_NODE = [20, 19]

refuseOldNode()

const command = runCached(fileURLToPath(new URL(COMMAND_FILE, import.meta.url)))
setTimeout(limitHeapGrowth, LOADED_AFTER_MS).unref()
if (isCommand(command)) command.run()

function isCommand(loaded: unknown): loaded is typeof Command {
  return typeof loaded === 'object' && loaded !== null && 'run' in loaded
}

function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  process.stderr.write(
    `dev-node: this is Node ${process.versions.node}; the command needs Node ${OLDEST_NODE.join('.')} or later (DN-NODE in docs/troubleshooting.md)\n`,
  )
  // At once, because an old Node cannot read what follows.
  process.exit(1)
}
