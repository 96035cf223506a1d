/** The erc7562Tracer by hand-written code; the expected values follow from the rules of ERC-7562 that each case names. */

import { expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'

const TO = `0x${'cc'.repeat(20)}`
const OTHER = `0x${'dd'.repeat(20)}`
const ADDRESS = `73${'dd'.repeat(20)}`
const SLOT = (digit: number): string => `0x${digit.toString().padStart(64, '0')}`

async function traced(code: string, tracerConfig: object = {}): Promise<any> {
  const node = await freshNode({ network: 'ethereum' })
  const stateOverrides = {
    [TO]: { code: `0x${code}`, stateDiff: { [SLOT(1)]: SLOT(9) } },
    [OTHER]: { code: '0x600260015500' },
  }
  const options = { tracer: 'erc7562Tracer', tracerConfig, stateOverrides }
  return call(node, 'debug_traceCall', [{ from: COW, to: TO, gas: '0x186a0' }, 'latest', options])
}

const NO_SLOTS = { reads: {}, writes: {}, transientReads: {}, transientWrites: {} }
const sized = (opcode: number) => ({ contractSize: { [OTHER]: { contractSize: 6, opcode } } })

test.each([
  // PUSH1 1, SLOAD, POP, PUSH1 1, PUSH1 2, SSTORE, PUSH1 2, SLOAD
  [
    'a slot that is read, and one that is written before it is read',
    '60015450600160025560025400',
    {
      accessedSlots: { ...NO_SLOTS, reads: { [SLOT(1)]: [SLOT(9)] }, writes: { [SLOT(2)]: 1 } },
      usedOpcodes: { '0x0': 1, '0x54': 2, '0x55': 1 },
    },
  ],
  // PUSH1 3, PUSH1 4, TSTORE, PUSH1 4, TLOAD
  [
    'transient storage',
    '600360045d60045c',
    { accessedSlots: { ...NO_SLOTS, transientReads: { [SLOT(4)]: 1 }, transientWrites: { [SLOT(4)]: 1 } } },
  ],
  ['GAS before another instruction (OP-012)', '5a5000', { usedOpcodes: { '0x0': 1, '0x5a': 1 } }],
  ['GAS before a call (OP-012)', `5f5f5f5f5f${ADDRESS}5af100`, { usedOpcodes: { '0x0': 1, '0xf1': 1 } }],
  ['EXTCODESIZE before ISZERO (OP-051)', `${ADDRESS}3b1500`, { extCodeAccessInfo: [], ...sized(0x3b) }],
  ['EXTCODEHASH (OP-041)', `${ADDRESS}3f00`, { extCodeAccessInfo: [OTHER], ...sized(0x3f) }],
  // PUSH1 7, PUSH0, MSTORE, PUSH1 0x20, PUSH0, KECCAK256
  ['a preimage', '60075f5260205f20', { keccak: [SLOT(7)] }],
  // A call with 100 gas, too little for SSTORE
  [
    'a call that runs out of gas (OP-020)',
    `5f5f5f5f5f${ADDRESS}6064f100`,
    {
      outOfGas: false,
      calls: [{ outOfGas: true, to: OTHER, error: 'out of gas', usedOpcodes: { '0x55': 1 } }],
    },
  ],
])('%s', async (_name, code, expected) => {
  expect(await traced(code)).toMatchObject(expected)
})

test('ignoredOpcodes replaces the instructions that are not counted', async () => {
  const { usedOpcodes } = await traced('600160020100', { ignoredOpcodes: ['0x60'] })
  expect(usedOpcodes).toEqual({ '0x0': 1, '0x1': 1 })
})

test('withLog adds logs', async () => {
  const { logs } = await traced('5f5fa0', { withLog: true })
  expect(logs).toMatchObject([{ address: TO, topics: [], data: '0x' }])
})
