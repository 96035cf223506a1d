import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asHash, toWord } from '../../lib/base/hex.ts'
import { differenceOf } from '../../lib/state/difference.ts'
import { packState } from '../../lib/state/packed-state.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { constantSource } from '../support/constant-source.ts'
import { addressOf } from '../support/transactions.ts'

/** A change of one of few accounts, so that changes meet. */
const anyChange = fc.record({
  kind: fc.constantFrom('put', 'put', 'slot', 'slot', 'clearSlot', 'code', 'delete'),
  account: fc.integer({ min: 1, max: 4 }),
  slot: fc.integer({ min: 0, max: 5 }),
  value: fc.bigInt({ min: 1n, max: 2n ** 64n }),
})

type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

function apply(state: State, { kind, account, slot, value }: Change): void {
  const address = addressOf(account)
  if (kind === 'put') state.putAccount(address, { nonce: value, balance: value * 3n })
  else if (kind === 'code') state.putCode(address, Uint8Array.of(Number(value % 256n)))
  else if (kind === 'delete') state.deleteAccount(address)
  else
    state.putStorage(
      address,
      asHash(toWord(BigInt(slot))),
      kind === 'slot' ? Uint8Array.of(1 + Number(value % 255n)) : new Uint8Array(0),
    )
}

/** The states after each list of changes, the first one empty. */
function statesAfter(empty: StateRoot, blocks: readonly (readonly Change[])[]): readonly StateRoot[] {
  const state = new State(empty)
  return [
    empty,
    ...blocks.map((changes) => {
      for (const change of changes) apply(state, change)
      return state.commitRoot()
    }),
  ]
}

function packAll(states: readonly StateRoot[]): void {
  states.slice(1).forEach((state, index) => packState(state, states[index]!))
}

const contentOf = (root: StateRoot) => ({
  hash: root.hash,
  accounts: [...root.trie.entries()].map(([, { storage, ...account }]) => [account, [...storage.entries()]]),
})

/** Of the four accounts, one is absent and one has no code. */
const SOURCE_CODES = new Map([
  [addressOf(1), Uint8Array.of(1)],
  [addressOf(3), Uint8Array.of(2)],
  [addressOf(4), new Uint8Array(0)],
])

describe.each([
  ['Merkle Patricia', StateRoot.empty],
  ['binary', StateRoot.emptyBinary(new Set([addressOf(2)]))],
  ['partial', StateRoot.of(constantSource((address) => SOURCE_CODES.get(address)))],
])('packed states of a %s trie', (_kind, empty) => {
  test('are equal after they are rebuilt', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyChange, { maxLength: 6 }), { maxLength: 30 }), (blocks) => {
        const states = statesAfter(empty, blocks)
        const before = states.map(contentOf)
        packAll(states)
        expect(states.map(contentOf)).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  test('keep their differences', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyChange, { maxLength: 6 }), { maxLength: 10 }), (blocks) => {
        const states = statesAfter(empty, blocks)
        const differences = () => states.slice(1).map((state, index) => differenceOf(states[index]!, state))
        const before = differences()
        packAll(states)
        expect(differences()).toEqual(before)
        // Also from a state that was rebuilt, which shares nothing with the later one.
        const [first, last] = [states[0]!, states.at(-1)!]
        expect(differenceOf(last, last)).toEqual([])
        expect(new Set(differenceOf(first, last).map(({ address }) => address)).size).toBe(
          differenceOf(first, last).length,
        )
      }),
      { numRuns: 100 },
    )
  })

  test('can be built on', () => {
    const put = (value: bigint): Change[] => [
      { kind: 'put', account: 1, slot: 0, value },
      { kind: 'slot', account: 3, slot: Number(value % 5n), value },
    ]
    const blocks = Array.from({ length: 20 }, (_, index) => put(BigInt(index + 1)))
    const plain = statesAfter(empty, blocks)
    const packed = statesAfter(empty, blocks)
    packAll(packed)
    const hashOn = (root: StateRoot) => {
      const state = new State(root)
      apply(state, { kind: 'slot', account: 3, slot: 9, value: 1n })
      apply(state, { kind: 'delete', account: 1, slot: 0, value: 1n })
      return state.commitRoot().hash
    }
    expect(packed.map(hashOn)).toEqual(plain.map(hashOn))
    expect(packed[10]!.hasTries).toBe(true)
  })
})

/** Numbers of the states that stay whole when each differs from the one before in so many accounts or slots. */
function wholeAmong(count: number, changesOf: (number: number) => readonly Change[]): readonly number[] {
  const blocks = Array.from({ length: count }, (_, index) => changesOf(index + 1))
  const states = statesAfter(StateRoot.empty, blocks)
  packAll(states)
  return states.flatMap((state, number) => (state.hasTries ? [number] : []))
}

test('a packed state stays whole when rebuilding it would take too much work, and so does the last one', () => {
  const put = (account: number, value: number): Change => ({
    kind: 'put',
    account,
    slot: 0,
    value: BigInt(value),
  })
  expect(wholeAmong(600, (number) => [put(1, number)])).toEqual([0, 256, 512, 600])
  const puts = (number: number) => Array.from({ length: 99 }, (_, account) => put(1 + account, number))
  expect(wholeAmong(20, puts)).toEqual([0, 6, 12, 18, 20])
  const slots = (number: number) =>
    Array.from({ length: 98 }, (_, slot): Change => ({
      kind: 'slot',
      account: 1,
      slot,
      value: BigInt(number),
    }))
  expect(wholeAmong(20, slots)).toEqual([0, 6, 12, 18, 20])
})

test('the difference of a state from itself is empty without rebuilding it', () => {
  const put = (value: bigint): Change[] => [{ kind: 'put', account: 1, slot: 0, value }]
  const states = statesAfter(StateRoot.empty, [put(1n), put(2n), put(3n)])
  packAll(states)
  const packed = states[1]!
  expect(packed.hasTries).toBe(false)
  expect(differenceOf(packed, packed)).toEqual([])
  expect(packed.hasTries).toBe(false)
})
