/**
 * A sandbox for a user's script: QuickJS in WebAssembly, with limits of time, memory and stack. The script has only what is passed
 * to it.
 */

import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { NodeError } from '../../../base/errors.ts'
import { shorten } from '../../../base/shorten.ts'
import { show } from '../../../config/values.ts'
import { openQuickJs } from './quickjs.ts'

/** A tenth of V8's stack, which QuickJS's functions use too. quickjs.ts has the memory limit. */
const LIMITS = { maxStackSizeBytes: 96 * 1024 }

/** Loop turns between two checks of the clock: microseconds, or 0.2 seconds if each turn copies as many bytes as fit in memory. */
const FUEL = 2 ** 10

/** A value that crosses the sandbox's border. */
export type SandboxValue = string | number | boolean | Uint8Array | undefined

/** A host function. Its errors end the script. */
export type HostFunction = (...args: readonly SandboxValue[]) => SandboxValue

export function fail(message: string): never {
  throw new NodeError('executionFailed', message)
}

/** Runs one script. After an error it is not called again. */
export class Sandbox {
  readonly #context: QuickJSContext
  readonly #functions = new Map<string, QuickJSHandle>()
  /** What ended the script. Errors of host functions are noted when thrown, because the script can catch them. */
  failure: Error | undefined

  private constructor(context: QuickJSContext) {
    this.#context = context
  }

  /** A new sandbox, which shares nothing with others. `checkTime` throws if the script's time is over. */
  static async open(checkTime: () => void): Promise<Sandbox> {
    const quickJs = await openQuickJs(() => {
      checkTime()
      return FUEL
    })
    return new Sandbox(quickJs.newRuntime(LIMITS).newContext())
  }

  /** Evaluates a script to a function, calls it with host functions and texts, and keeps the functions that it returns. */
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

  has(name: string): boolean {
    return this.#functions.has(name)
  }

  /** Calls a function of the script, if it exists. Returns its text, if it returns one. */
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
      this.failure = new NodeError(failure.kind, failure.message + place, {
        cause: failure,
        code: failure.details.code,
      })
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
    // QuickJS throws null if memory is too full for an error.
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

/**
 * The part of a tracer that runs inside the sandbox: what geth provides to tracers (go-ethereum, eth/tracers/js/goja.go). Its value
 * starts a tracer and returns the functions that the host calls. `host` contains the functions of javascript-tracer.ts. Words cross
 * the border as hex digits, bytes as buffers.
 */
export const PRELUDE = `(host, code, config, bigIntegerSource) => {
  const bytesOf = (given, takesText = true) => {
    if (given instanceof Uint8Array) return given
    if (Array.isArray(given)) return Uint8Array.from(given)
    if (!takesText || typeof given !== 'string') return host.fail('invalid buffer type')
    const digits = given.replace(/^0x/i, '')
    const even = digits.length % 2 === 0 ? digits : '0' + digits
    return Uint8Array.from({ length: even.length / 2 }, (_, at) => parseInt(even.slice(2 * at, 2 * at + 2), 16))
  }
  const hexOf = (bytes) => {
    let text = '0x'
    for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16)
    return text
  }
  // The last bytes, with zeros before them if there are too few.
  const fitted = (given, length, takesText) => {
    const [result, kept] = [new Uint8Array(length), bytesOf(given, takesText).slice(-length)]
    result.set(kept, length - kept.length)
    return result
  }
  const text = (given, length = 20, takesText = true) => hexOf(fitted(given, length, takesText))
  const view = (buffer) => new Uint8Array(buffer)

  // The library is evaluated when it is first used.
  let made
  const bigInt = () => (made ??= (0, eval)('(() => {' + bigIntegerSource + ';return bigInt})()'))
  Object.defineProperty(globalThis, 'bigInt', { get: bigInt, configurable: true })
  const big = (digits) => digits && bigInt()(BigInt('0x' + digits))

  Object.assign(globalThis, {
    toHex: (given) => hexOf(bytesOf(given, false)),
    toWord: (given) => fitted(given, 32),
    toAddress: (given) => fitted(given, 20),
    toContract: (from, nonce) => bytesOf(host.created(text(from), nonce)),
    toContract2: (from, salt, code) => bytesOf(host.created2(text(from), text(salt, 32), hexOf(bytesOf(code)))),
    isPrecompiled: (given) => host.isPrecompiled(text(given)),
    slice: (given, start, end) => {
      const bytes = bytesOf(given, false)
      if (start >= 0 && start <= end && end <= bytes.length) return bytes.slice(start, end)
      const wanted = 'offset ' + start + ', size ' + (end - start)
      return host.fail('Tracer accessed out of bound memory: available ' + bytes.length + ', ' + wanted)
    },
  })

  const tracer = (0, eval)('(' + code + '\\n)')
  const has = (name) => typeof tracer?.[name] === 'function'
  for (const name of ['result', 'fault']) if (!has(name)) host.fail('trace object must expose a function ' + name + '()')
  if (has('enter') !== has('exit')) host.fail('trace object must expose either both or none of enter() and exit()')
  if (has('setup')) tracer.setup(config)

  const names = {}
  let error, op, pc, gas, cost, depth, refund, height, size
  const log = {
    op: {
      toNumber: () => op,
      toString: () => (names[op] ??= host.opName(op)),
      isPush: () => op >= 0x5f && op <= 0x7f,
    },
    stack: { peek: (index) => big(host.peek(index)), length: () => height },
    memory: {
      slice: (begin, end) => view(host.memorySlice(begin, end)),
      getUint: (offset) => big(host.memoryWord(offset)),
      length: () => size,
    },
    contract: {
      getCaller: () => bytesOf(host.caller()),
      getAddress: () => bytesOf(host.address()),
      getValue: () => big(host.value()),
      getInput: () => view(host.input()),
    },
    getPC: () => pc,
    getGas: () => gas,
    getCost: () => cost,
    getDepth: () => depth,
    getRefund: () => refund,
    getError: () => error,
  }
  const account = (given) => text(given, 20, false)
  const db = {
    getBalance: (address) => big(host.balance(account(address))),
    getNonce: (address) => host.nonce(account(address)),
    getCode: (address) => view(host.code(account(address))),
    getState: (address, slot) => bytesOf(host.state(account(address), text(slot, 32, false))),
    exists: (address) => host.exists(account(address)),
  }
  const step = (name) => (...given) => {
    ;[error, op, pc, gas, cost, depth, refund, height, size] = given
    tracer[name](log, db)
  }

  let entered, ended
  const frame = {
    getType: () => entered[0],
    getFrom: () => bytesOf(entered[1]),
    getTo: () => bytesOf(entered[2]),
    getGas: () => entered[3],
    getInput: () => view(entered[4]),
    getValue: () => big(entered[5]),
  }
  const frameResult = { getGasUsed: () => ended[0], getOutput: () => view(ended[1]), getError: () => ended[2] }

  const contextOf = (members) => {
    const context = JSON.parse(members)
    for (const name of ['value', 'gasPrice']) context[name] = big(context[name])
    for (const name of ['blockHash', 'txHash', 'coinbase', 'from', 'to', 'input', 'output'])
      if (name in context) context[name] = bytesOf(context[name])
    return context
  }
  return {
    step: has('step') ? step('step') : undefined,
    fault: step('fault'),
    enter: has('enter') ? (...given) => void tracer.enter(((entered = given), frame)) : undefined,
    exit: has('exit') ? (...given) => void tracer.exit(((ended = given), frameResult)) : undefined,
    result: (members) => JSON.stringify(tracer.result(contextOf(members), db)),
  }
}`
