import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asAddress, fromHex, toHex, toWord } from '../../lib/base/hex.ts'
import { SYSTEM_ACCOUNT } from '../../lib/evm/system-transaction.ts'
import { accountKey, encodeBinaryAccount, slotKey } from '../../lib/state/binary-state.ts'
import { BinaryTrie } from '../../lib/state/binary-trie.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { rebuiltHash } from '../support/binary-state.ts'

const COW = asAddress('0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826')
const ZERO = asAddress(`0x${'00'.repeat(20)}`)
const NATIVE = asAddress('0x0000000000000000000000000000000001000008')

const NATIVES = new Set([NATIVE])

const encoded = (nonce: bigint, balance: bigint) => encodeBinaryAccount({ nonce, balance })
const key = (text: string) => fromHex(`0x${text}`)
const trieOf = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).reduce((trie, [name, value]) => trie.put(key(name), key(value)), BinaryTrie.empty)
const hashOf = (entries: Readonly<Record<string, string>>) => toHex(trieOf(entries).hash())

const COW_KEY = '00a28629e41841cc5e7028cd2a3d9f938e13cd947ec05abc7fe734df8dd826'
const SYSTEM_KEY = '00bc36789e7a1e2814364600'
const ZERO_KEY = toHex(accountKey(ZERO)).slice(2)
const NATIVE_KEY = toHex(accountKey(NATIVE)).slice(2)

const emptyState = () => new State(StateRoot.emptyBinary(NATIVES))

/** The hash of a state after some changes. */
function hashAfter(change: (state: State) => void): string {
  const state = emptyState()
  change(state)
  return state.commitRoot().hash
}

describe('keys and values of node-chain 12.2 (own-calc, unconfirmed)', () => {
  test.each([
    ['of an account', accountKey(COW), COW_KEY],
    ['of the sender of the node', accountKey(SYSTEM_ACCOUNT), SYSTEM_KEY],
    ['of a slot', slotKey(toWord(BigInt('0x7369626c696e6773'))), '5a7de95ffc33d519294c7369626c696e6773'],
    ['for an account', encoded(0n, 10n ** 30n), 'cf808d0c9f2c9cd04674edea40000000'],
    ['for the bridge', encoded(0n, 21n * 10n ** 24n), 'cd808b115eec47f6cf7e35000000'],
    ['for an account without coins', encoded(1n, 0n), 'c20100'],
    ['with the top bit of the balance set', encoded(0n, 0x80n), 'c480820080'],
  ])('%s', (_case, actual, expected) => {
    expect(toHex(actual)).toBe(`0x${expected}`)
  })
})

describe('the root of a state', () => {
  test('without accounts is that of the empty trie', () => {
    expect(emptyState().commitRoot().hash).toBe(StateRoot.empty.hash)
  })

  test('has an account without a mark, and code and storage with one', () => {
    const slot = toWord(1n)
    const slotPart = toHex(slotKey(slot)).slice(2)
    const plain = hashAfter((state) => state.putAccount(COW, { nonce: 1n, balance: 2n }))
    expect(plain).toBe(hashOf({ [COW_KEY]: 'c20102' }))
    const contract = hashAfter((state) => {
      state.putAccount(COW, { nonce: 1n, balance: 0n })
      state.putCode(COW, key('6001'))
      state.putStorage(COW, slot, key('07'))
    })
    expect(contract).toBe(
      hashOf({
        [COW_KEY]: 'c20100',
        [`${COW_KEY}00`]: '01',
        [`${COW_KEY}80`]: '6001',
        [`${COW_KEY}00${slotPart}`]: '07',
      }),
    )
  })

  test('marks precompiles, which have no code', () => {
    const hash = hashAfter((state) => state.putAccount(NATIVE, { nonce: 0n, balance: 5n }))
    expect(hash).toBe(hashOf({ [NATIVE_KEY]: 'c28005', [`${NATIVE_KEY}00`]: '01' }))
  })

  test('distinguishes the account of one byte from the zero address', () => {
    const hash = hashAfter((state) => {
      state.putAccount(SYSTEM_ACCOUNT, { nonce: 3n, balance: 0n })
      state.putAccount(ZERO, { nonce: 0n, balance: 9n })
    })
    expect(hash).toBe(hashOf({ [SYSTEM_KEY]: 'c20300', [ZERO_KEY]: 'c28009' }))
  })

  test('drops cleared storage of earlier blocks', () => {
    const state = emptyState()
    state.putAccount(COW, { nonce: 1n, balance: 0n })
    state.putStorage(COW, toWord(1n), key('07'))
    state.commitRoot()
    state.putStorage(COW, toWord(2n), key('08'))
    state.clearStorage(COW)
    state.putStorage(COW, toWord(3n), key('09'))
    const expected = hashAfter((other) => {
      other.putAccount(COW, { nonce: 1n, balance: 0n })
      other.putStorage(COW, toWord(3n), key('09'))
    })
    expect(state.commitRoot().hash).toBe(expected)
  })

  test('deletes an account with its code and storage', () => {
    const state = emptyState()
    state.putCode(COW, key('6001'))
    state.putStorage(COW, toWord(1n), key('07'))
    state.commitRoot()
    state.deleteAccount(COW)
    expect(state.commitRoot().hash).toBe(StateRoot.empty.hash)
  })

  test('of an old block does not change, and proofs begin at the root of the account trie', () => {
    const state = emptyState()
    state.putAccount(COW, { nonce: 1n, balance: 2n })
    const before = state.commitRoot()
    const { hash } = before
    state.putAccount(COW, { nonce: 2n, balance: 2n })
    expect(state.commitRoot().hash).not.toBe(hash)
    expect(before.hash).toBe(hash)
    expect(before.prove(COW, []).accountProof.length).toBe(1)
    expect(hash).not.toBe(toHex(before.trie.hash()))
  })

  test('is not computed without the binary trie', () => {
    const state = new State(StateRoot.empty)
    state.putAccount(COW, { nonce: 1n, balance: 2n })
    expect(state.commitRoot().content.binary).toBeUndefined()
  })
})

test('updated by changes, checkpoints and blocks equals a new computation', () => {
  const addresses = [COW, SYSTEM_ACCOUNT, NATIVE]
  const step = fc.record({
    what: fc.constantFrom('put', 'code', 'slot', 'clear', 'delete', 'open', 'commit', 'revert', 'seal'),
    address: fc.constantFrom(...addresses),
    number: fc.bigInt(0n, 3n),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const state = emptyState()
      let depth = 0
      for (const { what, address, number } of steps) {
        if (what === 'put') state.putAccount(address, { nonce: number, balance: number * 3n })
        if (what === 'code') state.putCode(address, new Uint8Array(Number(number) * 20).fill(1))
        if (what === 'slot') state.putStorage(address, toWord(number), Uint8Array.of(Number(number) % 3))
        if (what === 'clear') state.clearStorage(address)
        if (what === 'delete') state.deleteAccount(address)
        if (what === 'open') state.checkpoint()
        if (what === 'commit' && depth > 0) state.commit()
        if (what === 'revert' && depth > 0) state.revert()
        depth += what === 'open' ? 1 : (what === 'commit' || what === 'revert') && depth > 0 ? -1 : 0
        if (what === 'seal' && depth === 0)
          expect(state.commitRoot().hash).toBe(rebuiltHash(state.base, NATIVES))
      }
      expect(state.intermediateRoot().hash).toBe(rebuiltHash(state.intermediateRoot(), NATIVES))
    }),
  )
})
