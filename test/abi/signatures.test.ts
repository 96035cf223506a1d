import { describe, expect, test } from '@jest/globals'
import { fragmentKey, fragmentSignature } from '../../lib/abi/fragments.ts'
import { readSignature } from '../../lib/abi/signatures.ts'

const shown = (text: string) => readSignature(text).map((item) => `${item.type} ${fragmentSignature(item)}`)

test.each([
  ['function transfer(address to, uint256 amount) returns (bool)', ['function transfer(address,uint256)']],
  ['event Sold(uint256 indexed id)', ['event Sold(uint256)']],
  ['error Broke((uint256 a, bytes b)[] parts);', ['error Broke((uint256,bytes)[])']],
  ['transfer(address,uint256)', ['function transfer(address,uint256)', 'error transfer(address,uint256)']],
  [
    '0xa9059cbb: transfer(address,uint256)',
    ['function transfer(address,uint256)', 'error transfer(address,uint256)'],
  ],
])('reads %s', (text, expected) => {
  expect(shown(text)).toEqual(expected)
})

test.each([
  '',
  'transfer',
  'transfer(',
  'transfer(adress)',
  'function f(uint257)',
  'contract A {}',
  '<html>',
])('finds nothing in %j', (text) => {
  expect(readSignature(text)).toEqual([])
})

describe('the hash', () => {
  test.each([
    ['function transfer(address,uint256)', '0xa9059cbb'],
    [
      'event Transfer(address indexed from, address indexed to, uint256 value)',
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    ],
  ])('of %s', (text, key) => {
    expect(fragmentKey(readSignature(text)[0]!)).toBe(key)
  })
})
