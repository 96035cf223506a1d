/** Words as values: bits beyond the type, and conversions. */

import { describe, expect, test } from '@jest/globals'
import type { StorageValue } from '../../../../lib/insight/artifacts/storage-layout.ts'
import { convertedWord, valueOfWord } from '../../../../lib/modules/debug/values/value.ts'
import { machineWith } from '../solidity-values.ts'

const ALL = 2n ** 256n - 1n

const typed = (encoding: string, bytes: number, more: Partial<StorageValue> = {}): StorageValue => ({
  kind: 'value',
  label: encoding,
  encoding,
  bytes,
  slots: 1n,
  ...more,
})

describe('a word with bits that the type does not have', () => {
  test.each([
    [typed('uint8', 1), ALL, '255', 255n],
    [typed('int8', 1), 0x80n, '-128', ALL - 127n],
    [typed('int256', 32), ALL, '-1', ALL],
    [typed('bool', 1), 0x2n, 'true', 1n],
    [typed('bool', 1), 0x100n, 'false', 0n],
    [typed('bytes2', 2), ALL, '0xffff', 0xffffn << 240n],
    [typed('address', 20), ALL, `0x${'f'.repeat(40)}`, 2n ** 160n - 1n],
    [typed('contract Token', 20), 1n, `Token(0x${'1'.padStart(40, '0')})`, 1n],
    [typed('enum Shop.Status', 1, { names: ['None', 'Paid'] }), 0x101n, 'Status.Paid', 1n],
    [typed('enum Shop.Status', 1, { names: ['None', 'Paid'] }), 2n, '2', 2n],
    [typed('uint96', 12, { label: 'Price' }), 7n, '7', 7n],
    [typed('function (uint256) returns (bool)', 8), 0x9_0000_0005n, 'function at 5', 0x9_0000_0005n],
  ])('is cleaned: %o', (type, word, text, clean) => {
    expect(valueOfWord(type, word, machineWith({}))).toMatchObject({ type: type.label, text, word: clean })
  })
})

test('an internal function of a frame that creates is the upper entry', () => {
  const type = typed('function ()', 8)
  expect(valueOfWord(type, 0x9_0000_0005n, machineWith({ isCreation: true })).text).toBe('function at 9')
})

describe('the word of another type', () => {
  const constant = (number: bigint) => ({ type: 'int_const', text: '', constant: number })
  test.each([
    ['uint8', 1, constant(255n), 255n],
    ['uint8', 1, constant(256n), undefined],
    ['uint8', 1, constant(-1n), undefined],
    ['int8', 1, constant(-1n), ALL],
    ['int8', 1, constant(128n), undefined],
    ['uint256', 32, { type: 'int8', text: '', word: ALL }, undefined],
    ['int256', 32, { type: 'uint256', text: '', word: ALL }, undefined],
    ['bytes4', 4, constant(1n), 1n << 224n],
    ['bytes4', 4, constant(2n ** 32n), undefined],
    ['bytes4', 4, { type: 'string', text: '', content: Buffer.from('ab') }, 0x6162n << 240n],
    ['bytes4', 4, { type: 'string', text: '', content: Buffer.from('abcde') }, undefined],
    ['bytes4', 4, { type: 'bytes8', text: '', word: 5n << 192n }, undefined],
    ['address', 20, { type: 'bytes20', text: '', word: 5n << 96n }, undefined],
    ['address', 20, { type: 'contract Token', text: '', word: 5n }, 5n],
  ])('%s of %d bytes, from %o', (encoding, bytes, value, word) => {
    expect(convertedWord({ encoding, bytes }, value)).toBe(word)
  })
})
