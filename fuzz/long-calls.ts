/** Calls that run for ever: each must end by the time limit of calls, while honest requests are answered. */

import type { Message } from './exchange.ts'
import { EXPENSIVE } from './programs.ts'
import type { Choices } from './choices.ts'

const TARGET = `0x${'77'.repeat(20)}`

/** Requests with a call, and overrides with its code, by method. */
const METHODS: readonly ((call: object, overrides: object) => readonly [string, readonly unknown[]])[] = [
  (call, overrides) => ['eth_call', [call, 'latest', overrides]],
  (call, overrides) => ['eth_estimateGas', [call, 'latest', overrides]],
  (call, overrides) => ['eth_createAccessList', [call, 'latest', overrides]],
  (call, overrides) => [
    'eth_simulateV1',
    [{ blockStateCalls: [{ calls: [call, call], stateOverrides: overrides }] }, 'latest'],
  ],
  (call, overrides) => [
    'debug_traceCall',
    [call, 'latest', { tracer: 'callTracer', stateOverrides: overrides }],
  ],
  (call, overrides) => [
    'debug_traceCall',
    [call, 'latest', { tracer: 'prestateTracer', stateOverrides: overrides }],
  ],
  (call, overrides) => [
    'debug_traceCall',
    [call, 'latest', { disableStack: true, limit: 10, stateOverrides: overrides }],
  ],
]

const PROGRAMS = [
  'loop',
  'calls itself twice',
  'creates itself',
  'grows memory',
  'hashes a megabyte',
  'writes storage',
]

/** A call that lasts, of any method that simulates. */
export function longCall(choices: Choices): Message {
  const program = choices.any(PROGRAMS)
  const code = choices.once(3) ? choices.any(choices.known.codes) : EXPENSIVE[program]!
  const [method, params] = choices.any(METHODS)({ to: TARGET, data: '0x00' }, { [TARGET]: { code } })
  return {
    kind: 'long calls',
    via: 'http',
    path: '/',
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    requests: 1,
    ids: ['1'],
  }
}
