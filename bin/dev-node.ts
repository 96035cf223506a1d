#!/usr/bin/env node
/* eslint-disable no-restricted-globals -- this file and command.ts control the process */
/**
 * Starts the command `dev-node` with compiled code that V8 kept from an earlier start (its code cache): compiling takes
 * longer than all else in a start. The code is kept beside the bundle, where only an owner of the package can write.
 */

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script, constants } from 'node:vm'

/** Name of the bundled command. The build sets it; a hash of the content is part of it. */
declare const COMMAND_FILE: string

/** Milliseconds after the start of the first run when the code is kept. Functions that ran until then are in it. */
const KEEP_AFTER_MS = 1000

/** Bytes of the digest before the code. V8 does not check the code: damaged code would end the process. */
const DIGEST_BYTES = 32

const digestOf = (code: Uint8Array): Buffer => createHash('sha256').update(code).digest()

const file = fileURLToPath(new URL(COMMAND_FILE, import.meta.url))
// The tag depends on the version of V8, its flags and the processor.
const cacheFile = `${file}.${process.platform}-${process.arch}-${cachedDataVersionTag().toString(16)}.cache`

const script = new Script(Module.wrap(readFileSync(file, 'utf8')), {
  filename: file,
  ...cachedCode(),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
if (script.cachedDataRejected !== false) setTimeout(keepCode, KEEP_AFTER_MS).unref()

const command: unknown = script.runInThisContext()
if (typeof command === 'function') {
  Reflect.apply(command, undefined, [{}, Module.createRequire(file), {}, file, dirname(file)])
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

/** Keeps the compiled code for later starts. A folder that cannot be written costs them time and nothing else. */
function keepCode(): void {
  const unfinished = `${cacheFile}.${randomBytes(4).toString('hex')}`
  try {
    const code = script.createCachedData()
    writeFileSync(unfinished, Buffer.concat([digestOf(code), code]), { flag: 'wx' })
    renameSync(unfinished, cacheFile)
  } catch {
    // Read-only or full; or on Windows another start reads the file.
    removeQuietly(unfinished)
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It does no harm.
  }
}
