/** Calls and creations that are refused: their frames have the gas that the machine moved for them. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { creationCode } from '../../support/bytecode.ts'
import { assemble } from '../network-33/support/network-33-runs.ts'
import { call, freshNode } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'

/** The callTracer's frames of a transaction that runs a program in a contract of its own. */
async function framesOf(node: Node, source: string): Promise<readonly any[]> {
  const [from = COW] = (await call(node, 'eth_accounts')) as string[]
  const data = toHex(creationCode(assemble(source)))
  const deployed = await call(node, 'eth_sendTransaction', [{ from, data, gas: '0x30d40' }])
  const { contractAddress: to } = await call(node, 'eth_getTransactionReceipt', [deployed])
  const hash = await call(node, 'eth_sendTransaction', [{ from, to, gas: 100_000 }])
  const { calls } = await call(node, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])
  return calls
}

const shown = ({ type, gas, gasUsed, error }: any) => ({
  type,
  error,
  gas: Number(gas),
  gasUsed: Number(gasUsed),
})

/** Sends a wei that the contract does not have, and 5000 gas. */
const OVERSPENDING = '0 0 0 0 1 0xaa 5000 CALL STOP'
/** Makes a contract with a wei that the contract does not have. */
const OVERSPENDING_CREATION = '0 0 1 CREATE STOP'

const error = 'insufficient balance for transfer'
/** Gas of the transaction after its intrinsic gas, three pushes and the price of CREATE. */
const LEFT = 100_000 - 21_000 - 9 - 32_000

describe('network 33', () => {
  test('a call with value has the stipend once: the caller pays it (node-chain 9.3)', async () => {
    const frames = await framesOf(await freshNode(), OVERSPENDING)
    expect(frames.map(shown)).toEqual([{ type: 'CALL', error, gas: 5000 + 2300, gasUsed: 0 }])
  })

  test('a creation has all the gas that is left (node-chain 9.4)', async () => {
    const frames = await framesOf(await freshNode(), OVERSPENDING_CREATION)
    expect(frames.map(shown)).toEqual([{ type: 'CREATE', error, gas: LEFT, gasUsed: 0 }])
  })
})

describe('Ethereum', () => {
  test('a call with value has the stipend on top of its gas', async () => {
    const frames = await framesOf(await freshNode({ network: 'ethereum' }), OVERSPENDING)
    expect(frames.map(shown)).toEqual([{ type: 'CALL', error, gas: 5000 + 2300, gasUsed: 0 }])
  })

  test('a creation leaves a 64th to its creator (EIP-150)', async () => {
    const frames = await framesOf(await freshNode({ network: 'ethereum' }), OVERSPENDING_CREATION)
    expect(frames.map(shown)).toEqual([
      { type: 'CREATE', error, gas: LEFT - Math.floor(LEFT / 64), gasUsed: 0 },
    ])
  })
})
