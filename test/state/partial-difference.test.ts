/** Differences between partial states, which state files of forks contain. */

import { describe, expect, test } from '@jest/globals'
import { asAddress, toWord } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import { differenceOf, withDifference } from '../../lib/state/difference.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import type { StateSource } from '../../lib/state/state-source.ts'
import { State } from '../../lib/state/state.ts'
import { constantSource } from '../support/constant-source.ts'
import { drawsFrom } from '../support/random-draws.ts'

const [CONTRACT, PLAIN, ABSENT] = ['aa', 'bb', 'cc'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
]
const code = Uint8Array.of(0x60, 0)
const SLOTS = [0n, 1n, 2n, 3n].map(toWord)

const source = constantSource((address) => {
  if (address === ABSENT) return undefined
  return address === CONTRACT ? code : new Uint8Array(0)
})

/** A state that refuses to be read: applying a difference must not read it. */
const unread: StateSource = {
  ...source,
  account: () => {
    throw new Error('an account was read')
  },
  storage: () => {
    throw new Error('a slot was read')
  },
}

describe('differences of partial states', () => {
  test('a rebuilt state has the accounts, slots and hash of the original', () => {
    const draw = drawsFrom(7)
    for (let round = 0; round < 200; round++) {
      const working = new State(new StateRoot(undefined, source))
      let rebuilt = new StateRoot(undefined, unread)
      let earlier = working.base
      for (let block = 0; block < 4; block++) {
        for (let step = 0; step < 4; step++) {
          const address = [CONTRACT, PLAIN, ABSENT][draw(3)]!
          const slot = SLOTS[draw(4)]!
          const actions = [
            () => working.putStorage(address, slot, new Uint8Array(0)),
            () => working.putStorage(address, slot, Uint8Array.of(1 + draw(9))),
            () => working.clearStorage(address),
            () => working.deleteAccount(address),
            () => working.putAccount(address, { nonce: BigInt(draw(3)), balance: BigInt(draw(3)) }),
            () => working.putCode(address, Uint8Array.of(1 + draw(3))),
          ]
          actions[draw(actions.length)]!()
        }
        const later = working.commitRoot()
        rebuilt = withDifference(rebuilt, differenceOf(earlier, later))
        earlier = later
        expect(rebuilt.hash).toBe(later.hash)
        expect([...rebuilt.trie.entries()].map(([, { storage: _, ...fields }]) => fields)).toEqual(
          [...later.trie.entries()].map(([, { storage: _, ...fields }]) => fields),
        )
        expect(differenceOf(later, rebuilt)).toEqual([])
      }
    }
  })
})
