import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asAddress, toWord } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import type { Step } from '../support/state-steps.ts'
import { anyChange, anyStep, change, rootText, runs, stateText } from '../support/state-steps.ts'

const ALICE = asAddress(`0x${'a1'.repeat(20)}`)
const BOB = asAddress(`0x${'b0'.repeat(20)}`)
const SLOT = toWord(7n)
const CODE = Uint8Array.of(0x60, 0x00)

const emptyState = () => new State(StateRoot.empty)

/** A sealed state in which Alice has nonce 1, balance 100, code, and 5 in the slot. */
function stateWithAlice(): State {
  const state = emptyState()
  state.putAccount(ALICE, { nonce: 1n, balance: 100n })
  state.putCode(ALICE, CODE)
  state.putStorage(ALICE, SLOT, Uint8Array.of(5))
  state.commitRoot()
  return state
}

/** Runs the step if it is valid at this depth; returns the depth after it. */
function take(state: State, step: Step, depth: number): number {
  switch (step.type) {
    case 'checkpoint':
      state.checkpoint()
      return depth + 1
    case 'commit':
    case 'revert':
      if (depth === 0) return 0
      state[step.type]()
      return depth - 1
    case 'seal':
      if (depth === 0) state.commitRoot()
      return depth
    case 'putAccount':
    case 'deleteAccount':
    case 'putCode':
    case 'putStorage':
    case 'clearStorage':
      change(state, step)
      return depth
  }
}

describe('accounts', () => {
  test('adds wei to a balance, also to that of an absent account', () => {
    const state = stateWithAlice()
    state.addBalance(ALICE, -40n)
    state.addBalance(BOB, 40n)
    expect(state.account(ALICE)).toMatchObject({ nonce: 1n, balance: 60n, code: CODE })
    expect(state.account(BOB)).toMatchObject({ nonce: 0n, balance: 40n })
  })

  test.each([
    ['code', (state: State) => state.putCode(BOB, CODE)],
    ['storage', (state: State) => state.putStorage(BOB, SLOT, Uint8Array.of(1))],
    ['nothing', (state: State) => state.putAccount(BOB, { nonce: 0n, balance: 0n })],
    ['no code', (state: State) => state.putCode(BOB, new Uint8Array(0))],
  ])('are created by %s', (_what, act) => {
    const state = emptyState()
    act(state)
    expect(state.account(BOB)).toMatchObject({ nonce: 0n, balance: 0n })
    expect(state.commitRoot().account(BOB)).toBeDefined()
  })

  test('are not created by a zero', () => {
    const state = emptyState()
    state.putStorage(BOB, SLOT, new Uint8Array(32))
    expect(state.account(BOB)).toBeUndefined()
    expect(state.isDirty).toBe(false)
  })

  test('do not see later changes of the arrays they were given', () => {
    const state = emptyState()
    const code = Uint8Array.of(1, 2)
    const value = Uint8Array.of(3)
    state.putCode(ALICE, code)
    state.putStorage(ALICE, SLOT, value)
    code.fill(9)
    value.fill(9)
    expect(state.code(ALICE)).toEqual(Uint8Array.of(1, 2))
    expect(state.storage(ALICE, SLOT)).toEqual(Uint8Array.of(3))
  })
})

describe('storage', () => {
  test('is without leading zeros', () => {
    const state = emptyState()
    state.putStorage(ALICE, SLOT, Uint8Array.of(0, 0, 1, 0))
    expect(state.storage(ALICE, SLOT)).toEqual(Uint8Array.of(1, 0))
    expect(state.commitRoot().storageAt(ALICE, SLOT)).toBe(toWord(256n))
  })
})

describe('checkpoints', () => {
  test('revert restores every read after any steps', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep, { maxLength: 60 }),
        fc.array(anyStep, { maxLength: 60 }),
        (first, second) => {
          const state = emptyState()
          let open = first.reduce((depth, step) => take(state, step, depth), 0)
          const before = [stateText(state), state.intermediateRoot().hash, state.isDirty]
          state.checkpoint()
          // The steps never close the checkpoint of the test itself, and never seal.
          let depth = 0
          for (const step of second) if (step.type !== 'seal') depth = take(state, step, depth)
          for (; depth >= 0; depth--) state.revert()
          expect([stateText(state), state.intermediateRoot().hash, state.isDirty]).toEqual(before)
          for (; open > 0; open--) state.commit()
          expect(state.commitRoot().hash).toBe(before[1])
        },
      ),
      runs(400),
    )
  })

  test('must be open to be closed, and closed to seal', () => {
    const state = emptyState()
    expect(() => state.commit()).toThrow(InvariantError)
    expect(() => state.revert()).toThrow(InvariantError)
    state.checkpoint()
    expect(() => state.commitRoot()).toThrow(InvariantError)
  })
})

describe('seal', () => {
  test('gives a root that reads as the state does, and earlier roots stay as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyChange, { maxLength: 12 }), { maxLength: 12 }), (blocks) => {
        const state = emptyState()
        const sealed = blocks.map((changes) => {
          for (const made of changes) change(state, made)
          const preview = state.intermediateRoot().hash
          const root = state.commitRoot()
          expect(root.hash).toBe(preview)
          expect(stateText(new State(root))).toBe(stateText(state))
          return { root, text: stateText(state) }
        })
        for (const { root, text } of sealed) expect(rootText(root)).toBe(text)
      }),
      runs(200),
    )
  })
})

describe('reset', () => {
  test('continues from another root', () => {
    const state = stateWithAlice()
    const early = state.base
    state.putStorage(ALICE, SLOT, Uint8Array.of(9))
    state.commitRoot()
    state.reset(early)
    expect(state.storage(ALICE, SLOT)).toEqual(Uint8Array.of(5))
    expect(state.commitRoot()).toBe(early)
  })

  test('drops unsealed changes and open checkpoints', () => {
    const state = stateWithAlice()
    state.putAccount(BOB, { nonce: 1n, balance: 1n })
    state.checkpoint()
    state.putAccount(ALICE, { nonce: 9n, balance: 9n })
    state.reset(state.base)
    expect(state.account(BOB)).toBeUndefined()
    expect(state.account(ALICE)?.nonce).toBe(1n)
    expect(() => state.commit()).toThrow(InvariantError)
  })
})

test('reading does not fill the memory: unchanged accounts are dropped and read again', () => {
  const state = stateWithAlice()
  for (let round = 0; round < 3; round++) {
    state.checkpoint()
    for (let slot = 0; slot < 60_000; slot++) state.storage(ALICE, toWord(BigInt(slot + 100)))
    state.putStorage(ALICE, toWord(1n), Uint8Array.of(1))
    state.revert()
    expect(state.storage(ALICE, SLOT)).toEqual(Uint8Array.of(5))
    expect(state.storage(ALICE, toWord(1n))).toHaveLength(0)
  }
  expect(state.commitRoot().hash).toBe(stateWithAlice().base.hash)
})

test('changes that no seal has folded in stay in memory, however much is read', () => {
  const state = stateWithAlice()
  state.putAccount(BOB, { nonce: 3n, balance: 4n })
  for (let slot = 0; slot < 120_000; slot++) state.storage(ALICE, toWord(BigInt(slot + 100)))
  state.checkpoint()
  expect(state.account(BOB)?.nonce).toBe(3n)
})
