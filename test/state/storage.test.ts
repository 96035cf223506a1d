import { describe, expect, test } from '@jest/globals'
import { toWord } from '../../lib/base/hex.ts'
import { EMPTY_STORAGE } from '../../lib/state/account.ts'
import { Storage, Journal } from '../../lib/state/storage.ts'

const SLOT = toWord(7n)
const NOTHING = new Uint8Array(0)
const FIVE = Uint8Array.of(5)

function emptyStorage() {
  const loads: number[] = []
  const storage = new Storage(EMPTY_STORAGE, () => loads.push(1))
  return { storage, loads, log: new Journal() }
}

describe('storage', () => {
  test('returns whether a write changed the value', () => {
    const { storage, log } = emptyStorage()
    expect(storage.put(SLOT, NOTHING, log)).toBe(false)
    expect(storage.put(SLOT, FIVE, log)).toBe(true)
    expect(storage.put(SLOT, Uint8Array.of(5), log)).toBe(false)
  })

  test('is empty before the first value and after the last', () => {
    const { storage, log } = emptyStorage()
    const emptiness = [NOTHING, FIVE, Uint8Array.of(6), NOTHING].map((value) => {
      storage.put(SLOT, value, log)
      return storage.isEmpty
    })
    expect(emptiness).toEqual([true, false, false, true])
  })

  test('reports a slot when it is first read into memory', () => {
    const { storage, loads } = emptyStorage()
    storage.get(SLOT)
    storage.get(SLOT)
    storage.get(toWord(8n))
    expect(loads).toHaveLength(2)
  })

  test('folds changes into a trie that remembers the slots', () => {
    const { storage, log } = emptyStorage()
    storage.put(SLOT, FIVE, log)
    storage.put(toWord(8n), FIVE, log)
    storage.put(toWord(8n), NOTHING, log)
    const trie = storage.toTrie()
    expect(Array.from(trie.entries(), ([, entry]) => entry)).toEqual([{ slot: SLOT, value: FIVE }])
  })

  test('returns its base itself if nothing has changed since', () => {
    const { storage, log } = emptyStorage()
    storage.put(SLOT, FIVE, log)
    const trie = storage.toTrie()
    storage.rebase(trie)
    expect(storage.toTrie()).toBe(trie)
    expect(storage.get(SLOT)).toBe(FIVE)
  })
})
