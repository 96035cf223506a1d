import { expect, test } from '@jest/globals'
import { asHash, toWord } from '../../lib/base/hex.ts'
import { KeptTries } from '../../lib/state/kept-tries.ts'
import { CompressibleText } from '../../lib/base/compressed-texts.ts'
import { compressibleState, packState } from '../../lib/state/packed-state.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { addressOf } from '../support/transactions.ts'

/** States of which each changes an account and a slot, packed. The work of each is three units. */
function packedStates(count: number, kept: KeptTries): readonly StateRoot[] {
  const state = new State(StateRoot.empty)
  const states = [StateRoot.empty]
  for (let number = 1; number <= count; number++) {
    state.putAccount(addressOf(1 + (number % 50)), { nonce: BigInt(number), balance: 1n })
    state.putStorage(addressOf(1), asHash(toWord(BigInt(number % 200))), Uint8Array.of(1 + (number % 255)))
    const root = state.commitRoot()
    packState(root, states.at(-1)!, kept)
    states.push(root)
  }
  return states
}

const keeping = (states: readonly StateRoot[]) => states.filter(({ keepsTries }) => keepsTries).length
const hashesOf = (states: readonly StateRoot[]) => states.map(({ hash }) => hash)

test('fewer packed states keep their tries after each step, and all answer as before', () => {
  /** Some states, newest first. */
  const some = (states: readonly StateRoot[]) => states.toReversed().filter((_, index) => index % 37 === 0)
  const expected = hashesOf(some(packedStates(3000, new KeptTries())))
  const kept = new KeptTries()
  const states = packedStates(3000, kept)
  const counts = [keeping(states)]
  while (kept.canThin) {
    kept.thin()
    kept.release(states)
    counts.push(keeping(states))
  }
  // The first state has no difference and the last one is compared with the next, so both stay whole.
  expect(counts).toEqual([25, 7, 2, 2, 2])
  CompressibleText.compress(states.flatMap((state) => compressibleState(state) ?? []))
  expect(hashesOf(some(states))).toEqual(expected)
})

test('when memory is scarce, differences from the first state replace the tries of states', () => {
  const count = 60_000
  const kept = new KeptTries()
  while (kept.canThin) kept.thin()
  const states = packedStates(count, kept)
  expect(keeping(states)).toBe(2)
  const jumps = states.filter(({ packed }, number) => number > 1 && packed?.earlier === StateRoot.empty)
  expect(jumps).toHaveLength(1)
  const few = packedStates(count, new KeptTries())
  // The last ones are behind the jump.
  for (const number of [count - 100, count - 1, states.indexOf(jumps[0]!), 30_000])
    expect(states[number]!.hash).toBe(few[number]!.hash)
})

test('rebuilding a state holds those on the way to it, so that the states before are rebuilt quickly', () => {
  const kept = new KeptTries()
  while (kept.canThin) kept.thin()
  const states = packedStates(1200, kept)
  expect(kept.recent).toHaveLength(0)
  expect(states[1000]!.trie.isEmpty).toBe(false)
  expect(kept.recent.length).toBeGreaterThan(4)
  expect(states.slice(1, 1000).filter(({ hasTries }) => hasTries).length).toBeGreaterThan(4)
})

test('at most 32 rebuilt states are held', () => {
  const kept = new KeptTries()
  const states = packedStates(100, kept)
  expect(states.filter(({ trie }) => trie.isEmpty)).toEqual([StateRoot.empty])
  expect(kept.recent.length).toBeLessThanOrEqual(32)
})
