/**
 * The part of a tracer in JavaScript that runs inside the sandbox: what geth gives to tracers (go-ethereum, eth/tracers/js/goja.go).
 * Words cross the border as hex digits, bytes as buffers.
 */

/** A script whose value starts a tracer: it returns the functions that the host calls. `host` has the functions of javascript-tracer.ts. */
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
