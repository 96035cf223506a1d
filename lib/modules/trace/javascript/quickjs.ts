/** Instances of QuickJS. They and their packages are in a separate file, which the first JavaScript tracer loads (scripts/build.js). */

import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import type { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { once } from '../../../base/once.ts'
import { compileWasm, startModule, wasmMemory } from '../../../crypto/wasm.ts'
import { BIG_INTEGER, QUICKJS_CODE } from './sandbox-code.ts'

/** The script that defines `bigInt`, as geth's tracers have it. */
export const bigIntegerScript = BIG_INTEGER

const compiled = once(() => compileWasm(Buffer.from(QUICKJS_CODE, 'base64')))

const variant: QuickJSSyncVariant = {
  type: 'sync',
  importFFI: async () => (await import('@jitl/quickjs-wasmfile-release-sync/ffi')).QuickJSFFI,
  importModuleLoader: () => import('@jitl/quickjs-wasmfile-release-sync/emscripten-module'),
}

/** Pages of 64 kB that an instance begins with, and their maximum. QuickJS's own limit counts no bytes in WebAssembly. */
const [INITIAL_PAGES, MAX_PAGES] = [256, 1024]

/** Imports of a module, by module and name. */
type Imports = Parameters<typeof startModule>[1]

/**
 * A new instance, which shares no memory with others. It calls `refuel` after as many loop turns as the last call returned. A call
 * that throws ends the script, and the instance must not be used again.
 */
export function openQuickJs(refuel: () => number): Promise<QuickJSWASMModule> {
  const instantiateWasm = (imports: Imports, done: (instance: object) => void): object => {
    const instance = startModule(compiled(), { ...imports, sandbox: { refuel } })
    done(instance)
    return instance.exports
  }
  const emscriptenModule = { instantiateWasm, wasmMemory: wasmMemory(INITIAL_PAGES, MAX_PAGES) }
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { emscriptenModule }))
}
