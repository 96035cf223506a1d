/** Compiles and starts WebAssembly modules synchronously, each with its own memory. */

/** A function of a module. Its numbers are 32-bit integers, mostly addresses in the module's memory. */
export type WasmFunction = (...values: readonly number[]) => number

export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

export interface WasmInstance<Name extends string = string> {
  readonly exports: Readonly<Record<Name, WasmFunction>>
  /** A view of its memory. It becomes invalid when the memory grows. */
  readonly bytes: () => Uint8Array
}

// The types for Node 20 do not declare it.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (size: {
    readonly initial: number
    readonly maximum?: number | undefined
  }) => WasmMemory
  readonly Instance: new <Name extends string>(
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => Pick<WasmInstance<Name>, 'exports'>
  readonly RuntimeError: new () => Error
}

export const wasmMemory = (pages: number, maximum?: number): WasmMemory =>
  new WebAssembly.Memory({ initial: pages, maximum })

/**
 * Starts a module that exports functions of these names. It imports its memory as `env.memory`, and optionally functions of other
 * modules.
 */
export function startWasm<Name extends string>(
  module: object,
  memory: WasmMemory,
  functions: Readonly<Record<string, WasmFunction>> = {},
): WasmInstance<Name> {
  const { exports } = new WebAssembly.Instance<Name>(module, { env: { ...functions, memory } })
  return { exports, bytes: () => new Uint8Array(memory.buffer) }
}

/** Whether an error can come from inside a module's function: a trap or a stack overflow. */
export const isTrap = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError || error instanceof RangeError

/** Compiles the bytes of a module. V8 compiles lazily, so this takes about a millisecond. */
export const compileWasm = (bytes: Uint8Array): object => new WebAssembly.Module(bytes)

/** Starts a module with all its imports, for packages that bring their own functions. */
export const startModule = (
  module: object,
  imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Pick<WasmInstance, 'exports'> => new WebAssembly.Instance(module, imports)
