/** WebAssembly as the curves and hashes use it: a module in memory of its own, compiled without waiting. */

/** A function of a module; numbers are 32-bit integers, mostly places in its memory. */
type WasmFunction = (...values: readonly number[]) => number

/** A module that runs. */
export interface WasmInstance {
  /** Functions by name. */
  readonly exports: Readonly<Record<string, WasmFunction>>
  /** Its memory as it is now; a view is of no use after the memory has grown. */
  readonly bytes: () => Uint8Array
}

// Types for Node 20 do not declare it.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => Pick<WasmInstance, 'exports'>
}

/** Starts a module that imports its memory of so many pages as `env.memory`. */
export function startWasm(module: object, pages: number): WasmInstance {
  const memory = new WebAssembly.Memory({ initial: pages })
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return { exports, bytes: () => new Uint8Array(memory.buffer) }
}

/** Compiles the bytes of a module: V8 does so lazily, so that this takes a millisecond. */
export function compileWasm(bytes: Uint8Array): object {
  return new WebAssembly.Module(bytes)
}
