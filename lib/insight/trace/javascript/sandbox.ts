/** A sandbox for a script of a user: QuickJS in WebAssembly, with limits of time, memory and stack. It has only what is passed to it. */

import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { NodeError } from '../../../base/errors.ts'
import { shorten } from '../../../base/shorten.ts'
import { show } from '../../../config/values.ts'
import { openQuickJs } from './quickjs.ts'

/** A tenth of V8's stack, on which the functions of QuickJS run too. The limit of memory is in quickjs.ts. */
const LIMITS = { maxStackSizeBytes: 96 * 1024 }

/** Turns of loops between two looks at the clock: microseconds, or 0.2 seconds if each turn copies as many bytes as fit in the memory. */
const FUEL = 2 ** 10

/** A value that crosses the border of the sandbox. */
export type SandboxValue = string | number | boolean | Uint8Array | undefined

/** A function of the host. Its errors end the script. */
export type HostFunction = (...args: readonly SandboxValue[]) => SandboxValue

/** Ends the script, with a message for users. */
export function fail(message: string): never {
  throw new NodeError('executionFailed', message)
}

/** Runs one script. After an error it is not called again. */
export class Sandbox {
  readonly #context: QuickJSContext
  readonly #functions = new Map<string, QuickJSHandle>()
  /** What ended the script. Errors of host functions are noted when they are thrown, because a script can catch them. */
  failure: Error | undefined

  private constructor(context: QuickJSContext) {
    this.#context = context
  }

  /** A new sandbox, which shares nothing with others. `checkTime` throws if the time of the script is over. */
  static async open(checkTime: () => void): Promise<Sandbox> {
    const quickJs = await openQuickJs(() => {
      checkTime()
      return FUEL
    })
    return new Sandbox(quickJs.newRuntime(LIMITS).newContext())
  }

  /** Evaluates a script to a function, calls it with the functions of the host and texts, and keeps the functions that it returns. */
  start(script: string, host: Readonly<Record<string, HostFunction>>, texts: readonly string[]): void {
    const context = this.#context
    this.#attempt('', () => {
      const functions = context.newObject()
      for (const [name, run] of Object.entries(host)) {
        const answer = context.newFunction(name, (...args) => this.#answer(run, args))
        context.setProp(functions, name, answer)
      }
      const begin = this.#unwrap(context.evalCode(script))
      const args = [functions, ...texts.map((text) => context.newString(text))]
      const made = this.#unwrap(context.callFunction(begin, context.undefined, ...args))
      for (const name of context.getOwnPropertyNames(made, { strings: true }).unwrap()) {
        const [key, run] = [context.getString(name), context.getProp(made, name)]
        if (context.typeof(run) === 'function') this.#functions.set(key, run)
      }
    })
  }

  /** Whether the script has a function with this name. */
  has(name: string): boolean {
    return this.#functions.has(name)
  }

  /** Calls a function of the script, if it has it. Returns its text, if it returns one. */
  call(name: string, ...args: readonly SandboxValue[]): string | undefined {
    const [context, run] = [this.#context, this.#functions.get(name)]
    if (run === undefined) return undefined
    return this.#attempt(`    in server-side tracer function '${name}'`, () => {
      const handles = args.map((value) => this.#toHandle(value))
      const result = this.#unwrap(context.callFunction(run, context.undefined, ...handles))
      for (const handle of handles) if (handle.alive) handle.dispose()
      const text = context.typeof(result) === 'string' ? context.getString(result) : undefined
      result.dispose()
      return text
    })
  }

  /** Runs the script, unless it has failed before. */
  #attempt<T>(place: string, run: () => T): T | undefined {
    if (this.failure !== undefined) return undefined
    let result: T | undefined
    try {
      result = run()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.failure ??=
        error instanceof RangeError
          ? new NodeError('executionFailed', 'InternalError: stack overflow', { cause: error })
          : error
    }
    const { failure } = this
    if (failure instanceof NodeError)
      this.failure = new NodeError(failure.kind, failure.message + place, { cause: failure })
    return result
  }

  /** The result of a host function, as a new value of the sandbox. */
  #answer(run: HostFunction, args: readonly QuickJSHandle[]): QuickJSHandle {
    try {
      return this.#toHandle(run(...args.map((handle) => this.#toValue(handle))))
    } catch (error) {
      if (error instanceof Error) this.failure ??= error
      throw error
    }
  }

  /** The value of a result. @throws NodeError 'executionFailed' with the name and the message of an exception, as goja shows it */
  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error === undefined) return result.value
    const thrown: unknown = this.#context.dump(result.error)
    // QuickJS throws null if the memory is too full for an error.
    if (thrown === null) fail('null, as QuickJS throws if it is out of memory')
    if (typeof thrown === 'string') fail(shorten(thrown))
    if (typeof thrown !== 'object' || !('message' in thrown)) fail(shorten(show(thrown)))
    const name = 'name' in thrown ? String(thrown.name) : 'Error'
    fail(shorten(`${name}: ${String(thrown.message)}`))
  }

  #toHandle(value: SandboxValue): QuickJSHandle {
    const context = this.#context
    if (typeof value === 'string') return context.newString(value)
    if (typeof value === 'number') return context.newNumber(value)
    if (typeof value === 'boolean') return value ? context.true : context.false
    return value === undefined ? context.undefined : context.newArrayBuffer(value.slice().buffer)
  }

  #toValue(handle: QuickJSHandle): SandboxValue {
    const type = this.#context.typeof(handle)
    if (type === 'string') return this.#context.getString(handle)
    return type === 'number' ? this.#context.getNumber(handle) : undefined
  }
}
