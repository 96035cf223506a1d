/** A sandbox for a script of a user: QuickJS in WebAssembly, with limits of time, memory and stack. It has only what is passed to it. */

import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { shorten } from '../../../base/shorten.ts'
import { present } from '../../../base/invariant.ts'
import { openQuickJs } from './quickjs.ts'

/** Bytes that a script can allocate. */
const MEMORY_LIMIT = 64 * 2 ** 20

/** Bytes of the script's stack; a tenth of V8's, on which the functions of QuickJS run too. */
const STACK_LIMIT = 96 * 1024

/** Turns of loops between two looks at the clock: a few milliseconds. */
const FUEL = 2 ** 18

/** A value that crosses the border of the sandbox. */
export type SandboxValue = string | number | boolean | Uint8Array | undefined

/** A function of the host. Its errors end the script. */
export type HostFunction = (...args: readonly SandboxValue[]) => SandboxValue

/** The end of a script: its message is for users. */
export class ScriptError extends Error {}

/** Throws if the time of a script is over. */
export type TimeCheck = () => void

/** One script at a time, from `start` to the end. After an error the sandbox must not be used again. */
export class Sandbox {
  readonly #context: QuickJSContext
  readonly #clock: { check: TimeCheck }
  #functions = new Map<string, QuickJSHandle>()
  /** The error of the clock or of a host function, which the script cannot catch. */
  #failure: { readonly error: unknown } | undefined

  private constructor(quickJs: QuickJSWASMModule, clock: { check: TimeCheck }) {
    const runtime = quickJs.newRuntime({ memoryLimitBytes: MEMORY_LIMIT, maxStackSizeBytes: STACK_LIMIT })
    this.#context = runtime.newContext()
    this.#clock = clock
  }

  /** A new sandbox, which shares nothing with others. */
  static async open(): Promise<Sandbox> {
    const clock: { check: TimeCheck } = { check: () => undefined }
    const quickJs = await openQuickJs(() => {
      clock.check()
      return FUEL
    })
    return new Sandbox(quickJs, clock)
  }

  /**
   * Evaluates a script to a function, calls it with the functions of the host and texts, and keeps the functions of the object that it returns.
   * @throws ScriptError
   */
  start(script: string, host: Readonly<Record<string, HostFunction>>, texts: readonly string[]): void {
    const context = this.#context
    const functions = context.newObject()
    for (const [name, run] of Object.entries(host)) {
      context.setProp(
        functions,
        name,
        context.newFunction(name, (...args) => this.#answer(run, args)),
      )
    }
    this.#guard(() => {
      const begin = this.#unwrap(context.evalCode(script))
      const args = [functions, ...texts.map((text) => context.newString(text))]
      const made = this.#unwrap(context.callFunction(begin, context.undefined, ...args))
      const names = context.getOwnPropertyNames(made, { strings: true }).unwrap()
      for (const name of names) {
        const key = context.getString(name)
        this.#functions.set(key, context.getProp(made, key))
      }
    })
  }

  /** Whether the script has a function with this name. */
  has(name: string): boolean {
    return this.#functions.has(name)
  }

  /** Sets the clock, which is asked while the script runs. */
  setClock(check: TimeCheck): void {
    this.#clock.check = () => this.#failing(check)
  }

  /** Calls a function of the script. @throws ScriptError */
  call(name: string, ...args: readonly SandboxValue[]): string | undefined {
    const context = this.#context
    return this.#guard(() => {
      const handles = args.map((value) => this.#toHandle(value))
      const run = present(this.#functions.get(name), 'function of the script')
      const result = this.#unwrap(context.callFunction(run, context.undefined, ...handles))
      for (const handle of handles) if (handle.alive) handle.dispose()
      const text = context.typeof(result) === 'string' ? context.getString(result) : undefined
      result.dispose()
      return text
    })
  }

  /** The result of a host function, as a new value of the sandbox. */
  #answer(run: HostFunction, args: readonly QuickJSHandle[]): QuickJSHandle {
    const values = args.map((handle) => this.#toValue(handle))
    return this.#toHandle(this.#failing(() => run(...values)))
  }

  /** Notes the error of a function, and throws it. */
  #failing<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      this.#failure ??= { error }
      throw error
    }
  }

  /** Runs the script, and prefers the errors of the host to those that the script makes of them. */
  #guard<T>(run: () => T): T {
    try {
      const result = run()
      if (this.#failure === undefined) return result
    } catch (error) {
      if (this.#failure === undefined) {
        throw error instanceof RangeError ? new ScriptError('InternalError: stack overflow') : error
      }
    }
    throw this.#failure.error
  }

  /** The value of a result. @throws ScriptError with the name and the message of an exception */
  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error === undefined) return result.value
    const thrown: unknown = this.#context.dump(result.error)
    throw new ScriptError(shorten(thrownText(thrown)))
  }

  #toHandle(value: SandboxValue): QuickJSHandle {
    const context = this.#context
    if (typeof value === 'string') return context.newString(value)
    if (typeof value === 'number') return context.newNumber(value)
    if (typeof value === 'boolean') return value ? context.true : context.false
    return value === undefined ? context.undefined : context.newArrayBuffer(value.slice().buffer)
  }

  #toValue(handle: QuickJSHandle): SandboxValue {
    const context = this.#context
    const type = context.typeof(handle)
    if (type === 'string') return context.getString(handle)
    return type === 'number' ? context.getNumber(handle) : undefined
  }
}

/** What a script threw, as goja shows it: name and message of an error. */
function thrownText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown)
  const name = 'name' in thrown ? String(thrown.name) : 'Error'
  return `${name}: ${String(thrown.message)}`
}
