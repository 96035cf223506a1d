/** Positions in storage: every method reads them by the same rule. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { CONTRACTS, words } from '../support/bytecode.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const CONTRACT = `0x${'cc'.repeat(20)}`
const WORD = `0x${'00'.repeat(31)}2a`
const code = toHex(CONTRACTS.load)
const read = { to: CONTRACT, data: words([1n]) }

/** Every method that takes a position, with one in place. */
const taking: readonly (readonly [string, string, (position: string) => readonly unknown[]])[] = [
  ['eth_getStorageAt', 'position', (position) => [CONTRACT, position, 'latest']],
  ['eth_getProof', 'key', (position) => [CONTRACT, [position], 'latest']],
  ['hardhat_setStorageAt', 'position', (position) => [CONTRACT, position, WORD]],
  [
    'eth_call',
    'slot of state',
    (position) => [read, 'latest', { [CONTRACT]: { code, state: { [position]: WORD } } }],
  ],
  [
    'eth_call',
    'slot of stateDiff',
    (position) => [read, 'latest', { [CONTRACT]: { code, stateDiff: { [position]: WORD } } }],
  ],
]

describe.each(taking)('%s, %s', (method, _, params) => {
  test.each([
    ['33 bytes', `0x00${WORD.slice(2)}`],
    ['65 digits', `0x0${WORD.slice(2)}`],
  ])('refuses %s', async (__, position) => {
    const { kind, message } = await refusal(await freshNode(), method, params(position))
    expect([kind, message]).toEqual([
      'invalidParams',
      expect.stringContaining('expected a storage position of up to 32 bytes'),
    ])
  })

  test.each(['0x1', '0x01', `0x${'1'.padStart(64, '0')}`])('takes %s', async (position) => {
    await expect(call(await freshNode(), method, params(position))).resolves.toBeDefined()
  })
})

test.each(['state', 'stateDiff'])('a short slot of %s is padded', async (member) => {
  const node = await freshNode()
  const overrides = { [CONTRACT]: { code, [member]: { '0x1': WORD } } }
  expect(await call(node, 'eth_call', [read, 'latest', overrides])).toBe(WORD)
})
