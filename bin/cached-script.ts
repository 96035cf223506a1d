/* oxlint-disable no-restricted-globals -- the files of bin control the process */
/**
 * Runs the bundled command with V8's code cache of an earlier run, because compilation is the longest part of a start. The cache is in
 * the folder of the bundle, which only an owner of the package can write.
 */

import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { dirname, extname } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script, runInThisContext } from 'node:vm'
import { crc32 } from 'node:zlib'
import { LOADED_AFTER_MS } from '../lib/base/heap-growth.ts'

/** Bytes of the checksum in front of the code. V8 does not verify the code, and damaged code would crash the process. */
const CHECKSUM_BYTES = 4

function checksumOf(code: Uint8Array): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32BE(crc32(code))
  return checksum
}

/** Runs a bundle in CommonJS, around which is the function that Node wraps around a module. Returns its exports. */
export function runCached(file: string): unknown {
  const wrapper = isMainRealm()
    ? wrapperWithCache(file)
    : indirectEval(`${readFileSync(file, 'latin1')}\n//# sourceURL=${nameInStacks(file)}`)
  const module: { exports?: unknown } = {}
  if (typeof wrapper === 'function')
    Reflect.apply(wrapper, undefined, [{}, Module.createRequire(file), module, file, dirname(file)])
  return module.exports
}

/** Whether this is no context of `node:vm`, such as that of a test of Jest, whose objects those of the main context are not. */
const isMainRealm = (): boolean => runInThisContext('Object') === Object

/** Evaluates in the context of this module, outside of its scope. */
// oxlint-disable-next-line no-eval -- the text is a file of this package, and node:vm knows the context only by another object
const indirectEval: (text: string) => unknown = globalThis.eval

function wrapperWithCache(file: string): unknown {
  // The tag depends on the version of V8, its flags and the processor.
  const cacheFile = `${file}.${process.platform}-${process.arch}-${cachedDataVersionTag().toString(16)}.cache`
  // The build wrote ASCII, which Latin-1 contains: decoding it is a copy.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: nameInStacks(file),
    ...cachedCode(cacheFile),
  })
  if (script.cachedDataRejected !== false) keepLater(script, cacheFile)
  return script.runInThisContext()
}

/** No file has this name: tools such as Hardhat search the file of each line of a stack for a source map, which takes 50 ms here. */
const nameInStacks = (file: string): string => file.slice(0, -extname(file).length)

function cachedCode(cacheFile: string): { readonly cachedData?: Buffer } {
  try {
    const kept = readFileSync(cacheFile)
    const cachedData = kept.subarray(CHECKSUM_BYTES)
    return checksumOf(cachedData).equals(kept.subarray(0, CHECKSUM_BYTES)) ? { cachedData } : {}
  } catch {
    return {}
  }
}

/** Keeps the functions that have run by then, before a flag of V8 changes, or at the end of a short run. */
function keepLater(script: Script, cacheFile: string): void {
  const keep = (): void => {
    process.off('exit', keep)
    clearTimeout(timer)
    keepCode(script, cacheFile)
  }
  const timer = setTimeout(keep, LOADED_AFTER_MS).unref()
  process.once('exit', keep)
}

/** Writes the code cache for later starts. If the folder is not writable, later starts compile again. */
function keepCode(script: Script, cacheFile: string): void {
  const unfinished = `${cacheFile}.${randomBytes(4).toString('hex')}`
  try {
    const code = script.createCachedData()
    writeFileSync(unfinished, Buffer.concat([checksumOf(code), code]), { flag: 'wx' })
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
