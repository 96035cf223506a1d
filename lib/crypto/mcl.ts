/**
 * Runs the package mcl-wasm: arithmetic of pairing-friendly curves in WebAssembly. Each curve runs in its own instance,
 * which starts at its first use.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NodeError } from '../base/errors.ts'
import { invariant, present } from '../base/invariant.ts'
import { compileWasm, startWasm, wasmMemory, type WasmInstance } from './wasm.ts'

/**
 * Lengths in bytes of numbers and points in mcl's memory. A point has three coordinates; in the second group each is two
 * elements.
 */
export const SIZE = { fp: 48, fr: 32, g1: 3 * 48, g2: 6 * 48, gt: 12 * 48 } as const

/** Numbers of the curves (mcl/curve_type.h). */
const CURVES = { bn254: 4, 'bls12-381': 5 } as const

/** Number sizes that mcl-wasm is compiled for; mcl refuses other callers (mcl/bn.h, MCLBN_COMPILED_TIME_VAR). */
const COMPILED_FOR = 46

/** Initial memory pages of mcl-wasm. */
const PAGES = 32

let compiled: object | undefined

const locate = (): string => createRequire(import.meta.url).resolve('mcl-wasm/dist/mcl_c.js')

/**
 * Compiles the module in the package's file: the package itself loads asynchronously, and a precompile runs synchronously.
 * @throws NodeError 'internal' if the file is missing
 */
export function compileMcl(pathOf: () => string = locate): object {
  try {
    const base64 = /wasmBase64 = '([^']+)'/.exec(readFileSync(pathOf(), 'utf8'))?.[1]
    return compileWasm(Buffer.from(present(base64, 'WebAssembly in mcl-wasm'), 'base64'))
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new NodeError(
      'internal',
      `the package mcl-wasm, which this precompile calculates with, does not load: ${reason}`,
      { cause },
    )
  }
}

/** An instance of mcl for one curve. Numbers are addresses in its memory. */
export class Mcl {
  readonly #wasm: WasmInstance
  #taken: number[] = []

  /** @throws NodeError 'internal' if the package is missing */
  constructor(curve: keyof typeof CURVES) {
    compiled ??= compileMcl()
    this.#wasm = startWasm(compiled, wasmMemory(PAGES))
    this.run('__wasm_call_ctors')
    invariant(this.run('mclBn_init', CURVES[curve], COMPILED_FOR) === 0, `mcl does not know ${curve}`)
  }

  /** Calls a function of mcl/bn.h. */
  run(name: string, ...values: readonly number[]): number {
    return present(this.#wasm.exports[name], name)(...values)
  }

  /** Allocates memory until the end of the scope. */
  take(bytes: number): number {
    const at = this.run('malloc', bytes)
    this.#taken.push(at)
    return at
  }

  /** Allocates memory for these bytes and writes them. */
  put(bytes: Uint8Array): number {
    const at = this.take(bytes.length)
    this.#wasm.bytes().set(bytes, at)
    return at
  }

  /** A copy of bytes of the memory. */
  bytesAt(at: number, length: number): Uint8Array {
    return this.#wasm.bytes().slice(at, at + length)
  }

  /** Runs a task and frees the memory that it allocated. */
  scope<T>(task: () => T): T {
    const outer = this.#taken
    this.#taken = []
    try {
      return task()
    } finally {
      for (const at of this.#taken) this.run('free', at)
      this.#taken = outer
    }
  }
}
