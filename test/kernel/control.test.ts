/** Results of control methods in each dialect. */

import { describe, expect, test } from '@jest/globals'
import { DIALECTS } from '../../lib/config/dialect.ts'
import { call, freshNode } from '../support/node.ts'
import { COW } from '../support/signing.ts'

const STRANGER = `0x${'77'.repeat(20)}`
const HASH = `0x${'11'.repeat(32)}`

/** Control methods and their results; in dialect ethereum, for alloy, all of them return null. */
const controls: readonly (readonly [method: string, params: readonly unknown[], answer: boolean])[] = [
  ['anvil_setBalance', [STRANGER, '0x64'], true],
  ['anvil_addBalance', [STRANGER, '0x64'], true],
  ['anvil_setCode', [STRANGER, '0x00'], true],
  ['anvil_setNonce', [STRANGER, '0x1'], true],
  ['anvil_impersonateAccount', [STRANGER], true],
  ['anvil_stopImpersonatingAccount', [STRANGER], false],
  ['anvil_autoImpersonateAccount', [true], true],
  ['anvil_mine', [null, null], true],
  ['anvil_setAutomine', [true], true],
  ['evm_setIntervalMining', [0], true],
  ['anvil_reset', [null], true],
  ['anvil_setLoggingEnabled', [true], true],
  ['anvil_setCoinbase', [STRANGER], true],
  ['anvil_setNextBlockPrevRandao', [HASH], true],
  ['anvil_setNextBlockBaseFeePerGas', ['0x1'], true],
]

describe('the result of a control method', () => {
  test.each(controls)('%s %j', async (method, params, answer) => {
    for (const dialect of DIALECTS) {
      const node = await freshNode({ network: 'ethereum' })
      expect(await call(node, method, params, dialect)).toBe(dialect === 'ethereum' ? null : answer)
    }
  })

  test('anvil_setMinGasPrice', async () => {
    const node = await freshNode()
    expect(await call(node, 'anvil_setMinGasPrice', ['0x1'])).toBe(true)
    expect(await call(node, 'anvil_setMinGasPrice', ['0x1'], 'ethereum')).toBeNull()
  })

  // Helpers of Hardhat take a boolean only, and alloy the hash or null.
  test.each([
    ['hardhat_dropTransaction', () => [true, false]],
    ['anvil_dropTransaction', (hash: string) => [hash, null]],
  ])('%s', async (method, answers) => {
    for (const dialect of DIALECTS) {
      const node = await freshNode({ mining: false })
      const hash = await call(node, 'eth_sendTransaction', [{ from: COW, to: STRANGER, gas: '0x5208' }])
      const dropped = [await call(node, method, [hash], dialect), await call(node, method, [hash], dialect)]
      expect(dropped).toEqual(answers(hash))
    }
  })
})

describe('evm_mine and evm_increaseTime', () => {
  const answers = [
    ['node33', null, '0x3c'],
    ['hardhat', '0', '60'],
    ['ethereum', '0x0', 60],
  ] as const

  test.each(answers)('return the format of the dialect %s', async (dialect, mined, moved) => {
    const node = await freshNode()
    expect(await call(node, 'evm_mine', [], dialect)).toBe(mined)
    expect(await call(node, 'evm_increaseTime', [60], dialect)).toBe(moved)
  })
})
