import { expect, test } from '@jest/globals'
import { PLAIN_TRACE, callTraceOptions, traceOptions } from '../../../lib/modules/trace/params.ts'

/** The messages of the refused members, with their paths. */
function refusals(given: unknown): readonly string[] {
  const { error } = traceOptions.safeParse(given)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

const KNOWN =
  'expected one of the tracers callTracer, flatCallTracer, prestateTracer, 4byteTracer, noopTracer, nodeTracer, erc7562Tracer, opcodeGasTracer, or code in JavaScript'

test.each([
  ['nothing', {}],
  ['null members', { tracer: null, tracerConfig: null, disableMemory: null, limit: null }],
  ['unknown members', { timeout: '5s', reexec: 128 }],
  ['an empty tracer', { tracer: '' }],
])('%s asks for struct logs', (_case, given) => {
  expect(traceOptions.parse(given)).toEqual(PLAIN_TRACE)
})

test('names are read in any case, also inside tracerConfig', () => {
  const { tracer, config } = traceOptions.parse({
    TRACER: 'calltracer',
    TracerConfig: { withlog: 'TRUE' },
    OnlyTopCall: true,
  })
  expect(tracer).toBe('callTracer')
  expect(config).toEqual({ ...PLAIN_TRACE.config, withLog: true, onlyTopCall: true })
})

test.each([
  ['5s', 5000],
  ['1m30s', 90_000],
  ['1.5s', 1500],
  ['200ms', 200],
  [undefined, undefined],
])('a tracer in JavaScript with its config and a timeout of %s', (timeout, timeoutMs) => {
  const code = '{ result: function () {} }'
  const { script } = traceOptions.parse({ tracer: code, tracerConfig: { Own: 1 }, timeout })
  expect(script).toEqual({ code, config: '{"Own":1}', timeoutMs })
})

test.each([
  [{ tracer: 'jsTracer' }, [`tracer: ${KNOWN}`]],
  [{ tracer: 7 }, [`tracer: ${KNOWN}`]],
  [{ tracerConfig: [] }, ['tracerConfig: expected an object']],
  [{ disableStack: 'yes' }, ['disableStack: expected true or false']],
  [{ limit: -1 }, ['limit: expected a number of steps']],
  [{ DisableStack: 'yes' }, ['DisableStack: expected true or false']],
  [
    { tracer: 'callTracer', tracerConfig: { OnlyTopCall: 5 } },
    ['tracerConfig.OnlyTopCall: expected true or false'],
  ],
  [
    { tracer: 'erc7562Tracer', tracerConfig: { ignoredOpcodes: 'PUSH1' } },
    ['tracerConfig.ignoredOpcodes: expected a list of opcodes, such as ["0x54"]'],
  ],
])('refuses %j', (given, expected) => {
  expect(refusals(given)).toEqual(expected)
})

test('the options of a call have overrides', () => {
  const parsed = callTraceOptions.parse({ tracer: 'noopTracer', blockOverrides: { time: '0x7' } })
  expect(parsed.tracer).toBe('noopTracer')
  expect(parsed.blockOverrides).toEqual({ time: 7n })
  expect(callTraceOptions.parse({ stateOverrides: null, blockOverrides: null })).toEqual(PLAIN_TRACE)
  expect(callTraceOptions.safeParse({ blockOverrides: { hash: '0x7' } }).success).toBe(false)
  expect(callTraceOptions.safeParse({ stateOverrides: { '0x7': {} } }).success).toBe(false)
})
