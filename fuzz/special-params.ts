/** Params of methods for which the forms of the schemas would waste time or reach nothing. */

import type { Choices } from './choices.ts'

const funded = (choices: Choices): string => choices.known.addresses[2 + choices.draw(3)]!
const code = (choices: Choices): string => choices.any(choices.known.codes)
const transaction = (choices: Choices): string => choices.any(choices.known.transactions)

/** A transaction of an account of the node: a transfer, a call or a creation. */
const sent = (choices: Choices): object => {
  const base = { from: funded(choices), ...(choices.once(2) ? { gas: '0x30d40' } : {}) }
  return choices.any<() => object>([
    () => ({ ...base, to: choices.any(choices.known.addresses), value: `0x${choices.draw(9)}` }),
    () => ({ ...base, to: choices.any(choices.known.addresses), data: code(choices) }),
    () => ({ ...base, data: code(choices) }),
  ])()
}

/** A call of code, which is at an address by an override, or is init code. */
const called = (choices: Choices): readonly unknown[] => {
  const to = choices.any(choices.known.addresses)
  const from = funded(choices)
  const gas = choices.any([{}, {}, { gas: '0x7a120' }, { gas: '0x5208' }])
  return choices.any<() => readonly unknown[]>([
    () => [{ from, to, data: code(choices), ...gas }, 'latest', { [to]: { code: code(choices) } }],
    () => [{ from, data: code(choices), ...gas }, 'latest'],
    () => [{ to, data: code(choices) }, choices.any(['latest', 'pending', '0x1'])],
  ])()
}

/** One of two times: the schemas' params otherwise. */
const TABLE: Readonly<Record<string, (choices: Choices) => readonly unknown[]>> = {
  eth_sendTransaction: (choices) => [sent(choices)],
  eth_sendRawTransaction: (choices) => [transaction(choices)],
  eth_call: called,
  eth_estimateGas: called,
  eth_createAccessList: called,
  debug_traceCall: (choices) => {
    const [call, block, stateOverrides = {}] = called(choices)
    return [
      call,
      block,
      { tracer: choices.any(['callTracer', 'prestateTracer', 'flatCallTracer']), stateOverrides },
    ]
  },
  dev_explainCall: (choices) => called(choices).slice(0, 2),
  eth_simulateV1: (choices) => {
    const [call, , stateOverrides = {}] = called(choices)
    return [{ blockStateCalls: [{ calls: [call, called(choices)[0]], stateOverrides }] }, 'latest']
  },
  hardhat_setCode: (choices) => [choices.any(choices.known.addresses), code(choices)],
  dev_loadState: () => ['0x00'],
}

/**
 * Always: a wait for a receipt ends soon, and blocks are few enough that chains stay short. Code that loops at the address of a
 * system contract takes half a second in each block.
 */
const ALWAYS: typeof TABLE = {
  eth_sendTransactionSync: (choices) => [sent(choices), choices.draw(50)],
  eth_sendRawTransactionSync: (choices) => [transaction(choices), choices.draw(50)],
  hardhat_mine: (choices) => [choices.any(['0x1', '0x3', '0x20', '0x3b9aca00']), `0x${choices.draw(9)}`],
}

/** Params for a method of the list. */
export function specialParams(method: string, choices: Choices): readonly unknown[] | undefined {
  const row = ALWAYS[method] ?? (choices.once(2) ? TABLE[method] : undefined)
  return row?.(choices)
}
