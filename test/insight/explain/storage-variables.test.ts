/** Slots by the layout of the storage. */

import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes32, bytesToBigInt, fromHex } from '../../../lib/base/hex.ts'
import { keccak256 } from '../../../lib/crypto/keccak.ts'
import { valueText, bytesIn, VariableFinder } from '../../../lib/insight/explain/storage-variables.ts'
import { storageLayout } from '../../../lib/insight/artifacts/storage-layout.ts'
import { compileProject } from '../../support/artifact-projects.ts'
import { valuesContract } from '../../modules/debug/solidity-values.ts'
import { compiledContract } from '../support/storage-layouts.ts'

const { output } = compileProject({
  'Store.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Store {
    enum Kind { None, Some }
    struct Item { uint128 amount; bool isOpen; Kind kind; bytes4 tag; address[] owners; }
    uint8 small; int16 negative; bool flag; address owner;
    string text;
    uint256[3] fixedList;
    uint64[] numbers;
    Item[] items;
    mapping(address => Item) byOwner;
    mapping(bytes4 => mapping(uint256 => int256)) nested;
    struct Book { uint256 count; mapping(uint256 => bool) isOpen; }
    Book book;
}`,
})
const layout = storageLayout(compiledContract(output, 'Store.sol', 'Store'))!

const hashOf = (...words: readonly bigint[]): bigint =>
  bytesToBigInt(keccak256(Buffer.concat(words.map(bigIntToBytes32))))

const shownAt = (slot: bigint, keys: readonly bigint[] = [], word: Uint8Array = new Uint8Array(32)) =>
  new VariableFinder(layout, { slots: [slot], keys: () => keys.map(bigIntToBytes32) })
    .at(slot)
    .map(({ path, type, offset }) => [path, valueText(type, bytesIn(word, type, offset))])

const USER = 0xa11cen
const TAG = 0x12345678n << 224n

describe('the variables of a slot', () => {
  test('share it', () => {
    const word = fromHex(`0x${'00'.repeat(8)}${'22'.repeat(20)}01fffe07`)
    expect(shownAt(0n, [], word)).toEqual([
      ['small', '7'],
      ['negative', '-2'],
      ['flag', 'true'],
      ['owner', `0x${'22'.repeat(20)}`],
    ])
  })

  test('are texts, short and long', () => {
    const short = fromHex(`0x${Buffer.from('Coin').toString('hex').padEnd(62, '0')}08`)
    expect(shownAt(1n, [], short)).toEqual([['text', '"Coin"']])
    expect(shownAt(1n, [], bigIntToBytes32(81n))).toEqual([['text', '(40 bytes)']])
    const pieces = ['the end', 'split \u{1F3E6}'.padEnd(30, '.')].map((text) =>
      Buffer.alloc(32, text.padEnd(32, '\0')),
    )
    expect(shownAt(hashOf(1n) + 1n, [], pieces[0])).toEqual([['text (bytes 32 to 63)', '"the end"']])
    const split = Buffer.concat([pieces[1]!.subarray(8), pieces[1]!.subarray(0, 8)])
    expect(shownAt(hashOf(1n), [], split)).toEqual([['text (bytes 0 to 31)', `0x${split.toString('hex')}`]])
  })

  test('are items of arrays and lists', () => {
    expect(shownAt(4n)).toEqual([['fixedList[2]', '0']])
    expect(shownAt(5n, [], bigIntToBytes32(9n))).toEqual([['numbers.length', '9']])
    const paths = [4, 5, 6, 7].map((index) => `numbers[${index}]`)
    expect(shownAt(hashOf(5n) + 1n).map(([path]) => path)).toEqual(paths)
    const item = hashOf(6n) + 2n
    expect(shownAt(item).map(([path]) => path)).toEqual(
      ['amount', 'isOpen', 'kind', 'tag'].map((member) => `items[1].${member}`),
    )
    expect(shownAt(item + 1n)).toEqual([['items[1].owners.length', '0']])
  })

  test('are values of mappings whose keys were seen', () => {
    const address = `0x${USER.toString(16).padStart(40, '0')}`
    const slot = hashOf(USER, 7n)
    expect(shownAt(slot, [1n, USER]).map(([path]) => path)).toEqual(
      ['amount', 'isOpen', 'kind', 'tag'].map((member) => `byOwner[${address}].${member}`),
    )
    expect(shownAt(slot, [1n])).toEqual([])
    const inner = hashOf(5n, hashOf(TAG, 8n))
    const minus = bigIntToBytes32(2n ** 256n - 3n)
    expect(shownAt(inner, [5n, TAG], minus)).toEqual([['nested[0x12345678][5]', '-3']])
  })
})

test('the variable of a slot is the value of a text in a mapping', () => {
  const layout = storageLayout(valuesContract)!
  const { slot } = layout.find(({ label }) => label === 'named')!
  const keys = [bigIntToBytes32(USER), Buffer.from('gold'), Buffer.alloc(40, 'x')]
  const pathAt = (key: Uint8Array) => {
    const hashed = bytesToBigInt(keccak256(Buffer.concat([key, bigIntToBytes32(slot)])))
    const finder = new VariableFinder(layout, { slots: [hashed], keys: () => keys })
    return finder.at(hashed).map(({ path }) => path)
  }
  expect(pathAt(Buffer.from('gold'))).toEqual(['named["gold"]'])
  expect(pathAt(Buffer.alloc(40, 'x'))).toEqual([`named["${'x'.repeat(40)}"]`])
  expect(pathAt(Buffer.from('silver'))).toEqual([])
})
