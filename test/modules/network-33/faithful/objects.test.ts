/** Objects in params, as the reference node reads them (node-rpc 3.10 and 8.1). */

import { expect, test } from '@jest/globals'
import * as objects from '../../../../lib/modules/network-33/faithful/objects.ts'
import { read } from '../../../support/faithful.ts'

const TO = `0x${'ab'.repeat(20)}`
const TOPIC = `0x${'12'.repeat(32)}`

const BOTH = '! Cannot specify both blockHash and fromBlock/toBlock'
const INTERNAL = '! Internal server error'
const { calledObject, sentObject, logFilter, traceFilter } = objects

test.each([
  ['a call that is a text', calledObject, 'foo', {}],
  ['a call that is null', calledObject, null, INTERNAL],
  ['a call with unknown members', calledObject, { to: TO, type: '0x2', maxFeePerGas: '0x1' }, { to: TO }],
  ['a call with input and data', calledObject, { data: '0x12', input: '0x34' }, { data: '0x34' }],
  ['a call with a negative value', calledObject, { to: TO, value: '-1' }, { to: TO }],
  ['a call with gas beyond 64 bits', calledObject, { gas: '0x10000000000000000' }, INTERNAL],
  ['a transaction without sender', sentObject, { to: TO }, '! from is null'],
  ['a transaction without gas', sentObject, { from: TO }, { from: TO, gas: '0x15f90' }],
  ['a transaction with gasLimit', sentObject, { from: TO, gasLimit: 5 }, { from: TO, gas: '0x5' }],
  ['a transaction with chain id 0', sentObject, { from: TO, chainId: '0x0' }, { from: TO, gas: '0x15f90' }],
  ['a filter that is a text', logFilter, 'x', {}],
  ['a filter with one topic', logFilter, { topics: TOPIC }, { topics: [TOPIC] }],
  ['a filter that ends with any topic', logFilter, { topics: [TOPIC, null, []] }, { topics: [[TOPIC]] }],
  ['a filter with nulls in a choice', logFilter, { topics: [[null, TOPIC]] }, { topics: [[TOPIC]] }],
  ['a filter with a hash and a bound', logFilter, { blockHash: TOPIC, toBlock: 'latest' }, BOTH],
  ['a filter of traces that is null', traceFilter, null, '! Invalid trace_filter parameters.'],
  ['traces after a negative number', traceFilter, { after: -1 }, '! After value cannot be negative.'],
  ['too many traces', traceFilter, { count: 10_001 }, '! Count value too big. Maximum 10000 traces allowed.'],
])('%s', (_, reader, given, expected) => {
  expect(read(reader, given)).toEqual(expected)
})
