import { describe, expect, test } from '@jest/globals'
import { asAddress, bigIntToBytes, toHex, toWord } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { BlockAccesses, accessListHash } from '../../lib/evm/block-accesses.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'

const ONE = asAddress(`0x${'01'.repeat(20)}`)
const TWO = asAddress(`0x${'02'.repeat(20)}`)

const bytes = (...values: number[]) => Uint8Array.from(values)
const NOTHING = bytes()

describe('the access list of a block', () => {
  test('is that of EIP-7928 for no accesses', () => {
    expect(toHex(new BlockAccesses().encode())).toBe('0xc0')
    expect(accessListHash(bytes(0xc0))).toBe(
      '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    )
  })

  test('has accounts and slots in order, with the values after each part that changes them', () => {
    const state = new State(StateRoot.empty)
    const accesses = new BlockAccesses()
    for (const value of [7n, 0n]) {
      accesses.addAccount(state, TWO)
      accesses.addAccount(state, ONE)
      for (const slot of [2n, 1n].map(toWord))
        accesses.addSlot({ address: TWO, slot, before: state.storage(TWO, slot) })
      state.putAccount(ONE, { nonce: 1n, balance: value })
      state.putStorage(TWO, toWord(2n), bigIntToBytes(value))
      accesses.endPart(state)
    }
    const slots = [
      [
        bytes(2),
        [
          [NOTHING, bytes(7)],
          [bytes(1), NOTHING],
        ],
      ],
    ]
    const balances = [
      [NOTHING, bytes(7)],
      [bytes(1), NOTHING],
    ]
    const expected = [
      [bytes(...Buffer.alloc(20, 1)), [], [], balances, [[NOTHING, bytes(1)]], []],
      [bytes(...Buffer.alloc(20, 2)), slots, [bytes(1)], [], [], []],
    ]
    expect(toHex(accesses.encode())).toBe(toHex(encodeRlp(expected)))
  })

  test('leaves out what a dropped part accessed, and a change that it undoes itself', () => {
    const state = new State(StateRoot.empty)
    const accesses = new BlockAccesses()
    accesses.addAccount(state, ONE)
    accesses.drop()
    accesses.addAccount(state, TWO)
    state.putAccount(TWO, { nonce: 0n, balance: 1n })
    accesses.addAccount(state, TWO)
    state.putAccount(TWO, { nonce: 0n, balance: 0n })
    accesses.endPart(state)
    expect(toHex(accesses.encode())).toBe(toHex(encodeRlp([[Buffer.alloc(20, 2), [], [], [], [], []]])))
  })
})
