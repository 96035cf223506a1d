/**
 * The part of a tracer in JavaScript that runs inside the sandbox: what geth gives to tracers (go-ethereum, eth/tracers/js/goja.go).
 * Its functions become text, so that they use only each other.
 */

/** The functions of the host. Words are hex digits; a failure ends the tracer. */
interface HostCalls {
  readonly fail: (message: string) => never
  readonly opName: (opcode: number) => string
  readonly peek: (index: number) => string
  readonly memorySlice: (begin: number, end: number) => ArrayBuffer
  readonly memoryWord: (offset: number) => string
  readonly caller: () => string
  readonly address: () => string
  readonly value: () => string
  readonly input: () => ArrayBuffer
  readonly balance: (address: string) => string
  readonly nonce: (address: string) => number
  readonly code: (address: string) => ArrayBuffer
  readonly state: (address: string, slot: string) => string
  readonly exists: (address: string) => boolean
  readonly isPrecompiled: (address: string) => boolean
  readonly created: (from: string, nonce: number) => string
  readonly created2: (from: string, salt: string, code: string) => string
}

type BigMaker = (digits: string) => unknown

/** Bytes of hex digits, of a list or of bytes; digits only where geth takes them. */
function bytesFrom(host: HostCalls, given: unknown, takesText: boolean): Uint8Array {
  if (given instanceof Uint8Array) return given
  if (Array.isArray(given)) return Uint8Array.from(given, Number)
  if (!takesText || typeof given !== 'string') return host.fail('invalid buffer type')
  const digits = given.replace(/^0x/i, '')
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Uint8Array.from({ length: even.length / 2 }, (_, at) => parseInt(even.slice(2 * at, 2 * at + 2), 16))
}

function hexFrom(bytes: Uint8Array): string {
  let text = '0x'
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16)
  return text
}

/** The last bytes, with zeros before them if there are too few. */
function fitted(bytes: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(length)
  const kept = bytes.slice(-length)
  result.set(kept, length - kept.length)
  return result
}

function pick(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The global `bigInt`, which is evaluated when it is first used; returns the function that makes one of hex digits. */
function defineBigInt(script: string): BigMaker {
  let made: unknown
  // oxlint-disable-next-line no-eval -- this function runs inside the sandbox
  const bigInt = (): unknown => (made ??= (0, eval)(`(() => {${script};return bigInt})()`))
  Object.defineProperty(globalThis, 'bigInt', { get: bigInt, configurable: true })
  return (digits) => {
    const make = bigInt()
    const value: unknown =
      typeof make === 'function' ? Reflect.apply(make, undefined, [BigInt(`0x${digits}`)]) : undefined
    return value
  }
}

/** The global functions of tracers. */
function defineHelpers(host: HostCalls): void {
  const text = (given: unknown, length: number): string =>
    hexFrom(fitted(bytesFrom(host, given, true), length))
  const address = (digits: string): Uint8Array => bytesFrom(host, digits, true)
  Object.assign(globalThis, {
    toHex: (given: unknown) => hexFrom(bytesFrom(host, given, false)),
    toWord: (given: unknown) => fitted(bytesFrom(host, given, true), 32),
    toAddress: (given: unknown) => fitted(bytesFrom(host, given, true), 20),
    toContract: (from: unknown, nonce: unknown) => address(host.created(text(from, 20), Number(nonce))),
    toContract2: (from: unknown, salt: unknown, code: unknown) =>
      address(host.created2(text(from, 20), text(salt, 32), hexFrom(bytesFrom(host, code, true)))),
    isPrecompiled: (given: unknown) => host.isPrecompiled(text(given, 20)),
    slice: (given: unknown, start: number, end: number) => {
      const bytes = bytesFrom(host, given, false)
      if (start >= 0 && start <= end && end <= bytes.length) return bytes.slice(start, end)
      const wanted = `offset ${start}, size ${end - start}`
      return host.fail(`Tracer accessed out of bound memory: available ${bytes.length}, ${wanted}`)
    },
  })
}

/** The log that tracers get, and the function that moves it to a step. */
function makeLog(host: HostCalls, big: BigMaker) {
  const names: Record<number, string> = {}
  let [op, pc, gas, cost, depth, refund, height, memoryLength] = [0, 0, 0, 0, 0, 0, 0, 0]
  let error: string | undefined
  let words: readonly string[] = []
  const log = {
    op: {
      toNumber: () => op,
      toString: () => (names[op] ??= host.opName(op)),
      isPush: () => op >= 0x5f && op <= 0x7f,
    },
    stack: { peek: (index: number) => big(words[index] ?? host.peek(index)), length: () => height },
    memory: {
      slice: (begin: number, end: number) => new Uint8Array(host.memorySlice(begin, end)),
      getUint: (offset: number) => big(host.memoryWord(offset)),
      length: () => memoryLength,
    },
    contract: {
      getCaller: () => bytesFrom(host, host.caller(), true),
      getAddress: () => bytesFrom(host, host.address(), true),
      getValue: () => big(host.value()),
      getInput: () => new Uint8Array(host.input()),
    },
    getPC: () => pc,
    getGas: () => gas,
    getCost: () => cost,
    getDepth: () => depth,
    getRefund: () => refund,
    getError: () => error,
  }
  const move = (failure: string | undefined, top: string, values: readonly number[]): void => {
    ;[op = 0, pc = 0, gas = 0, cost = 0, depth = 0, refund = 0, height = 0, memoryLength = 0] = values
    error = failure
    words = top === '' ? [] : top.split(',')
  }
  return { log, move }
}

function makeDb(host: HostCalls, big: BigMaker) {
  const text = (given: unknown, length = 20): string => hexFrom(fitted(bytesFrom(host, given, false), length))
  return {
    getBalance: (address: unknown) => big(host.balance(text(address))),
    getNonce: (address: unknown) => host.nonce(text(address)),
    getCode: (address: unknown) => new Uint8Array(host.code(text(address))),
    getState: (address: unknown, slot: unknown) =>
      bytesFrom(host, host.state(text(address), text(slot, 32)), true),
    exists: (address: unknown) => host.exists(text(address)),
  }
}

/** The frame that tracers get when a call begins, or its result when it ends. */
function makeFrame(host: HostCalls, big: BigMaker) {
  type Entered = readonly [
    type: string,
    from: string,
    to: string,
    gas: number,
    input: ArrayBuffer,
    value?: string,
  ]
  let [entered, gasUsed, output, error]: [Entered, number, ArrayBuffer, string | undefined] = [
    ['', '', '', 0, new ArrayBuffer(0)],
    0,
    new ArrayBuffer(0),
    undefined,
  ]
  return {
    frame: {
      getType: () => entered[0],
      getFrom: () => bytesFrom(host, entered[1], true),
      getTo: () => bytesFrom(host, entered[2], true),
      getGas: () => entered[3],
      getInput: () => new Uint8Array(entered[4]),
      getValue: () => (entered[5] === undefined ? undefined : big(entered[5])),
    },
    result: {
      getGasUsed: () => gasUsed,
      getOutput: () => new Uint8Array(output),
      getError: () => error,
    },
    enter: (given: Entered): void => void (entered = given),
    exit: (used: number, returned: ArrayBuffer, failure: string | undefined): void =>
      void ([gasUsed, output, error] = [used, returned, failure]),
  }
}

/** The context of `result`: texts of addresses, hashes and data become bytes, texts of wei become big integers. */
function contextFrom(host: HostCalls, big: BigMaker, text: string): object {
  const given: unknown = JSON.parse(text)
  const members: [string, unknown][] =
    typeof given === 'object' && given !== null ? Object.entries(given) : []
  const revived = members.map(([name, value]): [string, unknown] => {
    if (name === 'value' || name === 'gasPrice') return [name, big(String(value))]
    const isText = name === 'type' || name === 'error' || typeof value !== 'string'
    return [name, isText ? value : bytesFrom(host, value, true)]
  })
  return Object.fromEntries<unknown>(revived)
}

/** Evaluates the code of a tracer; returns the functions that the host calls. */
function startTracer(host: HostCalls, code: string, config: string, script: string): object {
  const big = defineBigInt(script)
  defineHelpers(host)
  // oxlint-disable-next-line no-eval -- this function runs inside the sandbox
  const tracer: unknown = (0, eval)(`(${code}\n)`)
  const isFunction = (name: string): boolean => typeof pick(tracer, name) === 'function'
  const invoke = (name: string, ...args: readonly unknown[]): unknown => {
    const method = pick(tracer, name)
    return typeof method === 'function' ? Reflect.apply(method, tracer, args) : undefined
  }
  for (const name of ['result', 'fault'])
    if (!isFunction(name)) host.fail(`trace object must expose a function ${name}()`)
  if (isFunction('enter') !== isFunction('exit'))
    host.fail('trace object must expose either both or none of enter() and exit()')
  invoke('setup', config)
  const { log, move } = makeLog(host, big)
  const db = makeDb(host, big)
  const frames = makeFrame(host, big)
  type Step = [error: string | undefined, words: string, ...values: readonly number[]]
  const step = (name: 'step' | 'fault', ...[error, words, ...values]: Step): void => {
    move(error, words, values)
    invoke(name, log, db)
  }
  return {
    ...(isFunction('step') ? { step: step.bind(undefined, 'step') } : {}),
    fault: step.bind(undefined, 'fault'),
    ...(isFunction('enter')
      ? {
          enter: (...given: Parameters<typeof frames.enter>[0]) => {
            frames.enter(given)
            invoke('enter', frames.frame)
          },
          exit: (...given: Parameters<typeof frames.exit>) => {
            frames.exit(...given)
            invoke('exit', frames.result)
          },
        }
      : {}),
    // A result of undefined has no text.
    result: (text: string): string | undefined =>
      JSON.stringify(invoke('result', contextFrom(host, big, text), db)),
  }
}

const PARTS = [bytesFrom, hexFrom, fitted, pick, defineBigInt, defineHelpers, makeLog, makeDb, makeFrame]

/** A script whose value is the function that starts a tracer. */
export const PRELUDE: string = `(() => {${PARTS.join('\n')}\n${contextFrom.toString()}\nreturn ${startTracer.toString()}})()`
