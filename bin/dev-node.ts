#!/usr/bin/env node
/* oxlint-disable no-restricted-globals -- this file and command.ts control the process */
/**
 * Starts the command `dev-node` with V8's code cache of an earlier start, because compilation is the longest part of a
 * start. The cache is in the folder of the bundle, which only an owner of the package can write. An older Node is refused in a
 * sentence here, before a module is missed.
 */

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { LOADED_AFTER_MS, limitHeapGrowth } from '../lib/base/heap-growth.ts'

/** Name of the bundled command. The build sets it; a hash of the content is part of it. */
declare const COMMAND_FILE: string

/** Bytes of the digest in front of the code. V8 does not verify the code, and damaged code would crash the process. */
const DIGEST_BYTES = 32

/** The oldest version of Node that runs the command, as in package.json; Bun and Deno tell the version of Node that they are like. */
const OLDEST_NODE = [20, 19]

refuseOldNode()

const digestOf = (code: Uint8Array): Buffer => createHash('sha256').update(code).digest()

const file = fileURLToPath(new URL(COMMAND_FILE, import.meta.url))
// The tag depends on the version of V8, its flags and the processor.
const cacheFile = `${file}.${process.platform}-${process.arch}-${cachedDataVersionTag().toString(16)}.cache`

// The build wrote ASCII, which Latin-1 contains: decoding it is a copy.
const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...cachedCode() })
// The cache contains the functions that have run by then.
setTimeout(() => {
  if (script.cachedDataRejected !== false) keepCode()
  limitHeapGrowth()
}, LOADED_AFTER_MS).unref()

const command: unknown = script.runInThisContext()
if (typeof command === 'function') {
  Reflect.apply(command, undefined, [{}, Module.createRequire(file), {}, file, dirname(file)])
}

function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  process.stderr.write(
    `dev-node: this is Node ${process.versions.node}; the command needs Node ${OLDEST_NODE.join('.')} or later\n`,
  )
  // At once, because an old Node cannot read what follows.
  process.exit(1)
}

function cachedCode(): { readonly cachedData?: Buffer } {
  try {
    const kept = readFileSync(cacheFile)
    const cachedData = kept.subarray(DIGEST_BYTES)
    return digestOf(cachedData).equals(kept.subarray(0, DIGEST_BYTES)) ? { cachedData } : {}
  } catch {
    return {}
  }
}

/** Writes the code cache for later starts. If the folder is not writable, later starts compile again. */
function keepCode(): void {
  const unfinished = `${cacheFile}.${randomBytes(4).toString('hex')}`
  try {
    const code = script.createCachedData()
    writeFileSync(unfinished, Buffer.concat([digestOf(code), code]), { flag: 'wx' })
    renameSync(unfinished, cacheFile)
  } catch {
    // The disk is read-only or full, or, on Windows, another start reads the file.
    removeQuietly(unfinished)
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A temporary file that remains does no harm.
  }
}
