import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bigIntToBytes, toAddress, toWord } from '../../lib/base/hex.ts'
import { differenceOf, withDifference } from '../../lib/state/difference.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { runs } from '../support/transaction-steps.ts'

const account = fc.nat(9).map((number) => toAddress(new Uint8Array(20).fill(number)))
const small = fc.bigInt(0n, 3n)

type Edit = (state: State) => void

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(account, small, small).map(
    ([address, nonce, balance]): Edit =>
      (state) =>
        state.putAccount(address, { nonce, balance }),
  ),
  fc.tuple(account, small, small).map(
    ([address, slot, value]): Edit =>
      (state) =>
        state.putStorage(address, toWord(slot), bigIntToBytes(value)),
  ),
  fc.tuple(account, fc.uint8Array({ maxLength: 2 })).map(
    ([address, code]): Edit =>
      (state) =>
        state.putCode(address, code),
  ),
  account.map(
    (address): Edit =>
      (state) =>
        state.deleteAccount(address),
  ),
)

const edits = fc.array(edit, { maxLength: 30, size: 'max' })

const after = (root: StateRoot, changes: readonly Edit[]): StateRoot => {
  const state = new State(root)
  for (const change of changes) change(state)
  return state.commitRoot()
}

describe('the difference of two states', () => {
  test('turns the earlier state into the later one, and the other way around', () => {
    fc.assert(
      fc.property(edits, edits, (first, second) => {
        const earlier = after(StateRoot.empty, first)
        const later = after(earlier, second)
        expect(withDifference(earlier, differenceOf(earlier, later)).hash).toBe(later.hash)
        expect(withDifference(later, differenceOf(later, earlier)).hash).toBe(earlier.hash)
        expect(withDifference(StateRoot.empty, differenceOf(StateRoot.empty, later)).hash).toBe(later.hash)
      }),
      runs(300),
    )
  })

  test('is empty between a state and itself, and has one account if one of many changed', () => {
    const many = new State(StateRoot.empty)
    for (let number = 0; number < 1000; number++) {
      many.putAccount(toAddress(new Uint8Array(20).fill(number % 251).fill(number >> 2, 10)), {
        nonce: 0n,
        balance: BigInt(number),
      })
    }
    const root = many.commitRoot()
    expect(differenceOf(root, root)).toEqual([])
    const address = toAddress(new Uint8Array(20).fill(255))
    const later = after(root, [(state) => state.putStorage(address, toWord(7n), Uint8Array.of(1))])
    expect(differenceOf(root, later)).toEqual([
      {
        address,
        account: { nonce: 0n, balance: 0n, code: undefined, storage: [[toWord(7n), Uint8Array.of(1)]] },
      },
    ])
  })
})
