/** Values in a storage that is damaged, large or endless. Those of a compiled contract are in stack-values.test.ts. */

import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt } from '../../../../lib/base/hex.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import type { StorageType } from '../../../../lib/insight/artifacts/storage-layout.ts'
import { valueInStorage, valueInTransient } from '../../../../lib/modules/debug/values/storage-values.ts'
import { plain, machineWith, typeNamed } from '../solidity-values.ts'

const PRICE = typeNamed('price')

const KEYS = Array.from({ length: 1000 }, (_, index) => bigIntToBytes32(BigInt(index)))

test.each([
  ['a short text with a wrong length', 'short', 64n, 'its slot has a wrong length, 32'],
  ['a long text with a short length', 'short', 41n, 'its slot has a wrong length, 20'],
  ['a text of endless length', 'short', 2n ** 200n + 1n, `its length is ${2n ** 199n}`],
  ['an endless array', 'numbers', 2n ** 255n, `its length is ${2n ** 255n}`],
])('%s is not known', (_case, name, word, unknown) => {
  expect(plain(valueInStorage(typeNamed(name), 0n, 0, machineWith({ storage: () => word })))).toEqual({
    unknown,
  })
})

test('an array lists its first items, and has the others', () => {
  const machine = machineWith({ storage: (slot) => (slot === 0n ? 1_000_000n : 5n) })
  const value: any = valueInStorage(typeNamed('numbers'), 0n, 0, machine)
  expect(value.count).toBe(1_000_000)
  expect(value.parts()).toHaveLength(100)
  expect(value.text).toMatch(/^\[5, 0, 0, 0, 5, .*, \.\.\.\]$/)
  expect(plain(value.at({ word: 999_996n }))).toBe('5')
})

test('a transient variable has a value of its own, without a place in the storage', () => {
  const value = valueInTransient(
    typeNamed('small'),
    0n,
    0,
    machineWith({ transient: () => 9n, storage: () => 1n }),
  )
  expect(value).toMatchObject({ text: '9', stored: undefined })
})

describe('the known keys of a mapping', () => {
  test('are tried within a limit where mappings are nested', () => {
    let reads = 0
    const storage = () => {
      reads++
      return 0n
    }
    const machine = machineWith({ storage, keys: () => KEYS })
    expect(valueInStorage(typeNamed('nested'), 0n, 0, machine).type).toBe(
      'mapping(bytes4 => mapping(int256 => struct Values.Point))',
    )
    expect(plain(valueInStorage(nodes, 0n, 0, machine))).toEqual({})
    expect(reads).toBeLessThan(10_000)
  })

  const node: StorageType = {
    kind: 'struct',
    label: 'struct Node',
    bytes: 32,
    slots: 2n,
    get members() {
      return [
        { label: 'id', slot: 0n, offset: 0, type: PRICE },
        { label: 'next', slot: 1n, offset: 0, type: nodes },
      ]
    },
  }
  const nodes: StorageType = {
    kind: 'mapping',
    label: 'mapping(uint96 => struct Node)',
    bytes: 32,
    slots: 1n,
    key: () => PRICE,
    value: () => node,
  }

  test('are found in a struct that contains itself', () => {
    const at = (key: number, slot: bigint) =>
      bytesToBigInt(keccak256(Buffer.concat([KEYS[key]!, bigIntToBytes32(slot)])))
    const inner = at(2, at(1, 0n) + 1n)
    const machine = machineWith({
      storage: (slot) => (slot === inner ? 6n : 0n),
      keys: () => KEYS.slice(0, 5),
    })
    expect(plain(valueInStorage(nodes, 0n, 0, machine))).toEqual({
      '[1]': { id: '0', next: { '[2]': { id: '6', next: {} } } },
    })
  })

  test('are at most 100', () => {
    const machine = machineWith({ storage: () => 1n, keys: () => KEYS })
    expect(valueInStorage(typeNamed('balances'), 0n, 0, machine)).toMatchObject({
      count: 100,
      text: 'mapping (100 known keys)',
    })
  })
})
